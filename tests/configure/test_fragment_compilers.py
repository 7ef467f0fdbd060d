"""What the compiler is and what it targets, asked of real compilers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cmaketool.toolchains import files
from tests.configure.support import new_project
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.configure.support import Configured, Project

pytestmark = pytest.mark.configure

FLAGGED = ("symbols: [pair_aes_arm64]", "symbols: [pair_aes_arm64]\n    flags: {features: true}")
STRICT = "-Werror=implicit-function-declaration"
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
    ("triple", "name", "system", "processor"),
    [
        *(
            pytest.param(triple, name, "Generic", triple.partition("-")[0], id=f"{triple}-B08")
            for triple, name in OTHERS.items()
        ),
        pytest.param("wasm32-unknown-unknown", "wasm32", "Emscripten", "x86", id="wasm32-called-x86-B09"),
    ],
)
def test_other_architectures_get_nothing_and_are_named(
    project: Project, triple: str, name: str, system: str, processor: str
) -> None:
    tools = (f"-DCMAKE_C_COMPILER={require_tool('clang-19')}", f"-DCMAKE_C_COMPILER_TARGET={triple}", LIBRARY)
    places = (f"-DCMAKE_SYSTEM_NAME={system}", f"-DCMAKE_SYSTEM_PROCESSOR={processor}")
    result = project.refused("-DPAIR_AES=ON", *tools, *places)
    contradiction = f"pair: CMAKE_SYSTEM_PROCESSOR is {processor}, but the compiler targets {name}"
    assert result.output.count(contradiction) == (1 if processor in ("x86", "x86_64") else 0)
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


@pytest.mark.parametrize("case", [pytest.param("-m32", id="B06")])
def test_a_32_bit_build_on_a_64_bit_system(project: Project, case: str) -> None:
    result = project.refused("-DPAIR_AES=ON", f"-DCMAKE_C_FLAGS={case}", LIBRARY)
    assert "no aes_x86: it is for x86_64; the compiler targets i386" in result.text
    assert "CMAKE_SYSTEM_PROCESSOR is x86_64, but the compiler targets i386" in result.text
    assert project.configured("-DPAIR_AES=AUTO").built() == set()


@pytest.mark.parametrize(
    ("version", "flags"), [("14", ""), ("14", "-Qunused-arguments"), ("16", "-w"), ("19", "")]
)
def test_clang_is_told_from_zig(tmp_path: Path, any_cmake: Path, version: str, flags: str) -> None:
    # On x86-64 older ones take any -mcpu, with a warning or without one.
    project = new_project(tmp_path / "p", any_cmake)
    compiler = f"-DCMAKE_C_COMPILER={require_tool(f'clang-{version}')}"
    result = project.configured("-DPAIR_AES=ON", compiler, f"-DCMAKE_C_FLAGS={flags}")
    assert result.decision()["compiler"]["family"] == "clang"
    assert result.decision()["compiler"]["source"] == "CMAKE_C_COMPILER_ID"
    assert result.built() == {"aes_x86"}
    assert "-maes" in result.flags("aes_x86.c")


@pytest.mark.parametrize("version", ["14", "16", "19"])
def test_clang_for_arm64_is_told_from_zig(tmp_path: Path, any_cmake: Path, version: str) -> None:
    project = new_project(tmp_path / "p", any_cmake, FLAGGED)
    compiler = f"-DCMAKE_C_COMPILER={require_tool(f'clang-{version}')}"
    target = "-DCMAKE_C_COMPILER_TARGET=aarch64-linux-gnu"
    result = project.configured("-DPAIR_AES=ON", compiler, target, LIBRARY)
    assert result.decision()["compiler"]["family"] == "clang"
    assert "-march=armv8-a+aes" in result.flags("k 1.c")


@pytest.mark.parametrize(
    ("target", "kernel"), [("x86_64-linux-musl", "aes_x86"), ("aarch64-linux-musl", "aes_arm64")]
)
def test_zig_gets_its_own_flags(tmp_path: Path, any_cmake: Path, target: str, kernel: str) -> None:
    # With flags on ARM64 too: zig refuses the -march that clang wants.
    require_tool("ar")
    project = new_project(tmp_path / "p", any_cmake, FLAGGED)
    # CMake would identify it by linking, for which zig first compiles a C library.
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    zig = files.wrapper(tmp_path, "cc", command, may_link=False)
    result = project.configured("-DPAIR_AES=ON", f"-DCMAKE_C_COMPILER={zig}", LIBRARY)
    assert result.decision()["compiler"]["family"] == "zig"
    assert result.built() == {kernel}
    (entry,) = (entry for entry in result.decision()["kernels"] if entry["kernel"] == kernel)
    assert entry["flags"] == {"aes_x86": ["-mcpu=x86_64+aes"], "aes_arm64": ["-mcpu=generic+aes"]}[kernel]


X64, ARM64EC = "x86_64-pc-windows-msvc", "arm64ec-pc-windows-msvc"
BOTH_FEATURES = (
    "features: [aes]\n    sources: [aes_x86.c]",
    "features: [aes, pclmul]\n    sources: [aes_x86.c]",
)


@pytest.mark.parametrize(
    ("triple", "source", "flags"),
    [
        pytest.param(X64, "aes_x86.c", ["-maes", "-mpclmul"], id="x64-B11"),
        pytest.param(ARM64EC, "k 1.c", ["-march=armv8-a+aes"], id="arm64ec-B10"),
    ],
)
def test_clang_cl_is_not_taken_for_cl(
    tmp_path: Path, any_cmake: Path, triple: str, source: str, flags: list[str]
) -> None:
    project = new_project(tmp_path / "p", any_cmake, FLAGGED, BOTH_FEATURES)
    compiler = wrapper(tmp_path, require_tool("clang-19"), "--driver-mode=cl", f"--target={triple}")
    names = {"AR": "llvm-lib-19", "LINKER": "lld-link-19", "MT": "llvm-mt-19", "RC_COMPILER": "llvm-rc-19"}
    result = project.configured(
        *("-DPAIR_AES=ON", compiler, LIBRARY, "-DCMAKE_SYSTEM_NAME=Windows", "-DCMAKE_C_COMPILER_WORKS=1"),
        *(f"-DCMAKE_{tool}={require_tool(name)}" for tool, name in names.items()),
        # There is no SDK: nothing is linked, and headers are the compiler's own.
        "-DCMAKE_C_FLAGS=/clang:-ffreestanding",
    )
    assert result.decision()["compiler"]["family"] == "clang-cl"
    assert slices(result) == [{X64: "x86_64", ARM64EC: "arm64ec"}[triple]]
    assert set(result.sources()) == {source, "portable.c"}
    kernel, portable = result.flags(source), result.flags("portable.c")
    assert [flag for flag in kernel if flag not in portable] == [*flags, STRICT]
    project.build()


def test_an_unknown_compiler_is_refused_by_name(project: Project) -> None:
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    project.write({"CMakeLists.txt": lists.replace("include(", "set(CMAKE_C_COMPILER_ID Other)\ninclude(")})
    result = project.refused("-DPAIR_AES=ON")
    known = "gcc or clang or appleclang or clang-cl or msvc or zig"
    assert f"no aes_x86: it needs the compiler {known}; this is other" in result.text
    assert project.configured("-DPAIR_AES=AUTO").built() == set()
