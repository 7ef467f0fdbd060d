"""Ninja: how it is told to build, what it prints, how programs are linked, what is still to do."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from cmaketool.verify import buildlog
from cmaketool.verify.commandlines import Command

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.process import Result
    from cmaketool.verify.buildlog import BuildLog
    from cmaketool.verify.steps import Steps

__all__ = ["Ninja"]

_LIMIT = 120.0  # seconds

_HEADER = re.compile(r"^\[\d+/\d+\] ", re.MULTILINE)
_FAILED = re.compile(r"^FAILED: (?:\[code=\S+\] )?(.*?) *$", re.MULTILINE)
_LINKS = re.compile(r" (?:-o |/out:)")


class Ninja:
    """Builds the folder `folder` by `program`; asking changes nothing there.

    `configuration`: which one, where the folder has several.
    """

    def __init__(self, program: Path, folder: Path, steps: Steps, configuration: str | None = None) -> None:
        self._command = [str(program), "-C", str(folder)]
        if configuration is not None:
            self._command += ["-f", f"build-{configuration}.ninja"]
        self._folder, self._steps, self._configuration = folder, steps, configuration
        self.environment = {"NINJA_STATUS": "[%f/%t] "}

    def arguments(self, jobs: int) -> list[str]:
        """Return what follows the targets of `cmake --build`."""
        which = [] if self._configuration is None else ["--config", self._configuration]
        return [*which, "-j", str(jobs), "--", "-k", "0"]

    def log(self, result: Result, command: str) -> BuildLog:
        """Read a build's output: a block for each edge."""
        return buildlog.read(result, command, _HEADER, _FAILED)

    def _ask(self, name: str, *arguments: str) -> str:
        return self._steps.run(f"ninja {name}", [*self._command, *arguments], timeout=_LIMIT).output

    def is_current(self, target: str) -> bool:
        """Say whether `target` is built from what is there now."""
        return "no work to do" in self._ask("still to do", "-n", target)

    def link_command(self, artifact: Path) -> Command:
        """Return the command that links `artifact`; no words if there is none."""
        name = artifact.relative_to(self._folder).as_posix()
        lines = self._ask("commands", "-t", "commands", name).splitlines()
        words = shlex.split(next((text for text in reversed(lines) if _LINKS.search(text)), ""))
        while words[:1] in ([":"], ["&&"]):  # Ninja generators wrap it for what may run before and after
            del words[0]
        return Command(words[: words.index("&&")] if "&&" in words else words, self._folder)
