"""The standard streams of an emulated program: its own bytes go in and out, and nothing else is open."""

from __future__ import annotations

import os
import time

__all__ = ["Streams"]

_FLUSH_BYTES, _FLUSH_SECONDS = 1 << 16, 0.2
_MOST = 1 << 20  # bytes of one reading


class Streams:
    """Standard input, and standard output and error buffered together so that their order is kept.

    Every method raises OSError when the system does not take or give the bytes. That bytes which were written
    before were not taken is told once, by the next `write` or `flush`.
    """

    def __init__(self) -> None:
        self._descriptor = 1
        self._buffer = bytearray()
        self._since = 0.0
        self._untold: OSError | None = None

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes of standard input, none at its end; all output is written before."""
        try:
            self.flush()
        except OSError as error:
            self._untold = error
        return os.read(0, min(size, _MOST))

    def write(self, descriptor: int, data: bytes) -> None:
        """Write to standard output (1) or error (2)."""
        if self._untold is not None or descriptor != self._descriptor:
            self.flush()
            self._descriptor = descriptor
        now = time.monotonic()
        if not self._buffer:
            self._since = now
        self._buffer += data
        if len(self._buffer) >= _FLUSH_BYTES or now - self._since > _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write all that waits, or forget it when that fails."""
        data, self._buffer = self._buffer, bytearray()
        untold, self._untold = self._untold, None
        if untold is not None:
            raise untold
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]
