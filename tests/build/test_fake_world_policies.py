"""What is worth using: policies by the maker and part of the cores, and what may be read to know them."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.build.worlds import COMPILERS, PAIRS, SYSTEMS, Compiler, Program, Worlds, decode, shared
from tests.support import require_tool

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.build

CPUID_READABLE = 1 << 11
EVERY = sum(1 << bit for bit in (3, 4, 5, 6, 17, 21))
FEATURES = {"aes", "pmull", "sha1", "sha2", "sha512", "sha3"}
OLDER, DENIED, FINE = 0x530F0010, 0x531F0020, 0x410FD051  # implementer 0x53, parts 1 and 2; 0x41, part 0xd05


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return shared(tmp_path_factory.getbasetemp())


@pytest.fixture
def linux(worlds: Worlds) -> Program:
    """Linux on arm64, its /sys being the folder `tree` where the program runs."""
    return worlds.program("gcc-arm64", "linux", '-DPOL_CPU_SYSFS="tree"')


def midr(implementer: int, part: int, variant: int = 0, revision: int = 0) -> int:
    return implementer << 24 | variant << 20 | 0xF << 16 | part << 4 | revision


def policies(program: Program, folder: Path, word: int, core: int, *more: str) -> set[str]:
    """Return the policies in the word; all features must stand in it."""
    said = program.ask(f"hwcap={word}", f"midr={core}", *more, "features", folder=folder)
    (found,) = said.words("features")
    names = decode(program.isa, found)
    assert names >= FEATURES
    return names - FEATURES


# The register


@pytest.mark.parametrize(
    ("core", "found"),
    [
        pytest.param(midr(0x61, 0x022), {"fast_sha3", "trusted"}, id="apple-0x022[B43]"),
        pytest.param(midr(0x61, 0x032, 1, 1), {"fast_sha3", "trusted"}, id="apple-0x032[B43]"),
        pytest.param(midr(0x61, 0xFFF, 15, 15), {"fast_sha3", "trusted"}, id="apple-unheard-of[B43]"),
        pytest.param(midr(0x41, 0xD0C), {"early", "trusted"}, id="arm-part-listed[B43]"),
        pytest.param(midr(0x41, 0xD08, 15, 15), {"early", "trusted"}, id="arm-part-listed-any-revision[B43]"),
        pytest.param(midr(0x41, 0xD0B), {"trusted"}, id="arm-part-not-listed[B43]"),
        pytest.param(midr(0x51, 0xD0C), {"trusted"}, id="qualcomm-with-arms-part[B43]"),
        pytest.param(midr(0x51, 0x001), {"trusted"}, id="qualcomm[B43]"),
        pytest.param(midr(0xC0, 0xAC3), {"early", "trusted"}, id="ampere[B43]"),
        pytest.param(midr(0xC0, 0x000), {"early", "trusted"}, id="ampere-any-part[B43]"),
        pytest.param(midr(0x53, 0x002), set(), id="denied-part[B50]"),
        pytest.param(midr(0x53, 0x003), {"trusted"}, id="other-part-of-the-denied-maker[B50]"),
        pytest.param(midr(0x61, 0x022) | 0xFFFF_FFFF << 32, {"fast_sha3", "trusted"}, id="upper-half[B43]"),
    ],
)
def test_the_running_core(linux: Program, tmp_path: Path, core: int, found: set[str]) -> None:
    assert policies(linux, tmp_path, EVERY | CPUID_READABLE, core) == found


@pytest.mark.parametrize("core", [pytest.param(midr(0x61, 0x022), id="apple[B43]")])
def test_no_register_is_read_without_permission(linux: Program, tmp_path: Path, core: int) -> None:
    assert policies(linux, tmp_path, EVERY, core) == {"trusted"}
    said = linux.ask(
        f"hwcap={EVERY}", f"midr={core}", "features", "decide", "report", "asked", folder=tmp_path
    )
    assert said.lines[-1].startswith("asked mrs=0 ")
    allowed = EVERY | CPUID_READABLE
    said = linux.ask(f"hwcap={allowed}", f"midr={core}", "features", "asked", folder=tmp_path)
    assert not said.lines[-1].startswith("asked mrs=0 ")


@pytest.mark.parametrize(
    "maker", [pytest.param(one, id=f"{one:#x}[B43]") for one in (0x41, 0x51, 0xC0)]
)  # fmt: skip
def test_others_take_sha3_when_asked_to(linux: Program, tmp_path: Path, maker: int) -> None:
    core = midr(maker, 0x123)
    word = f"hwcap={EVERY | CPUID_READABLE}"
    said = linux.ask(word, f"midr={core}", "call", "report", folder=tmp_path)
    assert said.calls[0]["sha3"] == "portable,portable"
    assert "fast_sha3" not in said.report["policy"]
    value = b"+fast_sha3".hex()
    said = linux.ask(word, f"midr={core}", f"env={value}", "call", "report", folder=tmp_path)
    assert said.calls[0]["sha3"] == "arm64,arm64"
    assert "fast_sha3" in said.report["policy"].split()
    assert said.report["override"] == 'applied "+fast_sha3"'
    assert "sha3=arm64" in said.report["selected"].split()


@pytest.mark.parametrize("names", ["armv8_2_sha", "arm.FEAT_SHA"])
def test_apple_takes_sha3_unless_told_otherwise(worlds: Worlds, names: str) -> None:
    program = worlds.program("clang-arm64", "apple")
    answers = [f"sysctl=hw.optional.{names}{size},4,1" for size in ("512", "3")]
    assert program.ask(*answers, "call").calls[0]["sha3"] == "arm64,arm64"
    value = b"-fast_sha3".hex()
    said = program.ask(*answers, f"env={value}", "call", "report")
    assert said.calls[0]["sha3"] == "portable,portable"
    assert "sha3" in said.report["features"].split()


def test_a_policy_stands_only_beside_its_features(linux: Program, tmp_path: Path) -> None:
    without_sha3 = EVERY & ~(1 << 17) | CPUID_READABLE
    said = linux.ask(f"hwcap={without_sha3}", f"midr={midr(0x61, 0x22)}", "features", folder=tmp_path)
    assert decode("arm64", said.words("features")[0]) == FEATURES - {"sha3"} | {"trusted"}


# What is compiled


@pytest.mark.parametrize(
    ("compiler", "system"),
    [
        *(pytest.param(one, system, id=f"{one.name}-{system}[B43]") for one, system in PAIRS),
        pytest.param(COMPILERS["gcc-arm64"], "unknown", id="gcc-arm64-unknown[B43]"),
    ],
)
def test_only_linux_has_the_instruction(worlds: Worlds, compiler: Compiler, system: str) -> None:
    sources = worlds.render("unknown-allowed", "none")
    command = [*compiler.command, *SYSTEMS[system].flags, *worlds.includes(system, compiler.isa)]
    require_tool(command[0])
    done = subprocess.run(
        [*command, "-E", "-P", str(sources / "policies_cpu.c")], capture_output=True, text=True, check=True
    )
    times = len(re.findall(r"\b(?:mrs|msr)\b", done.stdout))
    assert times == (1 if compiler.isa == "arm64" and system in {"linux", "android", "other"} else 0)


# Every core of the machine


def tree(folder: Path, cores: Mapping[int, str | int | None]) -> None:
    """Write a /sys: by core its register's value, another text, or (None) nothing readable."""
    for number, content in cores.items():
        place = folder / "tree" / f"cpu{number}" / "regs" / "identification"
        place.mkdir(parents=True)
        if content is None:
            (place / "midr_el1").mkdir()
        else:
            text = f"0x{content:016x}\n" if isinstance(content, int) else content
            (place / "midr_el1").write_text(text, encoding="utf-8")


