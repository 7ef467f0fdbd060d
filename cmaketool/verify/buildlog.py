"""What a build printed, and what of that is about which object."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.process import Result

__all__ = ["BuildLog", "read"]

# Colours that a project or CMAKE_COLOR_DIAGNOSTICS asks for hide where a word begins.
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class BuildLog:
    """A build's output, one text in `blocks` for each edge that said anything. `ok`: nothing failed.

    `failures` are the files that could not be made, as the build tool names them: from the top of the tree.
    """

    ok: bool
    blocks: tuple[str, ...]
    failures: frozenset[str]
    text: str
    command: str
    timed_out: bool = False

    def about(self, object_file: Path, tree: Path) -> str:
        """Return what was printed while `object_file` of `tree` was made."""
        return "".join(self._about(object_file, tree))

    def remarks(self, object_file: Path, tree: Path) -> list[str]:
        """Return the lines of `about`, without those that only say what is made."""
        return [line for block in self._about(object_file, tree) for line in block.splitlines()[1:]]

    def _about(self, object_file: Path, tree: Path) -> list[str]:
        try:
            name = object_file.relative_to(tree).as_posix()
        except ValueError:
            name = object_file.as_posix()
        return [block for block in self.blocks if name in block]

    def failed(self, object_file: Path, tree: Path) -> bool:
        """Say whether making `object_file` itself failed, not only something that is made of it."""
        return object_file.relative_to(tree).as_posix() in self.failures


def read(result: Result, command: str, header: re.Pattern[str], failed: re.Pattern[str]) -> BuildLog:
    """Read the output of a build, both streams in one.

    A block begins where `header` matches; `failed` matches a line about a file, its group 1, that could not
    be made.
    """
    text = _COLOUR.sub("", result.output)
    starts = [match.start() for match in header.finditer(text)] + [len(text)]
    blocks = dict.fromkeys(text[begin:end] for begin, end in pairwise(starts))  # make may try a thing twice
    failures = frozenset(match[1] for match in failed.finditer(text))
    return BuildLog(result.returncode == 0, tuple(blocks), failures, text, command, result.timed_out)
