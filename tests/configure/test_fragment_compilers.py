"""What the compiler is and what it targets, asked of real compilers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.configure.support import new_project
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.configure.support import Configured, Project

pytestmark = pytest.mark.configure

FLAGGED = ("symbols: [pair_aes_arm64]", "symbols: [pair_aes_arm64]\n    flags: {features: true}")
LIBRARY = "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"
# How CMAKE_SYSTEM_PROCESSOR may spell x86-64 or say nothing, and what it cannot mean by that.
AGREE = ["amd64", "AMD64", "x86_64", "x64", "EM64T", "", "something-new"]
DIFFER = [
    *("aarch64", "AArch64", "arm64", "ARM64", "arm64e", "aarch64_be", "armv8l", "armv7l", "armv7-a", "arm"),
    *("i386", "i686", "x86", "riscv64", "ppc64le", "s390x"),
]
OTHERS = {
    "aarch64_be-linux-gnu": "aarch64_be",
    "armv7-linux-gnueabihf": "arm",
    "i686-linux-gnu": "i386",
    "x86_64-linux-gnux32": "x32",
    "riscv64-linux-gnu": "riscv64",
    "powerpc64le-linux-gnu": "ppc64le",
    "s390x-linux-gnu": "s390x",
    "wasm32-unknown-unknown": "wasm32",
    "loongarch64-linux-gnu": "loongarch64",
    "mips64-linux-gnuabi64": "unknown",
}


def slices(result: Configured) -> list[str]:
    return [entry["architecture"] for entry in result.decision()["slices"]]


def wrapper(folder: Path, *command: str) -> str:
    """Write a program that runs `command` and return the argument that makes it the C compiler."""
    path = folder / "cc"
    path.write_text(f'#!/bin/sh\nexec {" ".join(command)} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return f"-DCMAKE_C_COMPILER={path}"


@pytest.mark.parametrize("case", [pytest.param("x86-64 called ARM64", id="B05")])
def test_the_compiler_is_believed(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    result = project.configured(
        "-DPAIR_AES=ON", "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=ARM64"
    )
    assert (slices(result), result.built()) == (["x86_64"], {"aes_x86"})
    assert result.output.count("pair: CMAKE_SYSTEM_PROCESSOR is ARM64, but the compiler targets x86_64") == 1


@pytest.mark.parametrize("case", [pytest.param("cross compiler without a toolchain file", id="B05")])
def test_a_cross_compiler_is_believed(tmp_path: Path, every_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    result = project.configured(
        "-DPAIR_AES=ON", f"-DCMAKE_C_COMPILER={require_tool('aarch64-linux-gnu-gcc')}"
    )
    assert (slices(result), result.built()) == (["arm64"], {"aes_arm64"})
    assert result.output.count("pair: CMAKE_SYSTEM_PROCESSOR is x86_64, but the compiler targets arm64") == 1
    assert set(result.sources()) == {"k 1.c", "portable.c"}
    assert result.decision()["kernels"][1]["flags"] == []  # the source has an attribute
    project.build()


@pytest.mark.parametrize("case", [pytest.param("spellings", id="B08")])
def test_spellings_decide_nothing(project: Project, case: str) -> None:
    lists = "cmake_minimum_required(VERSION 3.18)\nproject(p C)\ninclude(kernels/pair_kernels.cmake)\n"
    for number, spelling in enumerate(AGREE + DIFFER):
        lists += f'set(CMAKE_SYSTEM_PROCESSOR "{spelling}")\nadd_library(lib{number} STATIC)\n'
        lists += f'message(STATUS "now {number}")\npair_target_kernels(lib{number})\n'
    project.write({"CMakeLists.txt": lists})
    result = project.configured("-DPAIR_AES=ON")
    for number, spelling in enumerate(AGREE + DIFFER):
        assert result.built(target=f"lib{number}") == {"aes_x86"}
        said = result.output.partition(f"now {number}\n")[2].startswith(
            f"-- pair: CMAKE_SYSTEM_PROCESSOR is {spelling}, but the compiler targets x86_64\n"
        )
        assert said == (spelling in DIFFER), spelling


@pytest.mark.parametrize(
    ("triple", "name"), [pytest.param(triple, name, id=f"{triple}-B08") for triple, name in OTHERS.items()]
)
def test_other_architectures_get_nothing_and_are_named(project: Project, triple: str, name: str) -> None:
    tools = (f"-DCMAKE_C_COMPILER={require_tool('clang-19')}", f"-DCMAKE_C_COMPILER_TARGET={triple}", LIBRARY)
    processor = triple.partition("-")[0]
    system = ("-DCMAKE_SYSTEM_NAME=Generic", f"-DCMAKE_SYSTEM_PROCESSOR={processor}")
    result = project.refused("-DPAIR_AES=ON", *tools, *system)
    assert slices(result) == [name]
    assert f"no aes_x86: it is for x86_64; the compiler targets {name}" in result.text
    assert f"no aes_arm64: it is for arm64 or arm64ec; the compiler targets {name}" in result.text
    assert project.configured("-DPAIR_AES=AUTO").built() == set()


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        pytest.param("-mbig-endian", "aarch64_be", id="B77"),
        pytest.param("-mabi=ilp32", "aarch64_ilp32", id="B08"),
    ],
)
def test_other_abis_of_arm64_get_nothing(project: Project, flag: str, name: str) -> None:
    compiler = f"-DCMAKE_C_COMPILER={require_tool('aarch64-linux-gnu-gcc')}"
    result = project.refused("-DPAIR_AES=ON", compiler, f"-DCMAKE_C_FLAGS={flag}", LIBRARY)
    assert f"no aes_arm64: it is for arm64 or arm64ec; the compiler targets {name}" in result.text


def test_a_32_bit_build_on_a_64_bit_system(project: Project) -> None:
    result = project.refused("-DPAIR_AES=ON", "-DCMAKE_C_FLAGS=-m32", LIBRARY)
    assert "the compiler targets i386" in result.text


def test_clang_is_told_from_zig(tmp_path: Path, every_cmake: Path) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    result = project.configured("-DPAIR_AES=ON", f"-DCMAKE_C_COMPILER={require_tool('clang-19')}")
    assert result.decision()["compiler"]["family"] == "clang"
    assert result.decision()["compiler"]["source"] == "CMAKE_C_COMPILER_ID"
    assert result.built() == {"aes_x86"}
    project.build()


@pytest.mark.parametrize(
    ("target", "kernel"), [("x86_64-linux-musl", "aes_x86"), ("aarch64-linux-musl", "aes_arm64")]
)
def test_zig_gets_its_own_flags(tmp_path: Path, any_cmake: Path, target: str, kernel: str) -> None:
    # With flags on ARM64 too: zig refuses the -march that clang wants.
    require_tool("ar")
    project = new_project(tmp_path / "p", any_cmake, FLAGGED)
    zig = wrapper(tmp_path, sys.executable, "-m", "ziglang", "cc", "-target", target)
    result = project.configured("-DPAIR_AES=ON", zig, LIBRARY)
    assert result.decision()["compiler"]["family"] == "zig"
    assert result.built() == {kernel}
    (entry,) = (entry for entry in result.decision()["kernels"] if entry["kernel"] == kernel)
    assert entry["flags"] == {"aes_x86": ["-mcpu=x86_64+aes"], "aes_arm64": ["-mcpu=generic+aes"]}[kernel]


@pytest.mark.parametrize(
    ("mode", "triple", "kernel"),
    [
        pytest.param("cl", "x86_64-pc-windows-msvc", "aes_x86", id="clang-cl-x64"),
        pytest.param("cl", "aarch64-pc-windows-msvc", "aes_arm64", id="clang-cl-arm64-B12"),
        pytest.param("cl", "arm64ec-pc-windows-msvc", "aes_arm64", id="clang-cl-arm64ec"),
        pytest.param("gcc", "aarch64-pc-windows-msvc", "aes_arm64", id="clang-on-the-msvc-abi-B12"),
    ],
)
def test_front_ends_of_clang(tmp_path: Path, any_cmake: Path, mode: str, triple: str, kernel: str) -> None:
    project = new_project(tmp_path / "p", any_cmake, FLAGGED)
    compiler = wrapper(tmp_path, require_tool("clang-19"), f"--driver-mode={mode}", f"--target={triple}")
    archiver = {"cl": "llvm-lib-19", "gcc": "llvm-ar-19"}[mode]
    tools = {"AR": archiver, "LINKER": "lld-link-19", "MT": "llvm-mt-19", "RC_COMPILER": "llvm-rc-19"}
    # There is no SDK: nothing is linked, and headers are the compiler's own.
    bare = {"cl": "/clang:-ffreestanding", "gcc": "-ffreestanding"}[mode]
    result = project.configured(
        *("-DPAIR_AES=ON", compiler, LIBRARY, "-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_C_COMPILER_WORKS=1"),
        *(f"-DCMAKE_{tool}={require_tool(name)}" for tool, name in tools.items()),
        f"-DCMAKE_C_FLAGS={bare}",
    )
    assert result.decision()["compiler"]["family"] == {"cl": "clang-cl", "gcc": "clang"}[mode]
    assert slices(result) == [{"aarch64": "arm64"}.get(triple.partition("-")[0], triple.partition("-")[0])]
    assert result.built() == {kernel}
    source, flag = {"aes_x86": ("aes_x86.c", "-maes"), "aes_arm64": ("k 1.c", "-march=armv8-a+aes")}[kernel]
    assert flag in result.flags(source)
    assert flag not in result.flags("portable.c")


def test_an_unknown_compiler_is_refused_by_name(project: Project) -> None:
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    project.write({"CMakeLists.txt": lists.replace("include(", "set(CMAKE_C_COMPILER_ID Other)\ninclude(")})
    result = project.refused("-DPAIR_AES=ON")
    known = "gcc or clang or appleclang or clang-cl or msvc or zig"
    assert f"no aes_x86: it needs the compiler {known}; this is other" in result.text
    assert project.configured("-DPAIR_AES=AUTO").built() == set()


@pytest.mark.parametrize("case", [pytest.param("-mcpu of the user, and -Werror", id="B22")])
def test_the_users_cpu_is_no_obstacle(project: Project, case: str) -> None:
    result = project.configured(
        "-DPAIR_AES=ON",
        f"-DCMAKE_C_COMPILER={require_tool('aarch64-linux-gnu-gcc')}",
        "-DCMAKE_C_FLAGS=-mcpu=neoverse-n1 -Werror",
    )
    assert result.built() == {"aes_arm64"}
    project.build()


@pytest.mark.parametrize("case", [pytest.param("defaults that allow it", id="B22")])
def test_a_needless_flag_is_not_given(tmp_path: Path, any_cmake: Path, case: str) -> None:
    flagged = (
        "symbols: [pair_aes_arm64]",
        "symbols: [pair_aes_arm64]\n    flags: {features: true, extra: {clang: [-O1]}}",
    )
    project = new_project(tmp_path / "p", any_cmake, flagged)
    result = project.configured(
        "-DPAIR_AES=ON",
        f"-DCMAKE_C_COMPILER={require_tool('clang-19')}",
        "-DCMAKE_C_COMPILER_TARGET=arm64-apple-macos11",
        "-DCMAKE_SYSTEM_NAME=Generic",
        "-DCMAKE_C_FLAGS=-ffreestanding",
        LIBRARY,
    )
    assert result.built() == {"aes_arm64"}
    assert result.decision()["kernels"][1]["flags"] == ["-O1"]


@pytest.mark.parametrize("case", [pytest.param("gcc wants +crypto", id="B20")])
def test_gcc_gets_the_flag_it_wants(tmp_path: Path, any_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", any_cmake, FLAGGED)
    result = project.configured(
        "-DPAIR_AES=ON", f"-DCMAKE_C_COMPILER={require_tool('aarch64-linux-gnu-gcc')}"
    )
    assert "-march=armv8-a+crypto" in result.flags("k 1.c")
    project.build()
