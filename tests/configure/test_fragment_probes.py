"""What the compiler is asked, how often, and what the includer notices of it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.configure.support import DATA, generate, new_project
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.configure.support import Project

pytestmark = pytest.mark.configure

STRICT = (
    "-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wundef -Werror -Werror=unused "
    "-pedantic-errors"
)
BOTH = ("-DPAIR_AES=ON", "-DPAIR_CLMUL=ON")


@pytest.mark.parametrize(
    "compiler", [pytest.param("gcc", id="gcc-B30"), pytest.param("clang-19", id="clang-B30")]
)
def test_warnings_as_errors_change_nothing(tmp_path: Path, every_cmake: Path, compiler: str) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    broken = project.folder / "kernels" / "pair_kernels_probe.c"
    # A probe with a warning of every sort.
    noisy = broken.read_text(encoding="utf-8") + "static int unused(int a) { int b; return a; }\n"
    broken.write_text(noisy, encoding="utf-8")
    result = project.configured(
        *BOTH,
        f"-DCMAKE_C_COMPILER={require_tool(compiler)}",
        f"-DCMAKE_C_FLAGS={STRICT}",
        "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON",
    )
    assert result.built() == {"aes_x86", "clmul_x86"}
    project.build()  # kernels and header are clean under the same flags


@pytest.mark.parametrize("case", [pytest.param("second run", id="B33")])
def test_nothing_is_asked_twice(project: Project, case: str) -> None:
    first = project.configured(*BOTH)
    assert first.probes == 3  # the slices; aes_x86 with its flag; clmul_x86
    log = first.build / "CMakeFiles" / "CMakeConfigureLog.yaml"
    before = log.read_text(encoding="utf-8").count("try_compile-v1") if log.exists() else 0
    again = project.configured()
    assert again.probes == 3
    assert (log.read_text(encoding="utf-8").count("try_compile-v1") if log.exists() else 0) in (0, before)
    toggled = project.configured("-DPAIR_AES=OFF")
    assert (toggled.probes, toggled.built()) == (3, {"clmul_x86"})
    assert project.configured("-DPAIR_AES=ON").probes == 3
    assert project.configured("-DCMAKE_C_FLAGS=-O1").probes == 6


@pytest.mark.parametrize("case", [pytest.param("compiler runs", id="B33")])
def test_unchanged_run_starts_no_compiler(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    log = tmp_path / "runs"
    wrapper = tmp_path / "cc"
    wrapper.write_text(
        f'#!/bin/sh\necho "$*" >> "{log}"\nexec {require_tool("gcc")} "$@"\n', encoding="utf-8"
    )
    wrapper.chmod(0o755)
    project.configured(*BOTH, f"-DCMAKE_C_COMPILER={wrapper}")
    probes = [line for line in log.read_text(encoding="utf-8").splitlines() if "pair_kernels_probe.c" in line]
    assert len(probes) == 3
    log.unlink()
    project.configured()
    assert not log.exists()


@pytest.mark.parametrize("case", [pytest.param("", id="B32")])
def test_includers_variables_stay_as_they_are(tmp_path: Path, every_cmake: Path, case: str) -> None:
    lists = """\
