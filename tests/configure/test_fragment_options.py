"""What the includer says, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.configure.support import new_project
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.configure.support import Project

pytestmark = pytest.mark.configure

OLD_PARENT = """\
cmake_minimum_required(VERSION {policy})
project(parent C)
{setting}
include(kernels/pair_kernels.cmake)
add_library(lib STATIC)
pair_target_kernels(lib)
"""


def value(result: object, option: str) -> tuple[str, str]:
    entries = result.decision()["options"]  # type: ignore[attr-defined]
    return next((entry["value"], entry["source"]) for entry in entries if entry["option"] == option)


@pytest.mark.parametrize(
    "policy", [pytest.param("3.5", id="3.5-B28-B82"), pytest.param("3.18", id="3.18-B28-B82")]
)
def test_parents_value_at_every_configure(tmp_path: Path, every_cmake: Path, policy: str) -> None:
    lists = OLD_PARENT.format(policy=policy, setting="set(PAIR_AES ON)\nset(PAIR_CLMUL ON)")
    project = new_project(tmp_path / "p", every_cmake, lists=lists)
    for _ in range(2):
        result = project.configured("-Wno-dev")
        assert value(result, "PAIR_AES") == ("ON", "variable")
        assert value(result, "PAIR_CLMUL") == ("ON", "variable")
        assert result.built() == {"aes_x86", "clmul_x86"}


@pytest.mark.parametrize("case", [pytest.param("-DPAIR_AES=OFF", id="B28")])
def test_parents_variable_wins_over_the_command_line(tmp_path: Path, any_cmake: Path, case: str) -> None:
    lists = OLD_PARENT.format(policy="3.18", setting="set(PAIR_AES ON)")
    project = new_project(tmp_path / "p", any_cmake, lists=lists)
    for _ in range(2):
        assert value(project.configured(case), "PAIR_AES") == ("ON", "variable")


def test_cache_entries_have_type_help_and_choices(project: Project) -> None:
    cache = (project.configured("-DPAIR_CLMUL=on").build / "CMakeCache.txt").read_text(encoding="utf-8")
    assert "PAIR_AES:STRING=AUTO" in cache
    assert "PAIR_CLMUL:STRING=on" in cache  # given on the command line: value kept, the rest added
    assert "//carry-less product, by an attribute\nPAIR_CLMUL" in cache
    for option in ("PAIR_AES", "PAIR_CLMUL"):
        assert f"{option}-STRINGS:INTERNAL=OFF;ON;AUTO" in cache


SPELLINGS = {
    "ON": ("ON", "True", "yes", "y", "1"),
    "AUTO": ("auto", "Auto"),
    "OFF": ("OFF", "false", "No", "n", "0"),
}


def test_spellings_of_a_value(project: Project) -> None:
    for meant, spellings in SPELLINGS.items():
        for given in spellings:
            result = project.configured(f"-DPAIR_AES={given}")
            assert value(result, "PAIR_AES") == (meant, "cache")
            assert result.built() == (set() if meant == "OFF" else {"aes_x86"})


def test_what_is_no_value_is_an_error(project: Project) -> None:
    for given in ("", "ONN", "AUTO;ON", "PAIR_CLMUL", "2"):
        result = project.refused(f"-DPAIR_AES={given}")
        assert f"pair: PAIR_AES is '{given}', it must be ON, OFF or AUTO" in result.text


def test_undefined_is_an_error(project: Project) -> None:
    lists = (project.folder / "CMakeLists.txt").read_text(encoding="utf-8")
    project.write({"CMakeLists.txt": lists.replace("add_library", "unset(PAIR_AES CACHE)\nadd_library")})
    assert "pair: PAIR_AES is '', it must be ON, OFF or AUTO" in project.refused().text


NEAR = {"aes": "AES", "PAIR_AES": "AES", "AES_CTR": "AES", "clmuls": "CLMUL", "MUL": "CLMUL"}


def test_unknown_requirement_names_a_near_miss(tmp_path: Path, every_cmake: Path) -> None:
    project = new_project(tmp_path / "p", every_cmake)
    for required, near in NEAR.items():
        said = project.refused(f"-DPAIR_REQUIRE={required}").text
        assert f"PAIR_REQUIRE: '{required}' is none of AES;CLMUL; did you mean '{near}'?" in said
    for required in ("XYZ", "PAIR_", "+", "AES CLMUL"):
        said = project.refused(f"-DPAIR_REQUIRE={required}").text
        assert f"PAIR_REQUIRE: '{required}' is none of AES;CLMUL" in said
        assert "''" not in said


def test_requirement_is_met_or_the_configure_fails(project: Project) -> None:
    assert project.configured("-DPAIR_REQUIRE=AES").built() == {"aes_x86"}
    result = project.refused("-DPAIR_REQUIRE=AES;CLMUL")
    assert "PAIR_CLMUL=OFF, required by PAIR_REQUIRE" in result.text
    assert "PAIR_AES=" not in result.text.split("cannot have what was asked for")[1]
    assert result.decision()["kernels"]


def test_requirement_that_auto_cannot_meet(project: Project) -> None:
    (project.folder / "kernels" / "pair_kernels_probe.c").write_text("#error broken\n", encoding="utf-8")
    result = project.refused("-DPAIR_REQUIRE=AES")
    assert "PAIR_AES=AUTO, required by PAIR_REQUIRE:" in result.text
    assert (
        "aes_x86: it is for x86_64; the compiler targets nothing known, error: #error broken" in result.text
    )


def test_conflict_refuses_on_and_empties_auto(project: Project) -> None:
    result = project.refused("-DPAIR_AES=ON", "-DPAIR_SMALL=1")
    assert "no aes_x86: it excludes PAIR_SMALL, which is on: turn off one of the two" in result.text
    result = project.configured("-DPAIR_AES=AUTO")
    assert result.built() == set()
    assert "no aes_x86: it excludes PAIR_SMALL" in result.text
    assert project.configured("-DPAIR_SMALL=OFF").built() == {"aes_x86"}


@pytest.mark.parametrize("case", [pytest.param("three ways", id="B55")])
def test_on_auto_and_off_where_nothing_can_be_had(tmp_path: Path, every_cmake: Path, case: str) -> None:
    for_arm = (
        "option: CLMUL\n    architecture: x86_64\n    features: [pclmul]",
        "option: CLMUL\n    architecture: arm64\n    features: [pmull]",
    )
    project = new_project(tmp_path / "p", every_cmake, for_arm)
    auto = project.configured("-DPAIR_CLMUL=AUTO")
    assert auto.built() == {"aes_x86"}
    assert "no clmul_x86: it is for arm64 or arm64ec; the compiler targets x86_64" in auto.text
    assert auto.output.count("-- pair: lib: PAIR_AES=AUTO, aes_x86 (x86_64)") == 1
    on = project.refused("-DPAIR_CLMUL=ON")
    assert (
        "pair: 'lib' cannot have what was asked for: PAIR_CLMUL=ON: no clmul_x86: it is for arm64 or arm64ec"
        in on.text
    )
    off = project.configured("-DPAIR_CLMUL=OFF")
    assert "clmul_x86.c" not in off.sources()


@pytest.mark.parametrize("case", [pytest.param("a compiler too old for one kernel", id="B55")])
def test_on_lists_each_missing_kernel(tmp_path: Path, any_cmake: Path, case: str) -> None:
    together = ("option: CLMUL", "option: AES")
    dropped = ("  CLMUL:\n    help: carry-less product, by an attribute\n    default: OFF\n", "")
    too_old = ("symbols: [pair_clmul_x86]", "symbols: [pair_clmul_x86]\n    minimum: {gcc: '99.1'}")
    project = new_project(tmp_path / "p", any_cmake, together, dropped, too_old)
    on = project.refused("-DPAIR_AES=ON", f"-DCMAKE_C_COMPILER={require_tool('gcc')}")
    assert "PAIR_AES=ON: no clmul_x86: it needs gcc 99.1 or newer; this is" in on.text
    assert "no aes_x86" not in on.text
    assert "no aes_arm64" not in on.text.split("cannot have")[1]  # another architecture's is not missing
    assert project.configured("-DPAIR_AES=AUTO").built() == {"aes_x86"}


@pytest.mark.parametrize("case", [pytest.param("all off", id="B54")])
def test_off_probes_and_adds_nothing(project: Project, case: str) -> None:
    off = project.configured("-DPAIR_AES=OFF", "-DPAIR_CLMUL=OFF")
    assert set(off.sources()) == {"portable.c"}
    assert off.sources()["portable.c"].defines == ()
    assert off.probes == 0
    assert off.decision()["slices"] == []
    assert {entry["conclusion"] for entry in off.decision()["kernels"]} == {"off"}
    assert set(project.configured("-DPAIR_AES=ON").sources()) == {"portable.c", "aes_x86.c"}
    assert set(project.configured("-DPAIR_AES=OFF").sources()) == {"portable.c"}
