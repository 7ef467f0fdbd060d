"""A program as it stands in memory, whatever kind of file it came from."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Segment", "UnusableProgramError"]


class UnusableProgramError(Exception):
    """The file is no program of the kind that the emulator runs."""


class Segment(NamedTuple):
    """Bytes at an address: `size` of them in memory, of which `data` comes first; `protection` as in mmap.

    Its name, where the file gives it one, is for people.
    """

    address: int
    size: int
    data: bytes
    protection: int
    name: str = ""

    @property
    def is_executable(self) -> bool:
        """Whether its bytes may be instructions."""
        return bool(self.protection & 4)
