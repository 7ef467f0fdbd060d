"""Projects that build with the fragment as their users do: fetched, nested, exported, consumed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.configure.support import cmakes, new_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.downstream

LIBRARY = """\
cmake_minimum_required(VERSION 3.18)
project(pair_library C)
include(kernels/pair_kernels.cmake)
add_library(pair STATIC)
add_library(pair::pair ALIAS pair)
pair_target_kernels(pair)
install(TARGETS pair EXPORT pair ARCHIVE DESTINATION lib)
install(FILES kernels/include/pair.h DESTINATION include)
install(EXPORT pair NAMESPACE pair:: FILE pair-targets.cmake DESTINATION lib/cmake)
"""
FETCHER = """\
cmake_minimum_required(VERSION 3.18)
project(fetcher C)
include(FetchContent)
set(PAIR_AES ON)
FetchContent_Declare(pair SOURCE_DIR "{library}")
FetchContent_MakeAvailable(pair)
add_subdirectory(two/deep)
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


@pytest.mark.parametrize("cmake", [pytest.param(path, id=f"{name}-B34") for name, path in cmakes().items()])
def test_fetched_by_a_project_that_uses_it_two_folders_deep(tmp_path: Path, cmake: Path) -> None:
    library = new_project(tmp_path / "library", cmake, lists=LIBRARY)
    outer = type(library)(tmp_path / "outer", cmake).write(
        {
            "CMakeLists.txt": FETCHER.format(library=library.folder.as_posix()),
            "two/deep/CMakeLists.txt": USER,
            "two/deep/user.c": PROGRAM,
        }
    )
    result = outer.configured()
    assert result.built("_deps/pair-build") == {"aes_x86"}
    assert result.sources("user")["user.c"].defines == ("PAIR_HAVE_AES",)
    outer.build()
    assert subprocess.run([outer.folder / "build/two/deep/user"], check=False, timeout=10).returncode == 0


@pytest.mark.parametrize("case", [pytest.param("installed", id="B62")])
def test_what_is_installed_names_no_build_place(tmp_path: Path, case: str) -> None:
    cmake = cmakes()["pypi"]
    library = new_project(tmp_path / "library", cmake, lists=LIBRARY)
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
