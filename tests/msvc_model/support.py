"""The legs of the stand-in, made once in a test session for each architecture."""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.standins.msvc_model.install import Installed, install
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from cmaketool import toolchains

__all__ = ["FOLDER", "cl", "leg", "standin"]

FOLDER = Path(__file__).resolve().parent


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="msvc-model-"))
    atexit.register(shutil.rmtree, folder)
    return folder


@functools.cache
def leg(architecture: str) -> toolchains.Leg:
    """Return the leg for `architecture`; skip without its tools, but fail in CI."""
    return leg_or_skip(f"msvc-model-{architecture}", _folder() / architecture)


def standin(architecture: str) -> Installed:
    """Return the stand-in of the leg for `architecture`."""
    return install(leg(architecture).compiler.parents[1], architecture)


def cl(architecture: str, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the stand-in's cl in the folder `cwd`; its standard error is with its output."""
    return subprocess.run(
        [str(leg(architecture).compiler), *words],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
