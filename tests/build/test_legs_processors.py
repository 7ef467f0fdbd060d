"""Each leg's processors against what programs on them are told, and what programs get of an environment."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, process, toolchains
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cmaketool.toolchains import Invocation, Leg

    Build = Callable[[str, str], tuple[Leg, Path]]  # compiles a program for a leg, once

pytestmark = pytest.mark.build

RUNNING = [leg for leg in toolchains.legs() if leg.emulator.kind != "none"]
LEGS = [leg.name for leg in RUNNING]
WINDOWS = [leg.name for leg in RUNNING if leg.system_name == "Windows"]
PROCESSORS = {leg.name: [one.name for one in leg.emulator.processors] for leg in toolchains.legs()}

# Prints those of the features, named by their numbers, that Windows says the CPU has.
FEATURES = r"""
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (IsProcessorFeaturePresent((DWORD)atoi(argv[i]))) { printf("%s\n", argv[i]); }
    }
    return 0;
}
"""

# Does what no CPU can that lacks AES.
AESE = r"""
#if defined(_MSC_VER) && !defined(__clang__)
#include <arm64_neon.h>
#else
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("aes"))), apply_to = function)
#endif
int main(int argc, char **argv)
{
    unsigned char block[16] = {0};
    (void)argv;
    block[0] = (unsigned char)argc;
    vst1q_u8(block, vaeseq_u8(vld1q_u8(block), vld1q_u8(block)));
    return block[0];
}
#ifdef __clang__
#pragma clang attribute pop
#endif
"""

# Prints its arguments, and what it finds of the variables that they name.
WORDS = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = getenv(argv[i]);
        printf("%s%s\n", value == NULL ? "no " : "", value == NULL ? argv[i] : value);
    }
    return 3;
}
"""

# Prints the word that the system gives to programs.
HWCAP = r"""
#include <stdio.h>
#include <sys/auxv.h>
int main(void) { printf("%lx\n", getauxval(16)); return 0; }
"""

