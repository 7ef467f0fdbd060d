"""What asks a run to end."""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ended_by_signals"]


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let a request to end (a CI runner's time limit, a closed terminal) do what Ctrl-C does, and do it once.

    A second one, which impatient people send, would leave behind what the first is clearing away.
    """
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    known = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in known}

    def interrupt(*_: object) -> None:
        for number in heeded:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    heeded = [number for number in known if before[number] is not signal.SIG_IGN]  # nohup stays nohup
    for number in heeded:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number])
