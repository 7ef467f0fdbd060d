"""What is said while it runs: a live line on a terminal, else a plain line for what takes long."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

from cmaketool import console

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = ["Progress", "Quiet", "progress"]


class Progress(Protocol):
    """Told what takes long, and how far the measuring is."""

    def say(self, text: str) -> None:
        """Something worth a line, such as why the next step takes a minute."""

    def step(self, done: int, count: int, what: str) -> None:
        """`what` is measured, the last of `done` of `count`."""


class Quiet:
    """Says nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def step(self, done: int, count: int, what: str) -> None:
        """Nothing."""


class _Plain(Quiet):
    """Lines on standard error, if anybody still reads."""

    def say(self, text: str) -> None:
        console.say(text)


@contextlib.contextmanager
def _live() -> Iterator[Progress]:
    from rich.console import Console  # noqa: PLC0415  slow to import

    console = Console(stderr=True)
    with console.status("") as status:

        class Live(Quiet):
            def say(self, text: str) -> None:
                status.update(text)

            def step(self, done: int, count: int, what: str) -> None:
                status.update(f"measured {done} of {count}: {what}")

        yield Live()


def progress(*, quiet: bool) -> AbstractContextManager[Progress]:
    """Give what speaks to the standard error that there is."""
    return console.listener(Quiet(), _Plain(), _live, quiet=quiet)
