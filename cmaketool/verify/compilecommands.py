"""The compile commands of a configured tree: to make an object again, or to see what it is made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import linemarkers
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.verify import commandlines, fileapi

if TYPE_CHECKING:
    from cmaketool.verify.steps import Steps

__all__ = ["Command", "Commands"]

_LIMIT = 300.0  # seconds


class Command(NamedTuple):
    """The words of a command, and the folder in which it is run."""

    words: list[str]
    folder: Path


class Commands:
    """The commands in `folder`/compile_commands.json. Reads it once: make a new one after each configure.

    Safe to use from several threads.
    """

    def __init__(self, folder: Path, steps: Steps) -> None:
        self._steps = steps
        self._parts: dict[Path, frozenset[Path]] = {}
        entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        self._by_object = {
            file: Command(fileapi.command_words(entry), Path(entry["directory"]))
            for entry in entries
            if (file := fileapi.object_file(folder, entry)) is not None
        }

    def of(self, object_file: Path) -> Command:
        """Return the command that makes `object_file`. Raises CmaketoolError."""
        if object_file not in self._by_object:
            message = f"{object_file.name} has no compile command that can be repeated"
            raise CmaketoolError(Diagnostic(message, "no-compile-command"))
        return self._by_object[object_file]

    def preprocessed(self, object_file: Path) -> str:
        """Return the text that the compiler sees where it makes `object_file`, as far as there is one.

        Raises CmaketoolError, and what process.run does.
        """
        words, folder = self.of(object_file)
        command = commandlines.preprocessing(words)
        return self._steps.run("preprocess", command, timeout=_LIMIT, cwd=folder).output

    def parts(self, object_file: Path) -> frozenset[Path]:
        """Return the files that `object_file` is made of, links resolved. Raises as `preprocessed` does."""
        if object_file not in self._parts:
            folder = self.of(object_file).folder
            named = (folder / name for name in linemarkers.files(self.preprocessed(object_file)))
            self._parts[object_file] = frozenset(path.resolve() for path in named if path.is_file())
        return self._parts[object_file]
