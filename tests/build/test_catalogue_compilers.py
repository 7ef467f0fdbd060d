"""What the catalogue says of compilers and systems, asked of the compilers, headers and the kernel here."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cmaketool import catalogue
from cmaketool.verify import objects
from tests.support import require_tool

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.build

CATALOGUE = catalogue.load()
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wmissing-prototypes", "-Werror")
CPUINFO = Path("/proc/cpuinfo")
ZIG = (sys.executable, "-m", "ziglang", "cc")


class Target(NamedTuple):
    """A compiler with a target; `family` and `isa` as in the catalogue."""

    name: str
    isa: str
    family: str
    command: tuple[str, ...]

    @property
    def program(self) -> tuple[str, ...]:
        if self.command[0] != sys.executable:
            require_tool(self.command[0])
        return self.command


TARGETS = (
    Target("gcc-aarch64", "arm64", "gcc", ("aarch64-linux-gnu-gcc",)),
    Target("clang-aarch64", "arm64", "clang", ("clang-19", "--target=aarch64-linux-gnu", "-ffreestanding")),
    Target("clang-macos", "arm64", "clang", ("clang-19", "--target=arm64-apple-macos11", "-ffreestanding")),
    Target(
        "clang-windows", "arm64", "clang", ("clang-19", "--target=aarch64-pc-windows-msvc", "-ffreestanding")
    ),
    Target("zig-aarch64", "arm64", "zig", (*ZIG, "-target", "aarch64-linux-musl")),
    Target("gcc-x86_64", "x86_64", "gcc", ("gcc",)),
    Target("clang-x86_64", "x86_64", "clang", ("clang-19", "--target=x86_64-linux-gnu")),
    Target("zig-x86_64", "x86_64", "zig", (*ZIG, "-target", "x86_64-linux-musl")),
)


def asked_for(isa: str) -> list[str]:
    """Return the features that not every CPU has: those that compilers and systems are asked for."""
    return [name for name in CATALOGUE.features(isa) if not CATALOGUE.feature(isa, name).detection.always]


PAIRS = [
    pytest.param(target, feature, id=f"{target.name}-{feature}")
    for target in TARGETS
    for feature in asked_for(target.isa)
]


def run(command: Sequence[str], text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def begin_and_end(target: Target, name: str) -> tuple[str, str]:
    frontend = CATALOGUE.compilers[target.family].frontend
    text = CATALOGUE.attribute(target.isa, frontend, [name])
    if frontend == "gcc":
        return f'#pragma GCC push_options\n#pragma GCC target("{text}")\n', "#pragma GCC pop_options\n"
    attribute = f'__attribute__((target("{text}")))'
    return (
        f"#pragma clang attribute push({attribute}, apply_to = function)\n",
        "#pragma clang attribute pop\n",
    )


def probes(target: Target) -> str:
    """Return one file with the probes, each under the attribute for its feature alone."""
    parts = [CATALOGUE.prologue(target.isa)]
    for name in asked_for(target.isa):
        begin, end = begin_and_end(target, name)
        parts.append(begin + CATALOGUE.feature(target.isa, name).probe + end)
    return "".join(parts)


def compiled(target: Target, flags: Sequence[str], text: str, folder: Path) -> dict[str, set[str]]:
    """Return the instructions of each function of `text`, compiled without a warning."""
    path = folder / "probe.o"
    result = run([*target.program, "-O2", *WARNINGS, *flags, "-xc", "-c", "-", "-o", str(path)], text)
    assert (result.returncode, result.stderr) == (0, "")
    return {function.name: set(function.mnemonics) for function in objects.read(path).functions}


def function(name: str) -> str:
    return catalogue.PROBE_PREFIX + name.replace(".", "_")


@pytest.mark.parametrize(("target", "name"), PAIRS)
def test_flags_alone_allow_a_feature(target: Target, name: str, tmp_path: Path) -> None:
    feature = CATALOGUE.feature(target.isa, name)
    flags = CATALOGUE.flags(target.isa, target.family, [name])
    macros = "".join(f"#ifndef {macro}\n#error {macro} is not defined\n#endif\n" for macro in feature.macros)
    found = compiled(target, flags, macros + CATALOGUE.prologue(target.isa) + feature.probe, tmp_path)
    assert flags
    assert feature.mnemonics & found[function(name)]


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_attributes_alone_allow_each_feature(target: Target, tmp_path: Path) -> None:
    found = compiled(target, (), probes(target), tmp_path)
    for name in asked_for(target.isa):
        # With AVX2 allowed, a compiler encodes what SSE has as v..., on 128 bits: ..._xmm in our evidence.
        words = {word.removesuffix("_xmm") for word in found[function(name)]}
        assert words & CATALOGUE.feature(target.isa, name).mnemonics, name


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_without_either_only_what_the_default_has(target: Target, tmp_path: Path) -> None:
    defined = run([*target.program, "-dM", "-E", "-xc", "-"], "").stdout
    lacking = {
        name
        for name in CATALOGUE.features(target.isa)
        if not all(f"#define {macro} " in defined for macro in CATALOGUE.feature(target.isa, name).macros)
    }
    command = [*target.program, "-O2", "-xc", "-c", "-", "-o", str(tmp_path / "probe.o")]
    prologue = CATALOGUE.prologue(target.isa)
    refused = {
        name
        for name in CATALOGUE.features(target.isa)
        if run(command, prologue + CATALOGUE.feature(target.isa, name).probe).returncode != 0
    }
    assert refused == lacking


@pytest.mark.parametrize(
    ("target", "march", "accepted"),
    [
        pytest.param(TARGETS[0], "armv8-a+aes", False, id="gcc-aes[B20]"),
        pytest.param(TARGETS[0], "armv8-a+aes+sha2", False, id="gcc-aes-sha2[B20]"),
        pytest.param(TARGETS[0], None, True, id="gcc-catalogue[B20]"),
        pytest.param(TARGETS[1], "armv8-a+aes", True, id="clang-aes[B20]"),
        pytest.param(TARGETS[1], "armv8-a+crypto", True, id="clang-crypto[B20]"),
        pytest.param(TARGETS[1], None, True, id="clang-catalogue[B20]"),
    ],
)
def test_crypto_is_not_aes_and_sha2(
    target: Target, march: str | None, accepted: bool, tmp_path: Path
) -> None:
    """vaesmcq_u8 and vmull_p64: what GCC 12 wants "crypto" for."""
    text = "".join(CATALOGUE.feature("arm64", name).probe for name in ("aes", "pmull"))
    flags = [f"-march={march}"] if march else CATALOGUE.flags("arm64", target.family, ["aes", "sha2"])
    command = [*target.program, *flags, "-xc", "-c", "-", "-o", str(tmp_path / "probe.o")]
    assert (run(command, CATALOGUE.prologue("arm64") + text).returncode == 0) is accepted


@pytest.mark.parametrize("cpu", ["-mcpu=neoverse-n1", "-mcpu=cortex-a72", "-march=armv8.4-a"])
def test_attribute_under_the_users_cpu(cpu: str, tmp_path: Path) -> None:
    found = compiled(TARGETS[0], [cpu], probes(TARGETS[0]), tmp_path)
    for name in asked_for("arm64"):
        assert CATALOGUE.feature("arm64", name).mnemonics & found[function(name)], name


@pytest.mark.parametrize(
    ("command", "architecture"),
    [
        pytest.param(("aarch64-linux-gnu-gcc",), "arm64", id="gcc-aarch64[B08]"),
        pytest.param(("aarch64-linux-gnu-gcc", "-mbig-endian"), None, id="gcc-aarch64_be[B77]"),
        pytest.param(("aarch64-linux-gnu-gcc", "-mabi=ilp32"), None, id="gcc-ilp32[B08]"),
        pytest.param(("clang-19", "--target=aarch64-linux-gnu"), "arm64", id="clang-aarch64[B08]"),
        pytest.param(("clang-19", "--target=arm64-apple-macos11"), "arm64", id="clang-macos[B08]"),
        pytest.param(("clang-19", "--target=aarch64-pc-windows-msvc"), "arm64", id="clang-windows[B08]"),
        pytest.param(("clang-19", "--target=aarch64_be-linux-gnu"), None, id="clang-aarch64_be[B77]"),
        pytest.param(("clang-19", "--target=arm64_32-apple-watchos7"), None, id="clang-arm64_32[B08]"),
        pytest.param(("clang-19", "--target=armv7-linux-gnueabihf"), None, id="clang-armv7[B08]"),
        pytest.param(("clang-19", "--target=arm64ec-pc-windows-msvc"), "arm64ec", id="clang-arm64ec[B10]"),
        pytest.param(
            ("clang-19", "--target=arm64ec-w64-windows-gnu"), "arm64ec", id="clang-arm64ec-gnu[B10]"
        ),
        pytest.param(("gcc",), "x86_64", id="gcc-x86_64[B08]"),
        pytest.param(("gcc", "-m32"), None, id="gcc-i386[B08]"),
        pytest.param(("gcc", "-mx32"), None, id="gcc-x32[B08]"),
        pytest.param(("clang-19", "--target=x86_64-pc-windows-msvc"), "x86_64", id="clang-x64-windows[B08]"),
        pytest.param(("clang-19", "--target=wasm32"), None, id="clang-wasm32[B08]"),
        pytest.param(("clang-19", "--target=riscv64-linux-gnu"), None, id="clang-riscv64[B08]"),
        pytest.param((*ZIG, "-target", "aarch64-windows-gnu"), "arm64", id="zig-windows[B08]"),
    ],
)
def test_slice(command: tuple[str, ...], architecture: str | None) -> None:
    """In each slice the condition of that architecture is true, and of no other."""
    if command[0] != sys.executable:
        require_tool(command[0])
    text = "".join(f"#if {one.condition}\n@{one.name}\n#endif\n" for one in CATALOGUE.architectures.values())
    result = run([*command, "-E", "-P", "-xc", "-"], text)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ([f"@{architecture}"] if architecture else [])


# What systems are asked, and what their headers say of it


def macros(command: Sequence[str], header: str) -> dict[str, str]:
    """Return the macros that a header defines, by name."""
    result = run([*command, "-dM", "-E", "-xc", "-"], f"#include <{header}>\n")
    assert result.returncode == 0, result.stderr
    return dict(re.findall(r"^#define (\w+) (.+)$", result.stdout, re.MULTILINE))


@pytest.mark.parametrize("name", asked_for("arm64"))
def test_hwcap_is_the_kernels(name: str) -> None:
    found = macros(TARGETS[0].program, "asm/hwcap.h")
    assert found[f"HWCAP_{name.upper()}"] == f"(1 << {CATALOGUE.feature('arm64', name).detection.hwcap})"
    assert found["HWCAP_CPUID"] == "(1 << 11)"


@pytest.mark.parametrize("name", CATALOGUE.features("x86_64"))
@pytest.mark.parametrize("target", TARGETS[5:7], ids=lambda target: target.name)
def test_cpuid_is_the_compilers(target: Target, name: str) -> None:
    found = macros(target.program, "cpuid.h")
    detection = CATALOGUE.feature("x86_64", name).detection
    assert detection.cpuid is not None
    text = f"bit_{name.upper().replace('.', '_')}"
    while text in found:  # Clang has two names for some
        text = found[text]
    base, _, shift = text.strip("()").partition(" << ")  # GCC writes (1 << 25), Clang 0x02000000
    assert int(base, 0) << int(shift or 0) == 1 << detection.cpuid[2]


def test_processor_features_are_those_of_windows() -> None:
    """As MinGW-w64 has them in zig; an older zig lacks the newer two."""
    found = macros((*ZIG, "-target", "aarch64-windows-gnu"), "windows.h")
    names = {"sha512": "SHA512", "sha3": "SHA3", "aes": "V8_CRYPTO", "sha2": "V8_CRYPTO"}
    numbers = {name: found.get(f"PF_ARM_{word}_INSTRUCTIONS_AVAILABLE") for name, word in names.items()}
    assert numbers["aes"] is not None
    for name, number in numbers.items():
        assert number is None or CATALOGUE.feature("arm64", name).detection.windows == (int(number),)


ASK = """
#include <cpuid.h>
#include <stdio.h>
int main(void)
{
    unsigned leaf, eax, ebx, ecx, edx;
    while (scanf("%u", &leaf) == 1) {
        eax = ebx = ecx = edx = 0;
        __get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx);
        printf("%u %u %u\\n", ebx, ecx, edx);
    }
    return 0;
}
"""


def test_this_machine_has_what_its_kernel_says(tmp_path: Path) -> None:
    """Each word of /proc/cpuinfo is that of the bit beside it in the catalogue."""
    if platform.machine() != "x86_64" or not CPUINFO.exists():
        pytest.skip("no x86-64 Linux")
    program = tmp_path / "ask"
    result = run([require_tool("gcc"), "-xc", "-", "-o", str(program)], ASK)
    assert result.returncode == 0, result.stderr
    said = set(CPUINFO.read_text(encoding="utf-8").split())
    lines = run([str(program)], "1 7\n").stdout.splitlines()
    registers = {
        leaf: dict(zip(("ebx", "ecx", "edx"), map(int, line.split()), strict=True))
        for leaf, line in zip((1, 7), lines, strict=True)
    }
    words, bits = set(), set()
    for name in CATALOGUE.features("x86_64"):
        detection = CATALOGUE.feature("x86_64", name).detection
        assert detection.cpuid is not None
        leaf, register, bit = detection.cpuid
        words |= {name} if detection.cpuinfo in said else set()
        bits |= {name} if registers[leaf][register] >> bit & 1 else set()
    assert words
    assert words <= bits  # a kernel may leave out what it was told not to use
