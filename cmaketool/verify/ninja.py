"""Ninja: how it is told to build, what it prints, how programs are linked, what is still to do."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from typing import TYPE_CHECKING

from cmaketool.verify.buildlog import BuildLog

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.process import Result
    from cmaketool.verify.steps import Steps

__all__ = ["Ninja"]

_LIMIT = 120.0  # seconds

# Colours that a project or CMAKE_COLOR_DIAGNOSTICS asks for hide where a word begins.
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_HEADER = re.compile(r"^\[\d+/\d+\] ", re.MULTILINE)


class Ninja:
    """Builds the folder `folder` by `program`; asking changes nothing there."""

    def __init__(self, program: Path, folder: Path, steps: Steps) -> None:
        self._command = [str(program), "-C", str(folder)]
        self._folder, self._steps = folder, steps
        self.environment = {"NINJA_STATUS": "[%f/%t] "}

    def arguments(self, jobs: int) -> list[str]:
        """Return what follows the targets of `cmake --build`."""
        return ["-j", str(jobs), "--", "-k", "0"]

    def log(self, result: Result, command: str) -> BuildLog:
        """Read a build's output: a block for each edge."""
        output = _COLOUR.sub("", result.output)
        starts = [match.start() for match in _HEADER.finditer(output)] + [len(output)]
        blocks = tuple(output[begin:end] for begin, end in pairwise(starts))
        return BuildLog(result.returncode == 0, blocks, output + result.errors, command, result.timed_out)

    def _ask(self, name: str, *arguments: str) -> str:
        return self._steps.run(f"ninja {name}", [*self._command, *arguments], timeout=_LIMIT).output

    def is_current(self, target: str) -> bool:
        """Say whether `target` is built from what is there now."""
        return "no work to do" in self._ask("still to do", "-n", target)

    def link_command(self, artifact: Path) -> list[str]:
        """Return the words of the command that links `artifact`; empty if there is none."""
        name = artifact.relative_to(self._folder).as_posix()
        lines = self._ask("commands", "-t", "commands", name).splitlines()
        words = shlex.split(next((text for text in reversed(lines) if " -o " in text), ""))
        while words[:1] in ([":"], ["&&"]):  # Ninja generators wrap it for what may run before and after
            del words[0]
        return words[: words.index("&&")] if "&&" in words else words
