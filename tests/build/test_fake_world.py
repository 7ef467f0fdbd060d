"""Detection on machines that are not here: each system's own way of asking, answered by a fake of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.build.worlds import Answer, Program, Worlds, decode, shared

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.build

# Linux's ABI, arch/arm64/include/uapi/asm/hwcap.h; here by hand, so that the catalogue is held to it too.
HWCAP = {"aes": 3, "pmull": 4, "sha1": 5, "sha2": 6, "sha3": 17, "sha512": 21}
CPUID_READABLE = 1 << 11
EVERY = sum(1 << bit for bit in HWCAP.values())
CRYPTO = {"aes", "pmull", "sha1", "sha2"}

# CPUID: leaf 1 ECX, leaf 7 EBX and ECX.
PCLMUL, SSSE3, SSE41, AES, OSXSAVE, AVX = (1 << bit for bit in (1, 9, 19, 25, 27, 28))
AVX2, VAES = 1 << 5, 1 << 9
OLD = {"aes", "pclmul", "ssse3", "sse4.1"}
NEW = {*OLD, "avx2", "vaes", "wide"}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return shared(tmp_path_factory.getbasetemp())


def features(program: Program, *answers: str) -> set[str]:
    """Return the names in the word, which all three ways of asking must agree on."""
    said = program.ask(*answers, "features", "word", "fill", "decide")
    (word,), (kept,), (again,), (decision,) = (
        said.words("features"),
        said.words("word"),
        said.words("fill"),
        said.decisions,
    )
    assert word == kept == again == decision.decided == decision.detected
    assert said.errors == []
    return decode(program.isa, word)


def hwcap(*names: str) -> int:
    return sum(1 << HWCAP[name] for name in names)


def asked(said: Answer, what: str) -> list[str]:
    """Return what the driver says was asked: the number of reads of a register, or names for sysctl."""
    (line,) = (line for line in said.lines if line.startswith("asked "))
    found = re.search(rf" {what}=([^=]*)(?: \w+=|$)", line)
    assert found is not None
    return found[1].split()


# Linux

LINUX = [
    pytest.param(0, set(), id="nothing[B42]"),
    pytest.param(EVERY, {*HWCAP, "trusted"}, id="all[B42]"),
    pytest.param(~EVERY & 0xFFFF_FFFF & ~CPUID_READABLE, set(), id="all-others[B42]"),
    pytest.param(hwcap("aes"), {"aes"}, id="aes-3[B42]"),
    pytest.param(hwcap("aes", "pmull"), {"aes", "pmull"}, id="pmull-4[B42]"),
    pytest.param(hwcap("sha1"), {"sha1"}, id="sha1-5[B42]"),
    pytest.param(hwcap("sha1", "sha2"), {"sha1", "sha2"}, id="sha2-6[B42]"),
    pytest.param(hwcap("sha1", "sha2", "sha512"), {"sha1", "sha2", "sha512", "trusted"}, id="sha512-21[B42]"),
    pytest.param(hwcap("sha1", "sha2", "sha512", "sha3"), {"sha1", "sha2", "sha512", "sha3", "trusted"},
                 id="sha3-17[B42]"),
    pytest.param(hwcap("pmull"), set(), id="pmull-without-aes"),
    pytest.param(hwcap("sha1", "sha2", "sha3"), {"sha1", "sha2"}, id="sha3-without-sha512"),
]  # fmt: skip


@pytest.mark.parametrize("flags", [(), ("-DFAKE_CONSTANTS",)], ids=["no-constants", "constants"])
@pytest.mark.parametrize(("word", "found"), LINUX)
def test_linux(worlds: Worlds, flags: tuple[str, ...], word: int, found: set[str]) -> None:
    program = worlds.program("gcc-arm64", "linux", *flags)
    assert features(program, f"hwcap={word}") == found


@pytest.mark.parametrize(("compiler", "system"), [("clang-arm64", "android"), ("gcc-arm64", "other")])
def test_linux_by_other_names_and_compilers(worlds: Worlds, compiler: str, system: str) -> None:
    assert features(worlds.program(compiler, system), f"hwcap={EVERY}") == {*HWCAP, "trusted"}


# macOS

OLD_NAMES = ("hw.optional.armv8_2_sha512", "hw.optional.armv8_2_sha3")
NEW_NAMES = ("hw.optional.arm.FEAT_SHA512", "hw.optional.arm.FEAT_SHA3")
ALL_OF_APPLE = {*HWCAP, "fast_sha3", "trusted"}


def sysctl(names: Iterable[str], size: int = 4, value: int = 1) -> list[str]:
    return [f"sysctl={name},{size},{value}" for name in names]


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        pytest.param(sysctl(OLD_NAMES), ALL_OF_APPLE, id="old-names[B48]"),
        pytest.param(sysctl(NEW_NAMES), ALL_OF_APPLE, id="new-names[B48]"),
        pytest.param(sysctl((*OLD_NAMES, *NEW_NAMES)), ALL_OF_APPLE, id="both[B48]"),
        pytest.param([], CRYPTO, id="no-name[B48]"),
        pytest.param(sysctl(NEW_NAMES, 8), ALL_OF_APPLE, id="8-bytes[B48]"),
        pytest.param(sysctl(OLD_NAMES, 8), ALL_OF_APPLE, id="8-bytes-old[B48]"),
        pytest.param(sysctl((*OLD_NAMES, *NEW_NAMES), 4, 0), CRYPTO, id="says-no[B48]"),
        pytest.param(sysctl((*OLD_NAMES, *NEW_NAMES), 8, 0), CRYPTO, id="says-no-8-bytes[B48]"),
        pytest.param(sysctl(NEW_NAMES[1:]), CRYPTO, id="sha3-without-sha512[B48]"),
        pytest.param(sysctl(NEW_NAMES[:1]), {*CRYPTO, "sha512", "trusted"}, id="sha512-without-sha3[B48]"),
        pytest.param(sysctl(["machdep.cpu.brand_string"], 8, 0x314D), CRYPTO, id="brand[B48]"),
    ],
)
@pytest.mark.parametrize("compiler", ["gcc-arm64", "clang-arm64"])
def test_apple(worlds: Worlds, compiler: str, answers: list[str], found: set[str]) -> None:
    program = worlds.program(compiler, "apple")
    assert features(program, *answers) == found
    names = asked(program.ask(*answers, "features", "asked"), "sysctl")
    assert set(names) <= {*OLD_NAMES, *NEW_NAMES}


# Windows


@pytest.mark.parametrize(
    ("present", "found"),
    [
        pytest.param([30], CRYPTO, id="30[B49]"),
        pytest.param([30, 64, 65], {*HWCAP, "trusted"}, id="30-64-65[B49]"),
        pytest.param([30, 64], CRYPTO, id="64-without-65[B49]"),
        pytest.param([30, 65], {*CRYPTO, "sha512", "trusted"}, id="65-without-64[B49]"),
        pytest.param([64, 65], set(), id="64-65-without-30[B49]"),
        pytest.param([], set(), id="none[B49]"),
        pytest.param([3, 10, 31, 34, 43, 66], set(), id="others[B49]"),
    ],
)
@pytest.mark.parametrize(("compiler", "system"), [("clang-arm64", "windows"), ("gcc-arm64", "cl")])
def test_windows(worlds: Worlds, compiler: str, system: str, present: list[int], found: set[str]) -> None:
    program = worlds.program(compiler, system)
    assert features(program, *(f"present={one}" for one in present)) == found


# BSD


@pytest.mark.parametrize("system", ["freebsd", "openbsd"])
def test_bsd(worlds: Worlds, system: str) -> None:
    program = worlds.program("clang-arm64", system)
    assert features(program, f"hwcap={EVERY}") == {*HWCAP, "trusted"}
    assert features(program, f"hwcap={hwcap(*CRYPTO)}") == CRYPTO
    assert features(program, "hwcap=0") == set()


# x86-64


def cpuid(last: int, leaf1: int, leaf7_ebx: int = 0, leaf7_ecx: int = 0, xcr0: int = 7) -> list[str]:
    return [
        f"cpuid=0,{last:x},0,0,0",
        f"cpuid=1,0,0,{leaf1:x},0",
        f"cpuid=7,0,{leaf7_ebx:x},{leaf7_ecx:x},0",
        f"xcr0={xcr0}",
    ]


ALL = 0xFFFF_FFFF
SSE = AES | PCLMUL | SSSE3 | SSE41
X86 = [
    pytest.param(cpuid(0x20, SSE | OSXSAVE | AVX, AVX2, VAES), NEW, "1", id="all"),
    pytest.param(cpuid(7, SSE | OSXSAVE | AVX, AVX2, VAES), NEW, "1", id="last-leaf-7"),
    pytest.param(cpuid(6, SSE | OSXSAVE | AVX, AVX2, VAES), OLD, None, id="last-leaf-6"),
    pytest.param(cpuid(1, SSE | OSXSAVE | AVX), OLD, None, id="last-leaf-1"),
    pytest.param(cpuid(0, 0), set(), "0", id="last-leaf-0"),
    pytest.param(cpuid(0x20, SSE | AVX, AVX2, VAES), OLD, "0", id="no-osxsave"),
    pytest.param(cpuid(0x20, SSE | OSXSAVE, AVX2, VAES), OLD, None, id="no-avx"),
    pytest.param(cpuid(0x20, SSE | OSXSAVE | AVX, AVX2, VAES, 3), OLD, "1", id="no-ymm"),
    pytest.param(cpuid(0x20, SSE | OSXSAVE | AVX, AVX2, VAES, 5), OLD, "1", id="ymm-without-xmm"),
    pytest.param(cpuid(0x20, SSE | OSXSAVE | AVX, 0, VAES), OLD, "1", id="vaes-without-avx2"),
    pytest.param(cpuid(0x20, SSE & ~SSE41 | OSXSAVE | AVX, AVX2, VAES), OLD - {"sse4.1"}, "1",
                 id="avx2-without-sse4.1"),
    pytest.param(cpuid(0x20, SSE & ~SSSE3 | OSXSAVE | AVX, AVX2, VAES), {"aes", "pclmul"}, "1",
                 id="sse4.1-without-ssse3"),
    pytest.param(cpuid(0x20, PCLMUL), {"pclmul"}, "0", id="pclmul-alone"),
    pytest.param(cpuid(0x20, ALL & ~(SSE | OSXSAVE), ALL & ~AVX2, ALL & ~VAES), set(), "0", id="all-others"),
]  # fmt: skip


@pytest.mark.parametrize(
    "where",
    [
        pytest.param((compiler, system), id=f"{compiler}-{system}")
        for compiler, system in (
            ("clang-x86_64", "linux"),
            ("clang-x86_64", "apple"),
            ("clang-x86_64", "windows"),
            ("clang-x86_64", "freebsd"),
            ("clang-x86_64", "unknown"),
            ("gcc-x86_64", "linux"),
            ("gcc-x86_64", "cl"),
        )
    ],
)
@pytest.mark.parametrize(("answers", "found", "xgetbv"), X86)
def test_x86_64(
    worlds: Worlds, where: tuple[str, str], answers: list[str], found: set[str], xgetbv: str | None
) -> None:
    program = worlds.program(*where)
    assert features(program, *answers) == found
    (times,) = asked(program.ask(*answers, "features", "asked"), "xgetbv")
    assert xgetbv is None or times == xgetbv


# What follows from it


@pytest.mark.parametrize(
    ("word", "selected"),
    [
        pytest.param(0, {}, id="nothing"),
        pytest.param(hwcap("aes"), {}, id="aes-without-pmull"),
        pytest.param(hwcap("aes", "pmull"), {"ghash": "arm64"}, id="aes-pmull"),
        pytest.param(hwcap(*CRYPTO), {"ghash": "arm64", "digest": "sha2"}, id="crypto"),
        pytest.param(EVERY, {"ghash": "arm64", "digest": "sha512"}, id="all"),
    ],
)
def test_the_choice_follows_the_word(worlds: Worlds, word: int, selected: dict[str, str]) -> None:
    said = worlds.program("gcc-arm64").ask(f"hwcap={word}", "call", "report")
    portable = dict.fromkeys(("ghash", "digest", "sha3", "first", "blocks"), "portable")
    report = dict(one.split("=") for one in said.report["selected"].split())
    assert report == portable | selected
    assert said.calls == [report | {"sha3": f"{report['sha3']},{report['sha3']}"}]


@pytest.mark.parametrize(
    ("compiler", "flags", "nothing"),
    [
        pytest.param("gcc-arm64", ("-march=armv8.2-a+crypto+sha3",), ["hwcap=0"], id="gcc-arm64[B44]"),
        pytest.param("clang-arm64", ("-march=armv8.2-a+aes+sha2+sha3",), ["hwcap=0"], id="clang-arm64[B44]"),
        pytest.param("gcc-x86_64", ("-maes", "-mpclmul", "-msse4.1"), cpuid(0x20, 0), id="gcc-x86_64[B44]"),
    ],
)
def test_what_the_compiler_may_use_says_nothing(
    worlds: Worlds, compiler: str, flags: tuple[str, ...], nothing: list[str]
) -> None:
    program = worlds.program(compiler, "linux", *flags)
    assert features(program, *nothing) == set()
    assert set(program.ask(*nothing, "call").calls[0].values()) == {"portable", "portable,portable"}
