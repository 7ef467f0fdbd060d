"""Setups: with which CMake, generator and configuration a leg is configured and built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmaketool.toolchains import Tools

__all__ = ["NINJA", "Setup"]

NINJA = "Ninja"


@dataclass(frozen=True, slots=True)
class Setup:
    """One CMake with one of its generators and one configuration, as CMake calls both.

    `label` says what tells it from the other setups of a verification: empty where there is no other.
    """

    tools: Tools
    generator: str = NINJA
    configuration: str = "Release"
    label: str = ""

    @property
    def about(self) -> str:
        """What is used, for people."""
        return f"CMake {self.tools.cmake_version}, Ninja {self.tools.ninja_version}"
