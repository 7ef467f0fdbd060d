"""The stand-in, by its legs."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.standins.msvc_model.install import Installed, install
from tests.support import shared_leg

if TYPE_CHECKING:
    from cmaketool import toolchains

__all__ = ["FOLDER", "cl", "leg", "standin"]

FOLDER = Path(__file__).resolve().parent


def leg(architecture: str) -> toolchains.Leg:
    """Return the leg for `architecture`; skip without its tools, but fail in CI."""
    return shared_leg(f"msvc-model-{architecture}")


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
