"""The two streams of a command: its result on standard output, and what is said on the other meanwhile."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

__all__ = ["listener", "say", "show", "styled"]

_Listener = TypeVar("_Listener")


def show(text: str) -> None:
    """Print `text`; a reader that has seen enough (head) does not change what came of it all."""
    try:
        click.echo(text, nl=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at the end


def say(text: str) -> None:
    """Print a line on standard error, if anybody still reads."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def styled(text: str, colour: str | None) -> str:
    """Colour a text, or dim it; click leaves colours out where output is piped."""
    if colour is None or "NO_COLOR" in os.environ:
        return text
    return click.style(text, dim=True) if colour == "dim" else click.style(text, fg=colour)


def listener(
    silent: _Listener,
    plain: _Listener,
    live: Callable[[], AbstractContextManager[_Listener]],
    *,
    quiet: bool,
) -> AbstractContextManager[_Listener]:
    """Give the one of three that suits the standard error that there is: none, a pipe or file, a terminal."""
    if quiet or sys.stderr is None:
        return contextlib.nullcontext(silent)
    return live() if sys.stderr.isatty() else contextlib.nullcontext(plain)
