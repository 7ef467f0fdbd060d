"""Versions in order: numbers between whatever else there is, so that 3.20 is 3.20.0 and 19.1 follows 9."""

from __future__ import annotations

import re

__all__ = ["is_older"]


def is_older(version: str, minimum: str) -> bool:
    """Say whether `version` comes before `minimum`."""
    return _key(version) < _key(minimum)


def _key(text: str) -> list[int]:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers
