"""What every test shares: where the project is, and tools that must be there in CI."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

__all__ = ["ROOT", "require_tool"]

ROOT = Path(__file__).resolve().parent.parent


def require_tool(name: str) -> str:
    """Return the path of the program `name`; skip without it, but fail in CI, where all is installed."""
    path = shutil.which(name)
    if path is None:
        message = f"{name} is not installed"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path