# Prints whether the ymm registers may be used, and for each leaf named what the CPU answers in ebx and ecx.
CPUID = r"""
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0, low = 0, high = 0;
    __cpuid(1, eax, ebx, ecx, edx);
    if (ecx & (1u << 27)) { __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); }
    printf("%d\n", (low & 6) == 6 && (ecx & (1u << 28)) != 0);
    for (int i = 1; i < argc; i++) {
        if (!__get_cpuid_count((unsigned)atoi(argv[i]), 0, &eax, &ebx, &ecx, &edx)) { ebx = ecx = 0; }
        printf("%x %x\n", ebx, ecx);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    legs: dict[str, Leg] = {}
    programs: dict[tuple[str, str], Path] = {}

    def build(name: str, source: str) -> tuple[Leg, Path]:
        folder = tmp_path_factory.mktemp(name)
        if name not in legs:
            legs[name] = leg_or_skip(name, folder / "leg")
            legs[name].warm()
        leg = legs[name]
        if (name, source) not in programs:
            (folder / "program.c").write_text(source, encoding="utf-8")
            programs[name, source] = compiled(leg, folder)
        return leg, programs[name, source]

    return build


def compiled(leg: Leg, folder: Path) -> Path:
    """Make a program of program.c in `folder`."""
    if leg.file.system_name == "Windows":  # as CMake does it: objects by the compiler, programs by the linker
        subprocess.run(
            [str(leg.compiler), "/nologo", "/O2", "/MD", "/c", "program.c"], cwd=folder, check=True
        )
        linker = leg.compiler.parent / "link"
        subprocess.run([str(linker), "/nologo", "/out:program.exe", "program.obj"], cwd=folder, check=True)
        return folder / "program.exe"
    command = [str(leg.compiler), str(folder / "program.c"), "-o", str(folder / "program")]
    command += [f"--target={leg.file.target}"] if leg.file.target else []
    command += ["-static"] if leg.file.system_name else []
    subprocess.run(command, check=True)
    return folder / "program"


def run(call: Invocation) -> process.Result:
    return process.run(call.words, env={**os.environ, **call.environment}, timeout=60)


def printed(call: Invocation) -> str:
    result = run(call)
    assert (result.returncode, result.errors) == (0, "")
    return result.output


def told_by_word(output: str) -> set[str]:
    word, features = int(output, 16), catalogue.load().isas["arm64"].features
    bits = {name: one.detection.hwcap for name, one in features.items()}
    return {name for name, bit in bits.items() if bit is not None and word >> bit & 1}


def told_by_cpu(leg: Leg, program: Path) -> set[str]:
    places = {name: one.detection for name, one in catalogue.load().isas["x86_64"].features.items()}
    leaves = sorted({one.cpuid[0] for one in places.values() if one.cpuid is not None})
    ymm, *lines = printed(leg.invoke(program, [str(leaf) for leaf in leaves])).splitlines()
    answers = {
        leaf: [int(word, 16) for word in line.split()] for leaf, line in zip(leaves, lines, strict=True)
    }
    found = set()
    for name, one in places.items():
        assert one.cpuid is not None
        leaf, register, bit = one.cpuid
        if answers[leaf][["ebx", "ecx"].index(register)] >> bit & 1 and (ymm == "1" or not one.ymm):
            found.add(name)
    return found


def told_by_windows(leg: Leg, program: Path, processor: str) -> set[str]:
    features = catalogue.load().isas["arm64"].features
    numbers = sorted({number for one in features.values() for number in one.detection.windows})
    call = leg.invoke(program, [str(number) for number in numbers], processor=processor)
    has = {int(line) for line in printed(call).splitlines()}
    return {
        name
        for name, one in features.items()
        if one.detection.windows and has.issuperset(one.detection.windows)
    }


@pytest.mark.parametrize(
    ("name", "processor"), [(name, one) for name in LEGS for one in PROCESSORS[name] or ["host"]]
)
def test_features_are_what_programs_are_told(built: Build, name: str, processor: str) -> None:
    leg, _ = built(name, WORDS)
    (features,) = (one.features for one in leg.processors if one.name == processor)
    if features is None:
        assert (name, sys.platform) != ("native", "linux")
    elif name in WINDOWS:
        assert features == told_by_windows(*built(name, FEATURES), processor)
    elif leg.facts.architectures == ("x86_64",):
        assert features == told_by_cpu(*built(name, CPUID))
    else:
        _, program = built(name, HWCAP)
        assert features == told_by_word(printed(leg.invoke(program, processor=processor)))


@pytest.mark.parametrize("name", WINDOWS)
def test_a_processor_of_windows_executes_what_it_has(built: Build, name: str) -> None:
    leg, program = built(name, AESE)
    for processor in ("all", "crypto"):
        assert run(leg.invoke(program, processor=processor)).returncode == 0x63  # FIPS 197: S-box of 0
    result = run(leg.invoke(program, processor="none"))
    assert result.returncode == 125
    assert "aese" in result.errors


def test_the_first_processor_is_the_usual_one(built: Build) -> None:
    leg, program = built("gcc-12-aarch64-linux-gnu", HWCAP)
    first, other, _ = (leg.invoke(program, processor=one.name) for one in leg.processors)
    assert printed(leg.invoke(program)) == printed(first) != printed(other)


@pytest.mark.parametrize("word", [0, 1 << 3, (1 << 63) | 5])
def test_a_capability_word_is_answered(built: Build, word: int) -> None:
    leg, program = built("zig-aarch64-linux-musl", HWCAP)
    assert printed(leg.invoke(program, hwcap=word)) == f"{word:x}\n"


@pytest.mark.parametrize("name", LEGS)
def test_what_programs_get_of_an_environment(
    built: Build, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEGS_OUTER", "outer")
    monkeypatch.setenv("LEGS_GONE", "not gone")
    leg, program = built(name, WORDS)
    environment = {"LEGS_SET": "a 'b' $c=d", "LEGS_EMPTY": "", "LEGS_OUTER": "inner", "LEGS_GONE": None}
    call = leg.invoke(program, list(environment), environment=environment)
    result = run(call)
    assert (result.returncode, result.errors) == (3, "")
    assert result.output == "a 'b' $c=d\n\ninner\nno LEGS_GONE\n"
    assert run(leg.invoke(program, ["LEGS_SET"])).output == "no LEGS_SET\n"
    monkeypatch.delenv("LEGS_GONE")
    again = process.run(["sh", "-c", call.line], timeout=60)
    assert (again.returncode, again.output) == (3, result.output)
