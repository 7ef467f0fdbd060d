"""The stand-in, installed once in a test session for each architecture."""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

from cmaketool.standins.msvc_model.install import Installed, install
from tests.support import require_tool

__all__ = ["FOLDER", "cl", "standin"]

FOLDER = Path(__file__).resolve().parent


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="msvc-model-"))
    atexit.register(shutil.rmtree, folder)
    return folder


@functools.cache
def standin(architecture: str) -> Installed:
    """Return the stand-in for `architecture`; skip without clang 19, but fail in CI."""
    require_tool("clang-19")
    return install(_folder() / architecture, architecture)


def cl(architecture: str, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the stand-in's cl in the folder `cwd`; its standard error is with its output."""
    return subprocess.run(
        [str(standin(architecture).compiler), *words],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
