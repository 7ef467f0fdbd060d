"""Programs in an emulator's process, as a leg runs them."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Emulator"]


@dataclass(frozen=True, slots=True)
class Emulator:
    """One of the emulators, by the name of its module."""

    name: str

    @property
    def words(self) -> list[str]:
        """The command without options and program."""
        return [sys.executable, "-m", f"cmaketool.toolchains.{self.name}"]

    def command(self, program: Path, *words: str, options: Sequence[str] = ()) -> list[str]:
        """Return the command that runs `program` with the arguments `words`."""
        return [*self.words, *options, str(program), *words]

    def run(
        self, program: Path, *words: str, options: Sequence[str] = (), data: bytes = b""
    ) -> tuple[int, str, str]:
        """Run `program` with `data` as its input; return its exit code, output and errors."""
        line = self.command(program, *words, options=options)
        done = subprocess.run(line, input=data, capture_output=True, timeout=120, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def refusal(self, words: Sequence[str]) -> str:
        """Return what is said of a wrong command line; its exit code is that of all that goes wrong."""
        done = subprocess.run([*self.words, *words], capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stdout) == (125, "")
        said = re.fullmatch(rf"{self.name}: (.*)\n", done.stderr)
        assert said, done.stderr
        return said[1]

    def instructions(self, program: Path, *words: str) -> int:
        """Return how many instructions a program executes; it has to end well."""
        code, _, errors = self.run(program, *words, options=["--count"])
        said = re.fullmatch(r"instructions: (\d+)\n", errors)
        assert said, errors
        assert code == 0
        return int(said[1])
