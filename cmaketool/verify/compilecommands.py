"""The compile commands of a configured tree: to make an object again, or to see what it is made of."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.verify.steps import Steps

__all__ = ["Commands"]

_LIMIT = 300.0  # seconds


class Commands:
    """The commands in `folder`/compile_commands.json. Reads it once: make a new one after each configure."""

    def __init__(self, folder: Path, steps: Steps) -> None:
        self._folder, self._steps = folder, steps
        entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        commands = (entry.get("arguments") or shlex.split(entry["command"]) for entry in entries)
        self._by_object = {
            folder / words[words.index("-o") + 1]: words for words in commands if "-o" in words
        }

    def of(self, object_file: Path) -> list[str]:
        """Return the command that makes `object_file`, run in the tree's folder. Raises CmaketoolError."""
        if object_file not in self._by_object:
            message = f"{object_file.name} has no compile command that can be repeated"
            raise CmaketoolError(Diagnostic(message, "no-compile-command"))
        return list(self._by_object[object_file])

    def parts(self, object_file: Path) -> set[Path]:
        """Return the files that `object_file` is made of, links resolved, by asking its compiler."""
        words = self.of(object_file)
        at = words.index("-o")
        del words[at : at + 2]
        words[words.index("-c")] = "-M"
        rule = self._steps.run("parts", words, timeout=_LIMIT, cwd=self._folder).output
        _, _, files = rule.replace("\\\n", " ").partition(": ")
        return {(self._folder / name).resolve() for name in shlex.split(files)}
