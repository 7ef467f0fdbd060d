"""What is said while it runs: a live line on a terminal, else a plain line for each finished state."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from cmaketool import console

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import TracebackType

    from rich.status import Status
    from typing_extensions import Self

    from cmaketool.verify.model import Verdict

__all__ = ["Progress", "Quiet", "progress"]


class Progress(Protocol):
    """Told by several threads what begins, what came of it, and what takes long."""

    def begin(self, leg: str, what: str) -> None:
        """A step of a leg begins."""

    def done(self, leg: str, what: str, verdict: Verdict, seconds: float) -> None:
        """A state of a leg, or its teeth, came to a verdict."""

    def say(self, text: str) -> None:
        """Something worth a line, such as why the next step takes a minute."""


class Quiet:
    """Says nothing."""

    def begin(self, leg: str, what: str) -> None:
        """Nothing."""

    def done(self, leg: str, what: str, verdict: Verdict, seconds: float) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """Nothing."""


class _Plain:
    """One line on standard error for each state that is finished."""

    def begin(self, leg: str, what: str) -> None:
        """Nothing: only what is finished gets a line."""

    def done(self, leg: str, what: str, verdict: Verdict, seconds: float) -> None:
        """Print one line."""
        self.say(f"{leg}: {what}: {verdict.value} ({seconds:.1f} s)")

    def say(self, text: str) -> None:
        """Print one line, if anybody still reads."""
        console.say(text)


class _Live:
    """One line on the terminal that says what is going on; a context manager."""

    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415  slow to import

        self._console = Console(stderr=True)
        self._status: Status = self._console.status("")
        self._lock = threading.Lock()
        self._now: dict[str, str] = {}
        self._states = 0

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()

    def _show(self) -> None:
        going = "; ".join(f"{leg}: {what}" for leg, what in self._now.items())
        self._status.update(f"{self._states} states done. {going}"[: max(self._console.width - 4, 20)])

    def begin(self, leg: str, what: str) -> None:
        """Show it."""
        with self._lock:
            self._now[leg] = what
            self._show()

    def done(self, leg: str, what: str, verdict: Verdict, seconds: float) -> None:  # noqa: ARG002
        """Count it."""
        with self._lock:
            self._states += 1
            self._now.pop(leg, None)
            self._show()

    def say(self, text: str) -> None:
        """Print a line above the live one."""
        self._console.print(text, highlight=False, markup=False)


def progress(*, quiet: bool) -> AbstractContextManager[Progress]:
    """Give what speaks to the standard error that there is."""
    return console.listener(Quiet(), _Plain(), _Live, quiet=quiet)
