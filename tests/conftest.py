"""Fixtures of the whole suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["require_tool", "root"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT
