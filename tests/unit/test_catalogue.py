from __future__ import annotations

import itertools
import re
from typing import get_args

import pytest

from cmaketool import catalogue
from cmaketool.catalogue import PROBE_PREFIX, Detection, Feature
from cmaketool.manifest import model

CATALOGUE = catalogue.load()
FEATURES = [
    pytest.param(isa, CATALOGUE.feature(isa, name), id=f"{isa}-{name}")
    for isa in CATALOGUE.isas
    for name in CATALOGUE.features(isa)
]


def test_it_is_read_once() -> None:
    assert catalogue.load() is CATALOGUE


def test_what_there_is() -> None:
    assert tuple(CATALOGUE.compilers) == ("gcc", "clang", "appleclang", "clang-cl", "msvc", "zig")
    assert tuple(CATALOGUE.architectures) == ("arm64", "arm64ec", "x86_64")
    assert CATALOGUE.features("arm64") == ("neon", "aes", "pmull", "sha1", "sha2", "sha512", "sha3")
    assert CATALOGUE.features("x86_64") == (
        "aes", "pclmul", "ssse3", "sse4.1", "sha", "avx2", "vaes", "vpclmulqdq",
    )  # fmt: skip


def test_a_manifest_may_name_all_of_it() -> None:
    assert get_args(model.CompilerName) == tuple(CATALOGUE.compilers)
    assert get_args(model.ArchitectureName) == tuple(CATALOGUE.architectures)
    assert get_args(model.IsaName) == tuple(CATALOGUE.isas)


@pytest.mark.parametrize(
    ("isa", "names", "closure"),
    [
        ("arm64", ["pmull"], ("aes", "pmull")),
        ("arm64", ["sha3"], ("sha1", "sha2", "sha3", "sha512")),
        ("arm64", ["sha2", "aes"], ("aes", "sha1", "sha2")),
        ("x86_64", ["vaes"], ("aes", "avx2", "sse4.1", "ssse3", "vaes")),
        ("x86_64", [], ()),
    ],
)
def test_closure(isa: str, names: list[str], closure: tuple[str, ...]) -> None:
    assert CATALOGUE.closure(isa, names) == closure


@pytest.mark.parametrize(
    ("isa", "compiler", "names", "flags"),
    [
        pytest.param("arm64", "gcc", ["aes"], ("-march=armv8-a+crypto",), id="gcc-aes[B20]"),
        pytest.param("arm64", "gcc", ["aes", "sha2"], ("-march=armv8-a+crypto",), id="gcc-aes-sha2[B20]"),
        pytest.param("arm64", "gcc", ["sha3"], ("-march=armv8.2-a+crypto+sha3",), id="gcc-sha3[B20]"),
        pytest.param("arm64", "clang", ["aes", "sha2"], ("-march=armv8-a+aes+sha2",), id="clang[B20]"),
        pytest.param("arm64", "clang-cl", ["aes"], ("-march=armv8-a+aes",), id="clang-cl[B12]"),
        pytest.param("arm64", "msvc", ["aes"], (), id="cl[B12]"),
        pytest.param("arm64", "zig", ["aes"], ("-mcpu=generic+aes",), id="zig"),
        pytest.param("x86_64", "gcc", ["pclmul", "aes"], ("-maes", "-mpclmul"), id="gcc-x86"),
        pytest.param("x86_64", "clang-cl", ["aes"], ("-maes",), id="clang-cl-x86"),
        pytest.param("x86_64", "msvc", ["aes"], (), id="cl-aes"),
        pytest.param("x86_64", "msvc", ["vaes"], ("/arch:AVX2",), id="cl-vaes"),
        pytest.param("x86_64", "zig", ["sse4.1"], ("-mcpu=x86_64+sse4_1+ssse3",), id="zig-x86"),
        pytest.param("x86_64", "gcc", [], (), id="none"),
    ],
)
def test_flags(isa: str, compiler: str, names: list[str], flags: tuple[str, ...]) -> None:
    assert CATALOGUE.flags(isa, compiler, names) == flags


@pytest.mark.parametrize(
    ("isa", "frontend", "names", "text"),
    [
        ("arm64", "gcc", ["aes", "pmull"], "+crypto"),
        ("arm64", "gcc", ["sha512"], "arch=armv8.2-a+crypto+sha3"),
        ("arm64", "clang", ["aes"], "aes"),
        ("arm64", "clang", ["sha3"], "sha2,sha3"),
        ("arm64", "msvc", ["aes"], None),
        ("x86_64", "gcc", ["aes", "pclmul"], "aes,pclmul"),
        ("x86_64", "clang", [], None),
    ],
)
def test_attribute(isa: str, frontend: str, names: list[str], text: str | None) -> None:
    assert CATALOGUE.attribute(isa, frontend, names) == text


