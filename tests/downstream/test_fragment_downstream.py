"""Projects that build with the fragment as their users do: fetched, nested, exported, consumed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cmaketool.verify import objects
from tests.configure.support import Project, cmake_params, cmakes, generate, new_project
from tests.support import ROOT, cmake_or_skip, leg_or_skip

pytestmark = pytest.mark.downstream

LIBRARY = """\
cmake_minimum_required(VERSION 3.18)
project(pair_library C)
add_library(pair STATIC)
add_library(pair::pair ALIAS pair)
add_subdirectory(some/where)
install(TARGETS pair EXPORT pair ARCHIVE DESTINATION lib)
install(FILES kernels/include/pair.h DESTINATION include)
install(EXPORT pair NAMESPACE pair:: FILE pair-targets.cmake DESTINATION lib/cmake)
"""
WHERE = "include(../../kernels/pair_kernels.cmake)\npair_target_kernels(pair)\n"
FETCHER = """\
cmake_minimum_required(VERSION 3.18)
project(fetcher C)
include(FetchContent)
set(PAIR_AES ON)
add_subdirectory(two/deep)
"""
FETCH = """\
FetchContent_Declare(pair SOURCE_DIR "{library}")
FetchContent_MakeAvailable(pair)
"""
USER = "add_executable(user user.c)\ntarget_link_libraries(user PRIVATE pair::pair)\n"
PROGRAM = """\
#include <pair.h>
#include <string.h>

int main(void)
{
    unsigned char block[16] = {1}, other[16] = {1}, key[16] = {2};
    void (*volatile kernel)(unsigned char *, const unsigned char *) = pair_aes_x86;

    pair_aes_portable(block, key);
    return kernel == 0 || memcmp(block, other, sizeof block) == 0;
}
"""
LINKED = """\
cmake_minimum_required(VERSION 3.18)
project(consumer C)
include("${PREFIX}/lib/cmake/pair-targets.cmake")
add_executable(user user.c)
target_include_directories(user PRIVATE "${PREFIX}/include")
target_link_libraries(user PRIVATE pair::pair)
"""


def new_library(folder: Path, cmake: Path) -> Project:
    return new_project(folder, cmake, lists=LIBRARY).write({"some/where/CMakeLists.txt": WHERE})


@pytest.mark.parametrize("cmake", cmake_params("B34"))
def test_fetched_two_folders_deep_by_a_project_that_asks_two_folders_deep(
    tmp_path: Path, cmake: Path
) -> None:
    library = new_library(tmp_path / "library", cmake)
    outer = type(library)(tmp_path / "outer", cmake).write(
        {
            "CMakeLists.txt": FETCHER,
            "two/deep/CMakeLists.txt": FETCH.format(library=library.folder.as_posix()) + USER,
            "two/deep/user.c": PROGRAM,
        }
    )
    result = outer.configured()
    assert result.built("_deps/pair-build/some/where") == {"aes_x86"}
    assert result.sources("user")["user.c"].defines == ("PAIR_HAVE_AES",)
    outer.build()
    assert subprocess.run([outer.folder / "build/two/deep/user"], check=False, timeout=10).returncode == 0


@pytest.mark.parametrize("case", [pytest.param("installed", id="B62")])
def test_what_is_installed_names_no_build_place(tmp_path: Path, case: str) -> None:
    cmake = list(cmakes().values())[-1]
    library = new_library(tmp_path / "library", cmake)
    prefix = tmp_path / "prefix"
    library.configured("-DPAIR_AES=ON", f"-DCMAKE_INSTALL_PREFIX={prefix}")
    library.build("build", "--target", "install")
    for path in (prefix / "lib" / "cmake").iterdir():
        assert str(library.folder) not in path.read_text(encoding="utf-8")
    user = type(library)(tmp_path / "user", cmake).write({"CMakeLists.txt": LINKED, "user.c": PROGRAM})
    result = user.configured(f"-DPREFIX={prefix}")
    assert result.sources("user")["user.c"].defines == ("PAIR_HAVE_AES",)
    user.build()
    assert subprocess.run([user.folder / "build/user"], check=False, timeout=10).returncode == 0


LINKED_AS_A_WHOLE = """\
cmake_minimum_required(VERSION 3.18)
project(whole C)
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
add_subdirectory(masks)
add_executable(answers masks/answers.c)
target_include_directories(answers PRIVATE masks)
target_link_libraries(answers PRIVATE masks)
"""
OWN = {"aesimc": "masks_imc_arm64", "pmull": "masks_clmul_arm64", "eor3": "masks_fold_arm64"}


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        pytest.param("gcc-12-aarch64-linux-gnu", "", id="gcc-B27"),
        pytest.param("clang-19-aarch64-linux-gnu", "-fuse-ld=lld-19", id="clang-B27"),
    ],
)
def test_link_time_optimisation_leaves_kernels_where_they_are(tmp_path: Path, name: str, flags: str) -> None:
    leg = leg_or_skip(name, tmp_path / "leg")
    project = Project(tmp_path / "p", Path(cmake_or_skip())).write({"CMakeLists.txt": LINKED_AS_A_WHOLE})
    shutil.copytree(ROOT / "tests" / "manifests" / "masks", project.folder / "masks")
    generate(project.folder / "masks" / "kernels.yml")
    settings = (
        "-DCMAKE_BUILD_TYPE=Release",
        "-DMASKS_CRYPTO=ON",
        f"-DCMAKE_EXE_LINKER_FLAGS=-static {flags}",
    )
    project.configured(*leg.configure_arguments, *settings)
    project.build()
    program = project.folder / "build" / "answers"
    holders = {
        word: {function.base for function in objects.read(program).functions if word in function.mnemonics}
        for word in OWN
    }
    assert holders == {word: {function} for word, function in OWN.items()}
    for variant in ("arm64", "dispatch"):
        command = leg.invoke(program, ["--variant", variant]).words
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stdout
