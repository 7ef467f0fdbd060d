"""The programs of others that are run here, and the one error of all that can go wrong."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CyclesError", "output"]


class CyclesError(Exception):
    """There is no number, and why."""


def output(command: Sequence[str], text: str | None = None) -> str:
    """Return what a command, given `text`, writes. Raises CyclesError if it is not there or fails."""
    try:
        done = subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise CyclesError(f"{command[0]} is not installed") from error
    if done.returncode != 0:
        raise CyclesError(f"{' '.join(command)}\n{done.stderr.strip()}")
    return done.stdout
