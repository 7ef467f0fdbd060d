"""docs/toolchains.md names what there is."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from cmaketool import toolchains
from cmaketool.toolchains import listing
from cmaketool.toolchains.model import LegFile
from tests.support import ROOT

TEXT = (ROOT / "docs" / "toolchains.md").read_text(encoding="utf-8")


def block(language: str, begins: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (text,) = (one for one in found if one.startswith(begins))
    return str(text)


def test_every_leg_is_in_the_table_with_what_it_shows() -> None:
    rows = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| `")]
    told = {name: cells for cells in rows for name in re.findall(r"`([\w-]+)`(?:\\\*)?", cells[0])}
    for leg in toolchains.legs():
        cells = told[leg.name]
        assert (f"`{leg.name}`\\*" in cells[0]) != leg.default
        last = "everything" if leg.rungs[-1] == "teeth" else leg.rungs[-1]
        assert last in cells[2]


def test_the_packages_of_all_legs_are_named() -> None:
    """By the README, in one line, which is what this project's own machines install."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    (listed,) = (set(line.split()) for line in lines if line.startswith("apt-get install "))
    assert "apt-get" not in TEXT, "the packages are listed in one place"
    for leg in toolchains.legs():
        for text in re.findall(r"apt-get install ([^;)]*)", leg.packages):
            assert set(text.split()) <= listed, leg.name


@pytest.mark.parametrize(
    "key", sorted(set(LegFile.model_fields) - {"embedded", "only_refuses", "stand_in", "slow_first_link"})
)
def test_every_key_of_a_leg_file_is_told(key: str) -> None:
    rows = [line.partition(" | ")[0] for line in TEXT.splitlines() if line.startswith("| `")]
    assert any(re.search(rf"`{key}[`:]", row) for row in rows)


def test_the_leg_file_of_the_example_is_right() -> None:
    leg = toolchains.read(block("yaml", "# board.leg.yml"), "board.leg.yml")
    assert leg.name == "board"
    assert yaml.safe_load(block("yaml", "# board.leg.yml"))["toolchain_file"] == "cmake/board.cmake"


def test_the_json_of_the_example_has_every_key() -> None:
    (told,) = json.loads(block("json", "{"))["legs"]
    (real,) = json.loads(listing.as_json([listing.Listing(toolchains.leg(told["leg"]), None)]))["legs"]
    assert list(told) == list(real)
    assert {name: type(value) for name, value in told.items()} == {
        name: type(value) for name, value in real.items()
    }
