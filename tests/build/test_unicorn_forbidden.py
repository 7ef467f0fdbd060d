"""The emulator as a CPU that lacks something, and as a certain one: forbidden instructions, MIDR_EL1."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue
from cmaketool.toolchains import aarch64_code, aarch64_elf
from cmaketool.toolchains.unicorn_aarch64 import DEFAULT_HWCAP, HWCAP, Machine
from tests.support import leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.toolchains import Leg

pytestmark = pytest.mark.build

ARM64 = catalogue.load().isas["arm64"].features

# Each function holds one feature's instructions; `narrow` the polynomial product that every arm64 has. `data`
# holds words that are aese and eor3, among code.
PROGRAM = r"""
#include <arm_neon.h>
#include <stdio.h>
#include <string.h>

#define ALONE __attribute__((noinline, target("aes,sha2,sha3")))
static unsigned char bytes[64];

ALONE void aes(void)
{
    uint8x16_t x = vaesmcq_u8(vaeseq_u8(vld1q_u8(bytes), vld1q_u8(bytes + 16)));
    vst1q_u8(bytes, vaesimcq_u8(vaesdq_u8(x, vld1q_u8(bytes + 32))));
}
ALONE void pmull(void)
{
    poly64x2_t x = vreinterpretq_p64_u8(vld1q_u8(bytes));
    vst1q_u8(bytes, vreinterpretq_u8_p128(vmull_p64(vgetq_lane_p64(x, 0), 0x87)));
    vst1q_u8(bytes + 16, vreinterpretq_u8_p128(vmull_high_p64(x, x)));
}
ALONE void narrow(void)
{
    poly8x16_t x = vreinterpretq_p8_u8(vld1q_u8(bytes));
    vst1q_u8(bytes, vreinterpretq_u8_p16(vmull_p8(vget_low_p8(x), vget_high_p8(x))));
    vst1q_u8(bytes + 16, vreinterpretq_u8_p16(vmull_high_p8(x, x)));
}
ALONE void sha2(void)
{
    uint32x4_t x = vreinterpretq_u32_u8(vld1q_u8(bytes));
    vst1q_u8(bytes, vreinterpretq_u8_u32(vsha256hq_u32(x, x, x)));
}
ALONE void sha3(void)
{
    uint8x16_t x = vld1q_u8(bytes);
    vst1q_u8(bytes, veor3q_u8(x, x, vld1q_u8(bytes + 16)));
}
__attribute__((noinline)) void data(void)
{
    __asm__ volatile("b 1f\n .inst 0x4e284820, 0xce020c20\n1:" ::: "memory");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "aes") == 0) aes();
        if (strcmp(argv[i], "pmull") == 0) pmull();
        if (strcmp(argv[i], "narrow") == 0) narrow();
        if (strcmp(argv[i], "sha2") == 0) sha2();
        if (strcmp(argv[i], "sha3") == 0) sha3();
        if (strcmp(argv[i], "data") == 0) data();
        printf("%s\n", argv[i]);
    }
    return bytes[63];
}
"""

# What the system register says, the word, and that another register is as it was.
MIDR = r"""
#include <stdio.h>
#include <sys/auxv.h>
int main(void)
{
    unsigned long midr, features, thread;
    __asm__ volatile("mrs %0, midr_el1" : "=r"(midr));
    __asm__ volatile("mrs %0, id_aa64isar0_el1" : "=r"(features));
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(thread));
    printf("%lx %lx %lx %lx\n", midr, getauxval(16), features, thread);
    return 0;
}
"""


@pytest.fixture(scope="module")
def leg(tmp_path_factory: pytest.TempPathFactory) -> Leg:
    leg = leg_or_skip("zig-aarch64-linux-musl", tmp_path_factory.mktemp("leg"))
    leg.warm()
    return leg


def compiled(compiler: str | Path, source: str, folder: Path) -> Path:
    (folder / "program.c").write_text(source, encoding="utf-8")
    command = [str(compiler), "-O2", "-static", str(folder / "program.c"), "-o", str(folder / "program")]
    subprocess.run(command, check=True)
    return folder / "program"


@pytest.fixture(scope="module")
def program(leg: Leg, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(leg.compiler, PROGRAM, tmp_path_factory.mktemp("program"))


def run(words: list[str]) -> tuple[int, str, str]:
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def all_but(*features: str) -> list[str]:
    return sorted({word for name in set(ARM64) - set(features) for word in ARM64[name].mnemonics})


@pytest.mark.parametrize("feature", ["aes", "pmull", "sha2", "sha3"])
def test_a_forbidden_instruction_ends_the_program(leg: Leg, program: Path, feature: str) -> None:
    call = leg.invoke(program, ["data", feature, "after"], forbid=sorted(ARM64[feature].mnemonics))
    code, output, errors = run(call.words)
    first = {"aes": "aese", "pmull": "pmull", "sha2": "sha256h", "sha3": "eor3"}[feature]
    assert (code, output) == (125, "data\n")
    assert re.fullmatch(
        rf"unicorn_aarch64: {first} is forbidden, at pc 0x[0-9a-f]+ in {feature}\+0x[0-9a-f]+\n", errors
    )
    image = aarch64_elf.load(program)
    assert int(errors.split()[6], 16) in image.addresses(feature)


@pytest.mark.parametrize("feature", ["aes", "pmull", "narrow", "sha2", "sha3", "data"])
def test_what_is_not_executed_or_not_forbidden_does_not_matter(leg: Leg, program: Path, feature: str) -> None:
    call = leg.invoke(program, [feature, "after"], forbid=all_but(feature))
    assert run(call.words) == (0, f"{feature}\nafter\n", "")


def test_forbidden_are_the_mnemonics_and_no_others(leg: Leg, program: Path) -> None:
    call = leg.invoke(program, ["aes"], forbid=["aesimc"])
    code, _, errors = run(call.words)
    assert (code, errors.split()[1]) == (125, "aesimc")
    for harmless in (["no_such_instruction"], ["", "sha1c"], ["AESX", "aes"]):
        assert run(leg.invoke(program, ["aes"], forbid=harmless).words) == (0, "aes\n", "")
    code, _, errors = run(leg.invoke(program, ["aes"], forbid=["", "AESE"]).words)
    assert (code, errors.split()[1]) == (125, "aese")


def test_more_places_than_ranges(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cmaketool.toolchains.aarch64_cpu._MOST_RANGES", 1)
    image = aarch64_elf.load(program)
    (_,) = aarch64_code.spans(aarch64_code.places(image.segments, all_but("sha2")), 1)
    end = Machine(image, ["program", "sha2", "narrow"], forbid=all_but("sha2")).run()
    assert (end.code, end.message) == (0, None)
    end = Machine(image, ["program", "sha2", "sha3"], forbid=all_but("sha2")).run()
    assert (end.code, (end.message or "").split()[0]) == (125, "eor3")


def test_read_only_data_among_code_is_not_executed(tmp_path: Path) -> None:
    """GNU ld puts constants into the executable segment; those of `data` are instructions by their bits."""
    source = PROGRAM.replace("aes,sha2,sha3", "arch=armv8.2-a+crypto+sha3")
    program = compiled(require_tool("aarch64-linux-gnu-gcc"), source, tmp_path)
    image = aarch64_elf.load(program)
    found = aarch64_code.places(image.segments, all_but())
    assert [name for at, name in found.items() if at in image.addresses("data")] == ["aese", "eor3"]
    end = Machine(image, ["program", "narrow", "data"], forbid=all_but()).run()
    assert (end.code, end.message) == (0, None)
    end = Machine(image, ["program", "aes"], forbid=all_but()).run()
    assert re.fullmatch(r"aese is forbidden, at pc 0x[0-9a-f]+ in aes\+0x[0-9a-f]+", end.message or "")


@pytest.fixture(scope="module")
def midr(leg: Leg, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(leg.compiler, MIDR, tmp_path_factory.mktemp("midr"))


def registers(leg: Leg, program: Path, *options: str) -> list[int]:
    command = leg.invoke(program).words
    code, output, errors = run([*command[:-1], *options, command[-1]])
    assert (code, errors) == (0, "")
    return [int(word, 16) for word in output.split()]


@pytest.mark.parametrize(
    ("options", "answer", "word"),
    [
        (("--midr", "0x610f0230"), 0x610F0230, DEFAULT_HWCAP | 1 << 11),
        (("--midr", "1", "--hwcap", "0x3"), 1, 0x3),
        (("--hwcap", "0", "--midr", "0xffffffffffffffff"), 0xFFFFFFFFFFFFFFFF, 0),
    ],
)
def test_midr(leg: Leg, midr: Path, options: tuple[str, ...], answer: int, word: int) -> None:
    _, usual_word, *others = registers(leg, midr)
    assert usual_word == DEFAULT_HWCAP
    assert registers(leg, midr, *options) == [answer, word, *others]
    assert all(others)


def test_the_words_bits_are_those_of_the_catalogue() -> None:
    bits = {name: 1 << bit for name, one in ARM64.items() if (bit := one.detection.hwcap) is not None}
    assert {name: HWCAP[name] for name in bits} == bits