@pytest.mark.parametrize(("isa", "feature"), FEATURES)
def test_every_entry_is_whole(isa: str, feature: Feature) -> None:
    known = CATALOGUE.features(isa)
    assert feature.summary
    assert (bool(feature.macros), bool(feature.mnemonics)) == 2 * (not feature.detection.always,)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*", mnemonic) for mnemonic in feature.mnemonics)
    assert set(feature.implies) < set(known)
    assert set(feature.minimum) <= set(CATALOGUE.compilers)
    vocabularies = {one.names for one in CATALOGUE.isas[isa].flags.values()} - {"msvc"}
    assert set(feature.names) >= (set() if feature.detection.always else vocabularies)
    assert set(feature.base) <= vocabularies


@pytest.mark.parametrize(
    ("isa", "names", "reduced"),
    [
        ("arm64", ["aes", "pmull"], ("pmull",)),
        ("arm64", ["sha3", "aes", "sha1"], ("sha3", "aes")),
        ("arm64", ["aes", "aes"], ("aes",)),
        ("x86_64", ["pclmul", "aes"], ("pclmul", "aes")),
        ("x86_64", ["avx2", "vaes", "ssse3"], ("vaes",)),
        ("arm64", [], ()),
    ],
)
def test_reduced(isa: str, names: list[str], reduced: tuple[str, ...]) -> None:
    assert CATALOGUE.reduced(isa, names) == reduced


@pytest.mark.parametrize(("isa", "feature"), FEATURES)
def test_what_is_implied_stands_first(isa: str, feature: Feature) -> None:
    """Bits are cleared in this order, and once is enough."""
    known = CATALOGUE.features(isa)
    assert all(known.index(one) < known.index(feature.name) for one in feature.implies)


@pytest.mark.parametrize(("isa", "feature"), FEATURES)
def test_every_system_can_be_asked_for_a_feature(isa: str, feature: Feature) -> None:
    detection = feature.detection
    assert re.fullmatch(r"[a-z0-9_]+", detection.cpuinfo)
    if detection.always:
        assert detection == Detection(detection.cpuinfo, always=True)
    elif isa == "arm64":
        assert detection.hwcap in range(64)
        assert detection.windows
        assert detection.apple_always is not bool(detection.apple)
        assert (detection.cpuid, detection.ymm) == (None, False)
    else:
        assert (detection.hwcap, detection.apple, detection.apple_always, detection.windows) == (
            None, (), False, (),
        )  # fmt: skip
        assert detection.cpuid is not None
        leaf, register, bit = detection.cpuid
        assert (leaf in (1, 7), register in ("ebx", "ecx", "edx"), bit in range(32)) == (True, True, True)
        assert detection.ymm is ("avx2" in CATALOGUE.closure(isa, [feature.name]))


@pytest.mark.parametrize("isa", CATALOGUE.isas)
def test_no_two_features_have_one_bit(isa: str) -> None:
    """Windows has one number for what the first Arm CPUs with any of these instructions all had."""
    asked = [CATALOGUE.feature(isa, name).detection for name in CATALOGUE.features(isa)]
    bits = [(one.hwcap, one.cpuid) for one in asked if not one.always]
    assert len(set(bits)) == len(bits)
    assert len({one.cpuinfo for one in asked}) == len(asked)


@pytest.mark.parametrize(("isa", "feature"), FEATURES)
def test_a_probe_is_one_function_of_its_own(isa: str, feature: Feature) -> None:
    names = re.findall(rf"^void ({PROBE_PREFIX}\w+)\(", feature.probe, re.MULTILINE)
    assert names == [PROBE_PREFIX + feature.name.replace(".", "_")] * 2  # its prototype, and itself
    assert "static" not in feature.probe


def test_instructions_and_their_features() -> None:
    assert CATALOGUE.providers("eor3") == (("arm64", "sha3"),)
    assert set(CATALOGUE.providers("vaesenc")) == {("x86_64", "aes"), ("x86_64", "vaes")}
    assert CATALOGUE.providers("add") == ()


@pytest.mark.parametrize("name", CATALOGUE.architectures)
def test_a_condition_is_one_expression(name: str) -> None:
    condition = CATALOGUE.architectures[name].condition
    assert condition.startswith("(")
    depths = itertools.accumulate({"(": 1, ")": -1}.get(one, 0) for one in condition)
    assert list(depths).index(0) == len(condition) - 1  # what opens first closes last
    assert "\n" not in condition
