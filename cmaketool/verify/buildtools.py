"""What builds a tree that CMake configured: one protocol for all generators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cmaketool.toolchains.programs import Make
from cmaketool.verify.make import Makefiles
from cmaketool.verify.ninja import Ninja

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cmaketool.process import Result
    from cmaketool.verify.buildlog import BuildLog
    from cmaketool.verify.commandlines import Command
    from cmaketool.verify.setups import Setup
    from cmaketool.verify.steps import Steps

__all__ = ["BuildTool", "build_tool"]


class BuildTool(Protocol):
    """The program that builds one folder. Safe to use from several threads."""

    @property
    def environment(self) -> Mapping[str, str | None]:
        """What a build changes of the environment so that its output can be read."""

    def arguments(self, jobs: int) -> Sequence[str]:
        """Return what follows the targets of `cmake --build`: `jobs` at a time, going on after faults."""

    def log(self, result: Result, command: str) -> BuildLog:
        """Read the output of a build, both streams in one; `command` is how it was started, as a line."""

    def is_current(self, target: str) -> bool:
        """Say whether `target` is built from what is there now, or now was: to ask may be to build it."""

    def link_command(self, artifact: Path) -> Command:
        """Return the command that links `artifact`, without what is wrapped around it; no words if none."""


def build_tool(setup: Setup, folder: Path, steps: Steps) -> BuildTool:
    """Return what builds the folder `folder`, which was configured with `setup`."""
    if isinstance(setup.make, Make):
        return Makefiles(setup.make, setup.tools.cmake, folder, steps)
    return Ninja(setup.tools.ninja, folder, steps, setup.among)
