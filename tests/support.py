"""What every test shares: where the project is, and tools that must be there in CI."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest

from cmaketool import toolchains

__all__ = ["ROOT", "cmake_or_skip", "configure_command", "leg_or_skip", "require_tool", "shared_leg"]

ROOT = Path(__file__).resolve().parent.parent


def require_tool(name: str) -> str:
    """Return the path of the program `name`; skip without it, but fail in CI, where all is installed."""
    path = shutil.which(name)
    if path is None:
        _not_here(f"{name} is not installed")
    return path


def leg_or_skip(name: str, folder: Path) -> toolchains.Leg:
    """Return the leg `name`, its files written under `folder`; skip without its tools, but fail in CI."""
    (file,) = (leg for leg in toolchains.legs() if leg.name == name)
    leg = toolchains.find(file, folder)
    if isinstance(leg, toolchains.Missing):
        _not_here(f"leg {name}: {leg.what}")
    return leg


@functools.cache
def _folder_of_legs() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="legs of tests "))
    atexit.register(shutil.rmtree, folder)
    return folder


@functools.cache
def shared_leg(name: str) -> toolchains.Leg:
    """Return the leg `name` as `leg_or_skip` does, made once for all tests of this process."""
    return leg_or_skip(name, _folder_of_legs() / name)


def _tools() -> toolchains.Tools:
    found = toolchains.tools()
    if isinstance(found, toolchains.Missing):
        _not_here(found.what)
    return found


def cmake_or_skip() -> str:
    """Return the path of the cmake that verify uses; skip without it, but fail in CI."""
    return str(_tools().cmake)


def configure_command(leg: toolchains.Leg, source: Path, build: Path) -> list[str]:
    """Return the command that configures `source` into `build` for a leg, with the ninja that verify uses."""
    tools = _tools()
    command = [str(tools.cmake), "-S", str(source), "-B", str(build), "-G", "Ninja"]
    return [*command, f"-DCMAKE_MAKE_PROGRAM={tools.ninja}", *leg.configure_arguments]


def _not_here(message: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
