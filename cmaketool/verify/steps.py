"""The commands of one leg: each with its time limit, its log, and its line in a script that repeats them."""

from __future__ import annotations

import os
import re
import shlex
import threading
from typing import TYPE_CHECKING

from cmaketool import process

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["Steps", "line"]


class Steps:
    """Runs commands for one leg. `folder` gets `steps.sh` and `logs/`. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._logs = folder / "logs"
        self._script = folder / "steps.sh"
        self._lock = threading.Lock()
        self._count = 0
        self._logs.mkdir(parents=True, exist_ok=True)
        with self._script.open("w", encoding="utf-8", newline="\n") as script:
            script.write("#!/bin/sh\n# The steps of this leg in the order in which they were started.\n")

    def run(
        self,
        name: str,
        command: Sequence[str],
        *,
        timeout: float,
        environment: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
        merged: bool = False,
    ) -> process.Result:
        """Run `command` within `timeout` seconds; `environment` changes ours (None: not to be set).

        `merged`: what goes to standard error comes with the output, in its place.

        Raises as process.run.
        """
        with self._lock:
            self._count += 1
            log = self._logs / f"{self._count:03}-{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}.log"
            with self._script.open("a", encoding="utf-8", newline="\n") as script:
                script.write(f"\n# {name}\n{line(command, environment, cwd)}\n")
        whole = {**os.environ, **environment} if environment else None
        return process.run(command, timeout=timeout, env=whole, cwd=cwd, log=log, merged=merged)


def line(
    command: Sequence[str], environment: Mapping[str, str | None] | None = None, cwd: Path | None = None
) -> str:
    """Return `command` as one line for a POSIX shell."""
    text = shlex.join(command)
    settings = [f"{name}={value}" for name, value in (environment or {}).items() if value is not None]
    if settings:
        text = f"env {shlex.join(settings)} {text}"
    return f"(cd {shlex.quote(str(cwd))} && {text})" if cwd else text
