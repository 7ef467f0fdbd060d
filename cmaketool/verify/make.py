"""Make, with CMake's makefiles: how it is told to build, what it prints, how programs are linked."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from cmaketool.verify import buildlog
from cmaketool.verify.commandlines import Command
from cmaketool.versions import is_older

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.process import Result
    from cmaketool.toolchains.programs import Make
    from cmaketool.verify.buildlog import BuildLog
    from cmaketool.verify.steps import Steps

__all__ = ["Makefiles"]

_LIMIT = 300.0  # seconds
_HEADER = re.compile(r"^(?:\[ *\d+%\] |\S*make(?:\[\d+\])?: |Scanning |Consolidate )", re.MULTILINE)
_FAILED = re.compile(r"^\S*make(?:\[\d+\])?: \*\*\* \[(?:[^:\]]+:\d+: )?([^\]]+)\] ", re.MULTILINE)
_UNMIXED = "4.0"  # GNU make from here on can keep what one command prints together


class Makefiles:
    """Builds the folder `folder`, configured by `cmake`."""

    def __init__(self, make: Make, cmake: Path, folder: Path, steps: Steps) -> None:
        self._unmixed = bool(make.version) and not is_older(make.version, _UNMIXED)
        self._cmake, self._folder, self._steps = cmake, folder, steps
        self.environment = dict.fromkeys(("MAKEFLAGS", "GNUMAKEFLAGS", "VERBOSE"))  # the user's

    def arguments(self, jobs: int) -> list[str]:
        """Return what follows the targets of `cmake --build`: one at a time where outputs would mix."""
        return ["-j", str(jobs), "--", "-k", "-O"] if self._unmixed else ["-j", "1", "--", "-k"]

    def log(self, result: Result, command: str) -> BuildLog:
        """Read a build's output: a block for each file that is made."""
        return buildlog.read(result, command, _HEADER, _FAILED)

    def is_current(self, target: str) -> bool:
        """Say whether `target` is built from what is there now: by making it; -n and -q always find work."""
        command = [str(self._cmake), "--build", str(self._folder), "--target", target]
        result = self._steps.run("still to do", command, timeout=_LIMIT, environment=self.environment)
        return result.returncode == 0

    def link_command(self, artifact: Path) -> Command:
        """Return the command that links `artifact`; no words if there is none.

        It is run in the folder of its target, which has a script for it.
        """
        for script in sorted(self._folder.rglob("link.txt")):
            for line in script.read_text(encoding="utf-8").splitlines():
                command = Command(shlex.split(line), script.parents[2])
                parts = (part for word in command.words for part in (word, word.partition(":")[2]))
                if any(command.names(part) == artifact for part in parts):
                    words = [part for word in command.words for part in _resolved(word, command.folder)]
                    return command._replace(words=words)
        return Command([], self._folder)


def _resolved(word: str, folder: Path) -> list[str]:
    """Return what stands for `word` in `folder`: the words of a response file."""
    file = folder / word[1:]
    if word.startswith("@") and file.is_file():
        return shlex.split(file.read_text(encoding="utf-8"))
    return [word]
