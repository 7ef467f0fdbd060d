"""Which targets get kernels, from where, and with what."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.configure.support import generate, new_project
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.configure.support import Project

pytestmark = pytest.mark.configure

TOP = "cmake_minimum_required(VERSION 3.18)\nproject(top C)\n"


@pytest.mark.parametrize("case", [pytest.param("target at the top, call below", id="B24")])
def test_flags_reach_a_target_of_another_directory(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(
        tmp_path / "p", every_cmake, lists=f"{TOP}add_library(lib STATIC)\nadd_subdirectory(sub)\n"
    )
    project.write(
        {"sub/CMakeLists.txt": "include(../kernels/pair_kernels.cmake)\npair_target_kernels(lib)\n"}
    )
    result = project.configured("-DPAIR_AES=ON", "-DPAIR_CLMUL=ON")
    assert "-maes" in result.flags("aes_x86.c")
    assert "-maes" not in result.flags("clmul_x86.c")
    assert "-maes" not in result.flags("portable.c")
    assert result.decision("sub")["directory"] == "./../"
    project.build()


@pytest.mark.parametrize("case", [pytest.param("symbolic link", id="B24")])
def test_flags_reach_sources_through_a_link(project: Project, case: str) -> None:
    (project.folder / "link").symlink_to("kernels", target_is_directory=True)
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    project.write({"CMakeLists.txt": lists.replace("kernels/pair", "./link/../link/pair")})
    result = project.configured("-DPAIR_AES=ON")
    assert "-maes" in result.flags("aes_x86.c")
    project.build()


@pytest.mark.parametrize("case", [pytest.param("no C", id="B81")])
@pytest.mark.parametrize("value", ["ON", "AUTO"])
def test_without_c_there_is_an_error(tmp_path: Path, every_cmake: Path, case: str, value: str) -> None:
    lists = "cmake_minimum_required(VERSION 3.18)\nproject(p CXX)\nadd_library(lib STATIC x.cpp)\n"
    project = new_project(
        tmp_path / "p",
        every_cmake,
        lists=f"{lists}include(kernels/pair_kernels.cmake)\npair_target_kernels(lib)\n",
    )
    project.write({"x.cpp": "int x;\n"})
    assert (
        "pair: 'lib' cannot have kernels: add C to project(... LANGUAGES)"
        in project.refused(f"-DPAIR_AES={value}").text
    )


@pytest.mark.parametrize("case", [pytest.param("two directories", id="B39-B83")])
def test_each_target_gets_its_kernels(tmp_path: Path, every_cmake: Path, case: str) -> None:
    call = "pair_target_kernels({0})\n"
    one = "include(../kernels/pair_kernels.cmake)\nadd_library({0} STATIC)\n" + call + call
    project = new_project(
        tmp_path / "p", every_cmake, lists=f"{TOP}add_subdirectory(a)\nadd_subdirectory(b)\n"
    )
    project.write(
        {"a/CMakeLists.txt": one.format("a"), "b/CMakeLists.txt": "set(PAIR_AES OFF)\n" + one.format("b")}
    )
    project.write({"b/CMakeLists.txt": one.format("b") + one.format("c")})
    result = project.configured("-DPAIR_AES=ON")
    for name, folder in (("a", "a"), ("b", "b"), ("c", "b")):
        assert set(result.sources(name)) == {"aes_x86.c", "portable.c"}
        assert "-maes" in result.flags("aes_x86.c", name)
        assert result.built(folder, target=name) == {"aes_x86"}
    assert result.probes == 2
    project.build()


@pytest.mark.parametrize("case", [pytest.param("other digest", id="B83")])
def test_two_different_copies_are_an_error(tmp_path: Path, every_cmake: Path, case: str) -> None:
    include = "include({}/pair_kernels.cmake)\n"
    project = new_project(
        tmp_path / "p", every_cmake, lists=TOP + include.format("kernels") + include.format("copy")
    )
    shutil.copytree(project.folder / "kernels", project.folder / "copy")
    project.configured()  # equal copies are fine
    manifest = project.folder / "copy" / "kernels.yml"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace("default: OFF", "default: ON"), encoding="utf-8"
    )
    generate(manifest)
    text = project.refused().output
    assert "pair: two different copies are included; use one of them" in " ".join(text.split())
    joined = text.replace("\n", "")
    assert str(project.folder / "kernels" / "pair_kernels.cmake") in joined
    assert str(project.folder / "copy" / "pair_kernels.cmake") in joined


NO_KERNELS = {
    "missing": "pair_target_kernels(nosuch)",
    "alias": "add_library(real STATIC x.c)\nadd_library(a::b ALIAS real)\npair_target_kernels(a::b)",
    "imported": "add_library(far STATIC IMPORTED)\npair_target_kernels(far)",
    "interface": "add_library(face INTERFACE)\npair_target_kernels(face)",
    "custom": "add_custom_target(job)\npair_target_kernels(job)",
    "two arguments": "add_library(real STATIC x.c)\npair_target_kernels(real real)",
}


def test_what_cannot_have_kernels_is_named(project: Project) -> None:
    project.write({"x.c": "int x;\n"})
    for name, target in NO_KERNELS.items():
        project.write({"CMakeLists.txt": f"{TOP}include(kernels/pair_kernels.cmake)\n{target}\n"})
        said = project.refused().text
        assert "pair: pair_target_kernels takes one target that exists, is compiled" in said, name


def test_every_kind_of_compiled_target(project: Project) -> None:
    kinds = ("STATIC", "SHARED", "MODULE", "OBJECT")
    lists = f"{TOP}include(kernels/pair_kernels.cmake)\nadd_executable(EXECUTABLE x.c)\n"
    lists += "".join(f"add_library({kind} {kind})\n" for kind in kinds)
    lists += "".join(f"pair_target_kernels({kind})\n" for kind in (*kinds, "EXECUTABLE"))
    project.write({"CMakeLists.txt": lists, "x.c": "int main(void) { return 0; }\n"})
    result = project.configured("-DPAIR_AES=ON")
    for kind in (*kinds, "EXECUTABLE"):
        assert "aes_x86.c" in result.sources(kind)


@pytest.mark.parametrize(
    "compiler", [pytest.param("gcc", id="gcc-B26"), pytest.param("clang-19", id="clang-B26")]
)
def test_unity_builds_and_precompiled_headers_leave_kernels_alone(project: Project, compiler: str) -> None:
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    lists = lists.replace(
        "add_library(lib STATIC)",
        "add_library(lib STATIC a.c b.c)\ntarget_precompile_headers(lib PRIVATE x.h)",
    )
    project.write(
        {
            "CMakeLists.txt": lists,
            "x.h": "#include <stdint.h>\n",
            "a.c": "uint8_t a;\n",
            "b.c": "uint8_t b;\n",
        }
    )
    result = project.configured(
        "-DPAIR_AES=ON",
        "-DPAIR_CLMUL=ON",
        f"-DCMAKE_C_COMPILER={require_tool(compiler)}",
        "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_C_FLAGS=-Werror -Werror=invalid-pch" if compiler == "gcc" else "-DCMAKE_C_FLAGS=-Werror",
    )
    assert {"aes_x86.c", "clmul_x86.c", "portable.c"} <= set(result.sources())
    assert [flag for flag in result.flags("unity_0_c.c") if "cmake_pch.h" in flag]
    for name in ("aes_x86.c", "clmul_x86.c", "portable.c"):
        assert not [flag for flag in result.flags(name) if "cmake_pch" in flag or "-include" in flag]
    project.build()


def test_definitions_and_includes_go_where_they_belong(project: Project) -> None:
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    project.write(
        {
            "CMakeLists.txt": lists
            + "add_executable(user user.c)\ntarget_link_libraries(user PRIVATE lib)\n",
            "user.c": "#include <pair.h>\nint main(void) { return 0; }\n",
        }
    )
    result = project.configured("-DPAIR_AES=ON")
    inside = set(result.sources()["portable.c"].defines)
    assert inside == {"PAIR_KERNEL_AES_X86=1", "PAIR_HAVE_AES", "PAIR_INSIDE=1"}
    user = result.sources("user")["user.c"]
    assert user.defines == ("PAIR_HAVE_AES",)
    assert [path.name for path in user.includes] == ["include"]
    project.build()


@pytest.mark.parametrize("case", [pytest.param("odd folder", id="B63")])
def test_odd_folder_names(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "a b (x)" / "ü'#$[1]", every_cmake)
    result = project.configured("-DPAIR_AES=ON")
    assert "-maes" in result.flags("aes_x86.c")
    project.build()


UNCARRIED = {  # part of a folder's name: what is wrong with it
    "a;b": ";", "a[b": "[", "a[1]]": "]", 'a"b': '"',
    "a>b": ">", "$<a>": "$<", "${a}": "${", "$ENV{a}": "$ENV{",
}  # fmt: skip


@pytest.mark.parametrize("odd", [pytest.param(odd, id=f"{odd}-B63") for odd in UNCARRIED])
def test_a_folder_that_cmake_cannot_carry_is_named(tmp_path: Path, every_cmake: Path, odd: str) -> None:
    lists = "cmake_minimum_required(VERSION 3.18)\nproject(p NONE)\ninclude(kernels/pair_kernels.cmake)\n"
    project = new_project(tmp_path / f"x {odd}", every_cmake, lists=lists)
    said = project.refused(tree=str(tmp_path / "build")).text
    assert f"pair: CMake cannot carry the '{UNCARRIED[odd]}' of" in said
    assert f"/x {odd}/kernels: rename that folder" in said


@pytest.mark.parametrize("case", [pytest.param("quotes and @ on the way", id="B63")])
def test_odd_folders_between_files_targets_and_sources(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    (project.folder / "kernels").rename(project.folder / "k'q'$x")
    generate(project.folder / "k'q'$x" / "kernels.yml", project.folder / "gen")
    project.write(
        {
            "CMakeLists.txt": f"{TOP}include(gen/pair_kernels.cmake)\n"
            'add_subdirectory("it\'s @CMAKE_C_COMPILER@")\npair_target_kernels(lib)\n',
            "it's @CMAKE_C_COMPILER@/CMakeLists.txt": "add_library(lib STATIC)\n",
        }
    )
    result = project.configured("-DPAIR_AES=ON")
    assert "aes_x86.c" in result.sources()
    assert result.decision()["directory"] == "./it_s _CMAKE_C_COMPILER_"


def test_generated_files_may_lie_elsewhere(tmp_path: Path, any_cmake: Path) -> None:
    project = new_project(tmp_path / "p", any_cmake)
    generate(project.folder / "kernels" / "kernels.yml", project.folder / "cmake" / "generated")
    for path in (project.folder / "kernels").glob("pair_kernels*"):
        path.unlink()
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    project.write({"CMakeLists.txt": lists.replace("include(kernels", "include(cmake/generated")})
    project.configured("-DPAIR_AES=ON")
    project.build()
