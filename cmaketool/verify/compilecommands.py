"""The compile commands of a configured tree: to make an object again, or to see what it is made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import linemarkers
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.verify import commandlines, fileapi
from cmaketool.verify.commandlines import Command

if TYPE_CHECKING:
    from cmaketool.verify.steps import Steps

__all__ = ["Commands"]

_LIMIT = 300.0  # seconds


class Commands:
    """The commands in `folder`/compile_commands.json. Reads it once: make a new one after each configure.

    Safe to use from several threads.
    """

    def __init__(self, folder: Path, steps: Steps) -> None:
        self._steps = steps
        self._parts: dict[Path, frozenset[Path]] = {}
        entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        self._by_object = {
            file: entry for entry in entries if (file := fileapi.object_file(folder, entry)) is not None
        }

    def of(self, object_file: Path) -> Command:
        """Return the command that makes `object_file`. Raises CmaketoolError."""
        if object_file not in self._by_object:
            message = f"{object_file.name} has no compile command that can be repeated"
            raise CmaketoolError(Diagnostic(message, "no-compile-command"))
        entry = self._by_object[object_file]
        return Command(fileapi.command_words(entry), Path(entry["directory"]))

    def preprocessed(self, object_file: Path) -> str | None:
        """Return the text that the compiler sees where it makes `object_file`; None where it cannot be had.

        Raises CmaketoolError, and what process.run does.
        """
        words, folder = self.of(object_file)
        try:
            command = commandlines.preprocessing(words)
        except ValueError:
            return None
        result = self._steps.run("preprocess", command, timeout=_LIMIT, cwd=folder)
        return result.output if result.returncode == 0 and not result.timed_out else None

    def parts(self, object_file: Path) -> frozenset[Path]:
        """Return the files that `object_file` is made of, links resolved; none where that cannot be told.

        Raises as `preprocessed` does.
        """
        if object_file not in self._parts:
            folder = self.of(object_file).folder
            text = self.preprocessed(object_file) or ""
            named = (folder / name for name in linemarkers.files(text))
            self._parts[object_file] = frozenset(path.resolve() for path in named if path.is_file())
        return self._parts[object_file]