EIGHT: dict[int, str | int | None] = dict.fromkeys(range(8), FINE)


@pytest.mark.parametrize(
    ("cores", "trusted"),
    [
        pytest.param(EIGHT, True, id="eight-fine[B50]"),
        pytest.param(EIGHT | {4: OLDER}, False, id="core-4-older[B50]"),
        pytest.param(EIGHT | {4: DENIED}, False, id="core-4-other-part[B50]"),
        pytest.param(EIGHT | {0: OLDER}, False, id="core-0[B50]"),
        pytest.param(EIGHT | {7: OLDER}, False, id="core-7[B50]"),
        pytest.param(EIGHT | {4: None}, True, id="core-4-unreadable[B50]"),
        pytest.param(EIGHT | {3: None, 4: OLDER}, False, id="the-one-before-unreadable[B50]"),
        pytest.param(EIGHT | {0: None, 4: OLDER}, False, id="the-first-unreadable[B50]"),
        pytest.param({0: FINE, 2: FINE, 5: OLDER}, False, id="holes[B50]"),
        pytest.param({1: FINE, 6: OLDER}, False, id="no-core-0[B50]"),
        pytest.param({0: FINE, 63: OLDER}, False, id="a-large-hole[B50]"),
        pytest.param(EIGHT | {4: ""}, True, id="empty[B50]"),
        pytest.param(EIGHT | {4: "what?\n"}, True, id="no-number[B50]"),
        pytest.param(EIGHT | {4: f"{OLDER:x}"}, False, id="no-prefix-no-newline[B50]"),
        pytest.param(EIGHT | {4: f"0x{OLDER:016X}\n"}, False, id="upper-case[B50]"),
        pytest.param(EIGHT | {4: "0" * 5000}, True, id="long[B50]"),
    ],
)
def test_a_denied_core_anywhere(
    linux: Program, tmp_path: Path, cores: Mapping[int, str | int | None], trusted: bool
) -> None:
    tree(tmp_path, cores)
    found = policies(linux, tmp_path, EVERY | CPUID_READABLE, FINE)
    assert found == ({"trusted"} if trusted else set())


@pytest.mark.parametrize(
    "cores", [pytest.param({}, id="none[B50]"), pytest.param({0: None}, id="unreadable[B50]")]
)
def test_without_the_files_the_running_core_speaks(
    linux: Program, tmp_path: Path, cores: Mapping[int, str | int | None]
) -> None:
    tree(tmp_path, cores)
    assert policies(linux, tmp_path, EVERY | CPUID_READABLE, FINE) == {"trusted"}
    assert policies(linux, tmp_path, EVERY | CPUID_READABLE, DENIED) == set()
    assert policies(linux, tmp_path, EVERY, DENIED) == {"trusted"}  # nothing may be read, nothing is known


@pytest.mark.parametrize("value", [pytest.param("-sha512", id="B50")])
def test_one_feature_goes_without_a_rebuild(linux: Program, tmp_path: Path, value: str) -> None:
    word = f"hwcap={EVERY}"
    assert linux.ask(word, "call", folder=tmp_path).calls[0]["digest"] == "sha512"
    said = linux.ask(word, f"env={value.encode().hex()}", "call", "features", folder=tmp_path)
    assert said.calls[0]["digest"] == "sha2"
    assert said.calls[0]["ghash"] == "arm64"
    assert decode("arm64", said.words("features")[0]) == FEATURES - {"sha512", "sha3"}