cmake_minimum_required(VERSION 3.18)
project(guest C)
set(CMAKE_REQUIRED_FLAGS "-DX=1;-DY")
set(CMAKE_REQUIRED_QUIET ON)
set(CMAKE_TRY_COMPILE_CONFIGURATION Release)
set(CMAKE_TRY_COMPILE_TARGET_TYPE EXECUTABLE)
set(_slices mine)
function(snapshot result)
  get_directory_property(names VARIABLES)
  list(REMOVE_ITEM names result names name text ARGC ARGN ARGV ARGV0 before after PAIR_AES PAIR_CLMUL)
  set(text "")
  foreach(name IN LISTS names)
    if(NOT name MATCHES "^(_pair_kernels_[0-9a-f]+_[A-Z0-9_]*|CMAKE_CURRENT_FUNCTION.*)$")
      string(APPEND text "${name}=[${${name}}]\\n")
    endif()
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
snapshot(before)
include(kernels/pair_kernels.cmake)
add_library(lib STATIC)
pair_target_kernels(lib)
snapshot(after)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/before" "${before}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/after" "${after}")
cmake_policy(GET CMP0077 policy)
message(STATUS "policy is '${policy}'")
"""
    lists = lists.replace("project(guest C)", "project(guest C)\ncmake_policy(SET CMP0077 OLD)")
    project = new_project(tmp_path / "p", every_cmake, lists=lists)
    for arguments in (BOTH, ("-DCMAKE_C_FLAGS=-O1 -Werror",)):
        result = project.configured(*arguments, "-Wno-dev", "-Wno-deprecated")
        assert result.built() == {"aes_x86", "clmul_x86"}
        before, after = ((result.build / name).read_text(encoding="utf-8") for name in ("before", "after"))
        assert "CMAKE_REQUIRED_FLAGS=[-DX=1;-DY]" in before
        assert after == before
        assert "policy is 'OLD'" in result.output


def test_several_configurations_are_all_asked(tmp_path: Path, every_cmake: Path) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    compiler = f"-DCMAKE_C_COMPILER={require_tool('gcc')}"
    multi = ("-DPAIR_AES=ON", "-G", "Ninja Multi-Config", compiler)
    result = project.configured(
        *multi,
        "-DCMAKE_CONFIGURATION_TYPES=Debug;Other;Same",
        "-DCMAKE_C_FLAGS_DEBUG=-g",
        "-DCMAKE_C_FLAGS_OTHER=-O2 -maes",
        "-DCMAKE_C_FLAGS_SAME=-g",
    )
    assert result.probes == 4  # two questions, two distinct sets of flags
    assert "-maes" in result.flags("aes_x86.c")  # needless in one configuration is not needless
    assert result.decision()["kernels"][0]["flags"] == ["-maes"]
    broken = project.refused(
        *multi,
        "-DCMAKE_CONFIGURATION_TYPES=Debug;Other",
        "-DCMAKE_C_FLAGS_OTHER=-fno-such-flag",
        tree="broken",
    )
    assert "no aes_x86: it is for x86_64; the compiler targets nothing known, error: " in broken.text


def test_flags_of_the_build_type_are_seen(project: Project) -> None:
    result = project.configured("-DCMAKE_BUILD_TYPE=Fast", "-DCMAKE_C_FLAGS_FAST=-maes")
    assert result.decision()["kernels"][0] == {
        "kernel": "aes_x86", "option": "PAIR_AES", "conclusion": "built", "reason": "gcc compiles its probe",
        "slices": ["x86_64"], "flags": [],
    }  # fmt: skip
    # No flag was needed, so none was added beside the user's.
    assert result.flags("aes_x86.c").count("-maes") == 1


ANY_FLAGS = ["-flto", "-g3 -flto", "-g3 -gz", "-std=c90 -pedantic", "-ffunction-sections -fdata-sections"]


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_the_object_tells_its_slice_under_any_flags(project: Project, compiler: str) -> None:
    for flags in ANY_FLAGS:
        result = project.configured(
            "-DPAIR_AES=ON", f"-DCMAKE_C_COMPILER={require_tool(compiler)}", f"-DCMAKE_C_FLAGS={flags}"
        )
        assert [entry["architecture"] for entry in result.decision()["slices"]] == ["x86_64"]
        assert result.built() == {"aes_x86"}


def test_the_culprit_is_found_and_named(tmp_path: Path, any_cmake: Path) -> None:
    probe = "    probe: 'int pair_x(void) { return pair_no_such(); }'"
    broken = (
        "symbols: [pair_clmul_x86]",
        f"symbols: [pair_clmul_x86]\n    flags: {{features: true}}\n{probe}",
    )
    same_flags = ("features: [pclmul]", "features: [aes]")
    project = new_project(tmp_path / "p", any_cmake, broken, same_flags)
    result = project.configured(
        "-DPAIR_AES=AUTO", "-DPAIR_CLMUL=AUTO", f"-DCMAKE_C_COMPILER={require_tool('gcc')}"
    )
    assert result.built() == {"aes_x86"}
    assert result.probes == 4  # slices, both together, each alone
    assert (
        "no clmul_x86: gcc 12.2.0 does not compile its probe: error: implicit declaration of function"
        in result.text
    )
    assert "pair_no_such" in result.text


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_a_compilers_words_are_fit_for_the_decision(tmp_path: Path, any_cmake: Path, compiler: str) -> None:
    probe = f"    probe: 'int pair_x(void) {{ return pair_{'x' * 200}(); }}'"  # cut somewhere
    project = new_project(
        tmp_path / "p", any_cmake, ("symbols: [pair_clmul_x86]", f"symbols: [pair_clmul_x86]\n{probe}")
    )
    result = project.configured(
        "-DPAIR_CLMUL=AUTO", "-G", "Unix Makefiles",
        f"-DCMAKE_C_COMPILER={require_tool(compiler)}", "-DCMAKE_C_FLAGS=-fdiagnostics-color=always",
        env={"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    reason = next(one["reason"] for one in result.decision()["kernels"] if one["kernel"] == "clmul_x86")
    assert "does not compile its probe: error: " in reason
    assert reason.isascii()
    assert reason.isprintable()
    assert "[" not in reason
    assert "`m" not in reason


@pytest.mark.parametrize("case", [pytest.param("two prefixes", id="B35")])
def test_two_fragments_in_one_project(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    other = project.folder / "other"
    shutil.copytree(DATA / "pair", other)
    for path in [*other.glob("*.c"), *other.glob("include/*.h"), other / "kernels.yml"]:
        text = path.read_text(encoding="utf-8").replace("pair", "twin").replace("PAIR", "TWIN")
        path.write_text(text, encoding="utf-8")
    (other / "include" / "pair.h").rename(other / "include" / "twin.h")
    generate(other / "kernels.yml")
    project.write(
        {
            "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(two C)
include(kernels/pair_kernels.cmake)
include(other/twin_kernels.cmake)
include(kernels/pair_kernels.cmake)
add_library(lib STATIC)
pair_target_kernels(lib)
twin_target_kernels(lib)
pair_target_kernels(lib)
"""
        }
    )
    result = project.configured("-DPAIR_AES=ON", "-DTWIN_AES=ON", "-DTWIN_CLMUL=ON")
    assert (result.built(), result.built(name="twin")) == ({"aes_x86"}, {"aes_x86", "clmul_x86"})
    project.build()
    names = [source.path for source in result.sources().values()]
    assert len(names) == len(set(names))
