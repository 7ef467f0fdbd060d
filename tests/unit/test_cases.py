"""The list of known faults and the tests that hold them name the same numbers."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import yaml

from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

TESTS = ROOT / "tests"
NUMBER = re.compile(r"""["'\[-](B\d\d)\b""")


def _numbers(path: Path) -> set[str]:
    return set(NUMBER.findall(path.read_text(encoding="utf-8")))


def test_every_case_has_a_test_and_every_number_a_case() -> None:
    listed = set(yaml.safe_load((TESTS / "cases.yml").read_text(encoding="utf-8")))
    held = set().union(*(_numbers(path) for path in TESTS.rglob("test_*.py") if path.name != "test_cases.py"))
    assert held - listed == set(), "a test names a case that tests/cases.yml does not describe"
    assert listed - held == set(), "a case of tests/cases.yml is held by no test"


def test_a_case_says_what_it_is() -> None:
    for number, case in yaml.safe_load((TESTS / "cases.yml").read_text(encoding="utf-8")).items():
        assert set(case) == {"fault", "source", "right"}, number


def test_every_folder_with_tests_is_searched(pytestconfig: pytest.Config) -> None:
    left_out = pytestconfig.getini("norecursedirs")
    folders = {folder for path in TESTS.rglob("test_*.py") for folder in path.relative_to(TESTS).parts[:-1]}
    assert "build" in folders
    assert not [folder for folder in folders if any(fnmatch(folder, pattern) for pattern in left_out)]
