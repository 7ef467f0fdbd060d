"""Which flags a kernel's source is compiled with, and what becomes of the user's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.configure.support import new_project
from tests.support import ROOT, leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.configure.support import Project

pytestmark = pytest.mark.configure

LIBRARY = "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"
FLAGGED = ("symbols: [pair_aes_arm64]", "symbols: [pair_aes_arm64]\n    flags: {features: true}")
STRICT = {"msvc-model-arm64": "/we4013"}
# What lets a source without attributes use AES.
ALLOWING = {
    "msvc-model-arm64": [],
    "clang-cl-arm64": ["-march=armv8-a+aes"],
    "clang-windows-msvc-arm64": ["-march=armv8-a+aes"],
    "gcc-12-aarch64-linux-gnu": ["-march=armv8-a+crypto"],
    "clang-19-aarch64-linux-gnu": ["-march=armv8-a+aes"],
    "zig-aarch64-linux-musl": ["-mcpu=generic+aes"],
}
WITH_BUNDLED = f"""\
cmake_minimum_required(VERSION 3.18)
project(plain C)
include(kernels/pair_kernels.cmake)
include("{ROOT.as_posix()}/kernels/cmk_kernels.cmake")
add_library(lib STATIC)
pair_target_kernels(lib)
add_library(bundled STATIC)
cmk_target_kernels(bundled)
"""


@pytest.mark.parametrize(
    ("name", "flags"), [pytest.param(name, flags, id=f"{name}-B12") for name, flags in ALLOWING.items()]
)
def test_flags_are_for_sources_without_attributes(
    tmp_path: Path, any_cmake: Path, name: str, flags: list[str]
) -> None:
    leg = leg_or_skip(name, tmp_path / "leg")
    project = new_project(tmp_path / "p", any_cmake, FLAGGED, lists=WITH_BUNDLED)
    source = project.folder / "kernels" / "k 1.c"
    text = re.sub(r"PAIR_TARGET_\w+\n", "", source.read_text(encoding="utf-8"))
    assert "TARGET" not in text
    source.write_text(text, encoding="utf-8")
    result = project.configured("-DPAIR_AES=ON", *leg.configure_arguments)
    strict = STRICT.get(name, "-Werror=implicit-function-declaration")

    def own(source: str, target: str, beside: str) -> list[str]:
        others = result.flags(beside, target)
        return [flag for flag in result.flags(source, target) if flag not in others]

    assert result.built() == {"aes_arm64"}
    assert own("k 1.c", "lib", "portable.c") == [*flags, strict]
    project.build("build", "--target", "lib")
    bundled = result.decision(name="cmk")["kernels"]
    built = result.built(name="cmk")
    left_out = {kernel["kernel"] for kernel in bundled} - built
    assert left_out == ({"aes_gcm_arm64_eor3", "sha3_arm64"} if name.startswith("msvc") else set())
    assert [kernel["flags"] for kernel in bundled if kernel["flags"]] == []
    for kernel in built:
        assert own(f"{kernel}.c", "bundled", "aes_portable.c") == [strict]


@pytest.mark.parametrize("case", [pytest.param("two slices", id="B01")])
def test_flags_reach_their_own_slice_only(tmp_path: Path, any_cmake: Path, case: str) -> None:
    leg = leg_or_skip("macos-universal", tmp_path / "leg")
    project = new_project(tmp_path / "p", any_cmake, FLAGGED)
    # Apple's default has AES: without it both slices need a flag.
    result = project.configured(
        "-DPAIR_AES=ON", *leg.configure_arguments, "-DCMAKE_C_FLAGS=-Xarch_arm64 -march=armv8-a"
    )
    assert {entry["architecture"] for entry in result.decision()["slices"]} == {"arm64", "x86_64"}
    assert sorted(source.path.name for source in result.sources().values()) == [
        "aes_x86.c", "k 1.c", "portable.c",
    ]  # fmt: skip
    common = result.flags("portable.c")
    assert " ".join(common).count("-arch ") == 2
    flags = {name: result.flags(name)[len(common) :] for name in ("aes_x86.c", "k 1.c")}
    assert {name: result.flags(name)[: len(common)] for name in flags} == dict.fromkeys(flags, common)
    strict = "-Werror=implicit-function-declaration"
    assert flags["aes_x86.c"] == ["-Xarch_x86_64", "-maes", strict]
    assert flags["k 1.c"] == ["-Xarch_arm64", "-march=armv8-a+aes", strict]


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


@pytest.mark.parametrize("case", [pytest.param("-march=native", id="B23")])
def test_native_is_the_users_word_alone(project: Project, case: str) -> None:
    result = project.configured("-DPAIR_AES=ON", "-DPAIR_CLMUL=ON", f"-DCMAKE_C_FLAGS={case}")
    for source in ("aes_x86.c", "clmul_x86.c", "portable.c"):
        assert result.flags(source).count(case) == 1
    for path in (project.folder / "kernels").glob("pair_kernels*"):
        assert "native" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("compiler", [pytest.param(name, id=f"{name}-B31") for name in ("gcc", "clang-19")])
def test_what_the_user_forbids_elsewhere_the_kernel_still_has(project: Project, compiler: str) -> None:
    # By a flag that comes after the user's, and by an attribute: what the probe says, the build holds.
    result = project.configured(
        *("-DPAIR_AES=ON", "-DPAIR_CLMUL=ON", f"-DCMAKE_C_COMPILER={require_tool(compiler)}"),
        "-DCMAKE_C_FLAGS=-mno-aes -mno-pclmul",
    )
    assert result.built() == {"aes_x86", "clmul_x86"}
    flags = result.flags("aes_x86.c")
    assert flags.index("-mno-aes") < flags.index("-maes")
    project.build()


@pytest.mark.parametrize("case", [pytest.param("-mgeneral-regs-only", id="B31")])
def test_a_flag_that_no_kernel_survives_is_named(project: Project, case: str) -> None:
    compiler = f"-DCMAKE_C_COMPILER={require_tool('aarch64-linux-gnu-gcc')}"
    said = project.refused("-DPAIR_AES=ON", compiler, f"-DCMAKE_C_FLAGS={case}").text
    assert re.search(rf"no aes_arm64: gcc \S+ does not compile its probe: error: [^.]*{case}", said)
    assert project.configured("-DPAIR_AES=AUTO").built() == set()


OLD_ASSEMBLER = """\
#!/bin/sh
for last; do :; done
if grep -q aesenc "$last"; then
  echo "$last: Assembler messages:" >&2
  echo "$last:20: Error: no such instruction: \\`aesenc %xmm1,%xmm0'" >&2
  exit 1
fi
exec {real} "$@"
"""


@pytest.mark.parametrize("case", [pytest.param("an assembler that is too old", id="B31")])
def test_the_assembler_has_a_say(tmp_path: Path, any_cmake: Path, case: str) -> None:
    project = new_project(tmp_path / "p", any_cmake)
    assembler = tmp_path / "as"
    assembler.write_text(OLD_ASSEMBLER.format(real=require_tool("as")), encoding="utf-8")
    assembler.chmod(0o755)
    result = project.configured("-DPAIR_AES=AUTO", "-DPAIR_CLMUL=ON", f"-DCMAKE_C_FLAGS=-B{tmp_path}/")
    assert result.built() == {"clmul_x86"}
    said = "does not compile its probe: Error: no such instruction: `aesenc %xmm1,%xmm0`"
    assert re.search(rf"no aes_x86: gcc \S+ {re.escape(said)}", result.text)
    assert said in project.refused("-DPAIR_AES=ON").text
