"""What ninja knows of a built tree: how programs are linked, and what is still to do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.verify.steps import Steps

__all__ = ["Ninja"]

_LIMIT = 120.0  # seconds


class Ninja:
    """Asks `program` about the build folder `folder`; changes nothing there."""

    def __init__(self, program: Path, folder: Path, steps: Steps) -> None:
        self._command = [str(program), "-C", str(folder)]
        self._folder, self._steps = folder, steps

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
