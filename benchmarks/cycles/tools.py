"""The programs of others that are run here, and the one error of all that can go wrong."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CyclesError", "output"]


LIMIT = 600  # seconds for a command


class CyclesError(Exception):
    """There is no number, and why."""


def output(command: Sequence[str], text: str | None = None) -> str:
    """Return what a command, given `text`, writes. Raises CyclesError if it cannot be run, fails or hangs."""
    try:
        done = subprocess.run(command, input=text, text=True, capture_output=True, check=False, timeout=LIMIT)
    except OSError as error:
        raise CyclesError(f"{command[0]} cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise CyclesError(f"{command[0]} took more than {LIMIT} seconds") from error
    if done.returncode != 0:
        raise CyclesError(f"{' '.join(command)}\n{done.stderr.strip()}")
    return done.stdout
