"""What a leg should show follows from the manifest and the leg's facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue
from cmaketool.toolchains.model import Facts
from cmaketool.verify.evidence import Exhibits
from cmaketool.verify.expect import Surroundings, expect, true_variables
from cmaketool.verify.objects import ObjectFile
from cmaketool.verify.states import chains
from cmaketool.verify.units import units
from tests.unit.manifests import planned

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan

MANIFEST = """\
schema: 1
name: two
options:
  AES: {help: AES, requires: {compilers: [gcc, clang]}, conflicts: [NO_ASM]}
  SHA: {help: SHA, requires: {architectures: [arm64]}}
kernels:
  aes_arm:
    {option: AES, architecture: arm64, features: [aes], sources: [aes_arm.c], symbols: [a],
     minimum: {gcc: "12.1"}}
  aes_x86: {option: AES, architecture: x86_64, features: [aes], sources: [aes_x86.c], symbols: [b]}
  sha_arm: {option: SHA, architecture: arm64, features: [sha2], sources: [sha_arm.c], symbols: [c]}
"""


@pytest.fixture
def two(tmp_path: Path) -> Plan:
    return planned(tmp_path, MANIFEST, dict.fromkeys(("aes_arm.c", "aes_x86.c", "sha_arm.c"), ""))


def facts(*architectures: str, family: str = "gcc", version: str = "12.2") -> Surroundings:
    return Surroundings(Facts(architectures=architectures, family=family, version=version))


ON = {"TWO_AES": "ON", "TWO_SHA": "ON"}
AUTO = {"TWO_AES": "AUTO", "TWO_SHA": "AUTO"}


@pytest.mark.parametrize(
    ("around", "built", "refused"),
    [
        (facts("arm64"), {"aes_arm", "sha_arm"}, {}),
        (facts("x86_64"), {"aes_x86"}, {"TWO_SHA": {"sha_arm": "the target is x86_64; allowed: arm64"}}),
        (facts("arm64", "x86_64"), {"aes_arm", "aes_x86", "sha_arm"}, {}),
        (
            facts("arm64", version="12.0.1"),
            {"sha_arm"},
            {"TWO_AES": {"aes_arm": "gcc 12.0.1 is older than 12.1"}},
        ),
        (facts("arm64", version="12.10"), {"aes_arm", "sha_arm"}, {}),
        (
            facts("arm64", family="msvc", version="19.44"),
            {"sha_arm"},
            {"TWO_AES": {"aes_arm": "the compiler is msvc; allowed: gcc, clang"}},
        ),
        (
            facts("arm64ec", family="clang", version="19.1"),
            {"aes_arm"},
            {"TWO_SHA": {"sha_arm": "the target is arm64ec; allowed: arm64"}},
        ),
    ],
)
def test_of_a_leg(
    two: Plan, around: Surroundings, built: set[str], refused: dict[str, dict[str, str]]
) -> None:
    expected = expect(two, around, AUTO)
    assert expected.built == built
    assert not expected.refused
    expected = expect(two, around, ON)
    said = {option: {o.kernel: o.reason for o in against} for option, against in expected.refused.items()}
    assert said == refused
    assert expected.built == (set() if refused else built)


def test_of_a_machine_without_kernels(two: Plan) -> None:
    expected = expect(two, facts("other"), ON)
    assert {obstacle.kernel for obstacle in expected.refused["TWO_AES"]} == {"aes_arm", "aes_x86"}
    assert expect(two, facts("other"), AUTO).built == frozenset()


def test_conflicts(two: Plan) -> None:
    around = Surroundings(facts("arm64").facts, true_variables(["NO_ASM:BOOL=ON", "OTHER=0"]))
    assert around.true == {"NO_ASM"}
    assert expect(two, around, AUTO).built == {"sha_arm"}
    (obstacle,) = expect(two, around, ON).refused["TWO_AES"]
    assert obstacle.reason == "it excludes NO_ASM"


def test_options_that_exclude_one_another(two: Plan) -> None:
    aes, sha = two.options
    rivals = two._replace(options=(aes, sha._replace(conflicts=("TWO_AES",))))
    around = facts("arm64")
    assert expect(rivals, around, {"TWO_AES": "OFF", "TWO_SHA": "ON"}).built == {"sha_arm"}
    assert expect(rivals, around, AUTO).built == {"aes_arm"}  # CMake holds AUTO for true
    assert set(expect(rivals, around, ON).refused) == {"TWO_SHA"}


def test_states(two: Plan) -> None:
    toggled, fresh = chains(two, facts("arm64"))
    names = ["fresh OFF", "AUTO", "toggled ON AES", "toggled ON SHA", "toggled OFF"]
    assert [state.name for state in toggled.states] == names
    assert [dict(state.values) for state in fresh.states] == [ON]
    assert dict(toggled.states[2].values) == {"TWO_AES": "ON", "TWO_SHA": "OFF"}
    # Where one option is refused, the others are still built fresh.
    *_, possible = chains(two, facts("x86_64"))
    assert [dict(state.values) for state in possible.states] == [{"TWO_AES": "ON", "TWO_SHA": "OFF"}]
    assert len(chains(two, facts("other"))) == 2


def test_what_only_auto_builds_is_built_fresh_too(tmp_path: Path) -> None:
    """Where an option is refused for one of its kernels, the others are tried as fully as any."""
    more = "  aes_old: {option: AES, architecture: arm64, features: [aes], sources: [o.c], symbols: [d]}\n"
    files = ("aes_arm.c", "o.c", "aes_x86.c", "sha_arm.c")
    plan = planned(tmp_path, MANIFEST + more, dict.fromkeys(files, ""))
    *_, possible = chains(plan, facts("arm64", version="11"))
    (state,) = possible.states
    assert dict(state.values) == {"TWO_AES": "AUTO", "TWO_SHA": "ON"}
    assert state.expected.built == {"aes_old", "sha_arm"}
    assert state.full


def test_sources_in_a_folder_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real", target_is_directory=True)
    text = MANIFEST.replace("aes_arm.c", "linked/aes_arm.c")
    resolved = planned(tmp_path, text, dict.fromkeys(("linked/aes_arm.c", "aes_x86.c", "sha_arm.c"), ""))
    (source,) = units(resolved)[0].sources
    assert source == tmp_path.resolve() / "real" / "aes_arm.c"
    read = ObjectFile(source, "elf", "arm64", is_bitcode=False)
    shown = Exhibits(resolved, catalogue.load(), {source: read}, frozenset({"aes_arm"}))
    assert shown.of_kernel(resolved.kernels[0]) == {source: read}
    assert shown.owners == {source: resolved.kernels[0]}
