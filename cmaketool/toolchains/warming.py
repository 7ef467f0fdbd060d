"""The first link of a program, done ahead: zig compiles its C library then, silently, for a minute or two.

The link has the options that CMake's Release and RelWithDebInfo give: -O1 to -O3, -g and -DNDEBUG share one
library; -Os, -fPIC without -pie, -flto and -mcpu on the link line each have their own.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from cmaketool import process
from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["FirstLink"]

_PATIENCE = 2.0  # seconds before saying why there is a wait; a warm link takes a tenth of a second
_LIMIT = 900.0


class FirstLink:
    """One link in a thread. `start` and `wait` may be called from any thread, any number of times."""

    def __init__(self, compiler: str, folder: Path, message: str) -> None:
        self._compiler, self._folder, self._message = compiler, folder, message
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def start(self, say: Callable[[str], None] | None = None) -> None:
        """Begin the link if that has not been done; `say` gets a line when it takes a while."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(say,), daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Start if need be and return when the link is done.

        Raises CmaketoolError when the link fails, process.Cancelled when it was cancelled.
        """
        self.start()
        thread = self._thread
        assert thread is not None  # noqa: S101  started
        thread.join()
        if self._error is not None:
            raise self._error

    def _run(self, say: Callable[[str], None] | None) -> None:
        patience = threading.Timer(_PATIENCE, say or (lambda _: None), (self._message,))
        patience.daemon = True
        patience.start()
        try:
            self._link()
        except Exception as error:  # raised again by wait, in the thread that asks
            self._error = error
        finally:
            patience.cancel()

    def _link(self) -> None:
        source, program = self._folder / "main.c", self._folder / "main"
        self._folder.mkdir(parents=True, exist_ok=True)
        source.write_text("int main(void) { return 0; }\n", encoding="utf-8", newline="\n")
        command = [self._compiler, "-O3", "-DNDEBUG", "-static", str(source), "-o", str(program)]
        result = process.run(command, timeout=_LIMIT)
        if result.returncode != 0 or result.timed_out:
            why = f"not done within {_LIMIT:.0f} s" if result.timed_out else result.errors.strip()[-500:]
            raise CmaketoolError(Diagnostic(f"{self._compiler} links no program: {why}", "link-unusable"))
