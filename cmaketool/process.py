"""Every command the tool runs: in a process group of its own, with a time limit, all of it ended together.

A compiler driver starts compilers, ninja starts drivers, an emulator starts nothing: whatever a command
started ends with it, on its time limit, on Ctrl-C, on `cancel_all()` and when this program ends. Windows is
written and untested.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["KEPT_BYTES", "Cancelled", "Result", "cancel_all", "resume", "run"]

KEPT_BYTES = 4 << 20  # of the beginning of a stream, and as much of its end
_GRACE = 1.0  # seconds between asking a group to end and ending it
_DRAIN = 1.0  # seconds for output still in the pipes once a command has ended

_lock = threading.Lock()
_active: set[subprocess.Popen[bytes]] = set()
_cancelled = threading.Event()


class Cancelled(Exception):  # noqa: N818  it is no error: someone asked for it
    """A command was not run, or was ended, because of `cancel_all()`."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a command left: `returncode` (negative: the signal that ended it), text, wall time in seconds."""

    command: tuple[str, ...]
    returncode: int
    output: str  # standard output; of huge output the beginning and the end
    errors: str  # standard error, likewise
    seconds: float
    timed_out: bool


class _Log:
    """A file that takes both streams as they come; nothing when there is no file."""

    def __init__(self, path: Path | None, command: Sequence[str]) -> None:
        self._lock = threading.Lock()
        self._file: IO[bytes] | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("wb")
            self.write(f"$ {shlex.join(command)}\n".encode())

    def write(self, data: bytes) -> None:
        """Append `data`; quietly nothing once closed (a reader left behind by an escaped process)."""
        with self._lock:
            if self._file is not None:
                self._file.write(data)
                self._file.flush()

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


class _Capture(threading.Thread):
    """Reads one stream to its end, keeping its beginning and its end within KEPT_BYTES each."""

    def __init__(self, stream: IO[bytes], log: _Log) -> None:
        super().__init__(daemon=True)
        self._stream, self._log = stream, log
        self._head, self._tail = bytearray(), bytearray()
        self._dropped = 0

    def run(self) -> None:
        with contextlib.suppress(OSError), self._stream:
            while data := os.read(self._stream.fileno(), 1 << 16):
                self._log.write(data)
                self._keep(data)

    def _keep(self, data: bytes) -> None:
        room = KEPT_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[max(room, 0) :]
        surplus = len(self._tail) - KEPT_BYTES
        if surplus > KEPT_BYTES:  # trimmed rarely: each trim moves the whole tail
            del self._tail[:surplus]
            self._dropped += surplus

    def text(self) -> str:
        """Return what was kept, undecodable bytes replaced, line ends as LF."""
        surplus = max(len(self._tail) - KEPT_BYTES, 0)
        dropped = self._dropped + surplus
        middle = f"\n[... {dropped} bytes left out ...]\n".encode() if dropped else b""
        data = bytes(self._head) + middle + bytes(self._tail[surplus:])
        return data.decode("utf-8", errors="replace").replace("\r\n", "\n")


def _missing(command: Sequence[str], cwd: Path | None, error: OSError) -> CmaketoolError:
    if cwd is not None and not cwd.is_dir():
        return CmaketoolError(Diagnostic(f"no folder {cwd} to run {command[0]} in", "missing-folder"))
    reason = error.strerror or str(error)
    return CmaketoolError(
        Diagnostic(f"cannot run {command[0]}: {reason}", "missing-program", remedy=f"install {command[0]}")
    )


def _start(
    command: Sequence[str],
    cwd: Path | None,
    env: Mapping[str, str | None] | None,
    *,
    feed: bool,
    merged: bool,
) -> subprocess.Popen[bytes]:
    """Start `command` in a group of its own and enter it in the list that `cancel_all` ends."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
    with _lock:  # so that no command slips in between cancel_all's flag and its list
        if _cancelled.is_set():
            raise Cancelled(command[0])
        try:
            child = subprocess.Popen(
                list(command),
                cwd=cwd,
                env=None if env is None else {n: value for n, value in env.items() if value is not None},
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merged else subprocess.PIPE,
                start_new_session=True,
                creationflags=flags,
            )
        except OSError as error:
            raise _missing(command, cwd, error) from error
        _active.add(child)
    return child


def _signal(child: subprocess.Popen[bytes], *, gently: bool) -> bool:
    """Signal the whole group of `child`; say whether there was anything left to signal."""
    if sys.platform == "win32":
        if child.poll() is None:  # taskkill finds the tree only while its root lives
            kill = ["taskkill", "/T", "/F", "/PID", str(child.pid)]
            subprocess.run(kill, capture_output=True, check=False)
        return False
    try:
        os.killpg(child.pid, signal.SIGTERM if gently else signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
        return False
    return True


def _alive(child: subprocess.Popen[bytes]) -> bool:
    if sys.platform == "win32":
        return child.poll() is None
    try:
        os.killpg(child.pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _end(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """End the groups of `children`, grandchildren too: asked, given a short grace together, then killed."""
    left = [child for child in children if _signal(child, gently=True)]
    limit = time.monotonic() + _GRACE
    while left and time.monotonic() < limit:
        time.sleep(0.01)
        left = [child for child in left if child.poll() is None or _alive(child)]
    for child in left:
        _signal(child, gently=False)


def _feed(child: subprocess.Popen[bytes], data: bytes) -> None:
    """Write `data` to the command's standard input in a thread, so that no full pipe blocks both sides."""
    stdin = child.stdin
    assert stdin is not None  # noqa: S101  asked for by the caller

    def write() -> None:
        with contextlib.suppress(OSError, ValueError), stdin:  # a command need not read its input
            stdin.write(data)

    threading.Thread(target=write, daemon=True).start()


def _wait(child: subprocess.Popen[bytes], timeout: float) -> bool:
    """Wait for `child`, `timeout` seconds at most; say whether that was too short.

    A thread waits, because Popen.wait with a timeout polls and notices the end up to 50 ms late.
    """
    waiter = threading.Thread(target=child.wait, daemon=True)
    waiter.start()
    waiter.join(timeout)
    return waiter.is_alive()


def _finish(child: subprocess.Popen[bytes], captures: Sequence[_Capture]) -> None:
    """End what is left of the group, collect the command, and read the pipes to their end."""
    if child.poll() is not None:
        for capture in captures:
            capture.join(_DRAIN)
    _end([child])
    child.wait()
    for capture in captures:
        capture.join(_DRAIN)  # a process that left the group may still hold the pipe
    with _lock:
        _active.discard(child)


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str | None] | None = None,
    timeout: float,
    input: bytes | None = None,  # noqa: A002  subprocess's word
    log: Path | None = None,
    merged: bool = False,
) -> Result:
    """Run `command` (no shell) and return what it left, whatever its exit code.

    `env` is the whole environment (None: ours), and what has the value None in it is not set; `timeout` is in
    seconds, `input` goes to standard input (None: empty), `log` is a file that gets the command and all of
    both streams as they come; `merged`: what goes to standard error is in the output, in its place. Anything
    the command started is ended when it ends. Safe to call from several threads.

    Raises CmaketoolError when the program cannot be started, Cancelled after `cancel_all()`.
    """
    begin = time.monotonic()
    with contextlib.closing(_Log(log, command)) as record:
        child = _start(command, cwd, env, feed=input is not None, merged=merged)
        streams = (child.stdout, child.stderr)
        captures = [_Capture(stream, record) for stream in streams if stream is not None]
        try:
            for capture in captures:
                capture.start()
            if input is not None:
                _feed(child, input)
            timed_out = _wait(child, timeout)
        finally:  # after Ctrl-C too
            _finish(child, captures)
    if _cancelled.is_set():
        raise Cancelled(command[0])
    output, errors = [*(capture.text() for capture in captures), ""][:2]
    seconds = time.monotonic() - begin
    return Result(tuple(command), child.returncode, output, errors, seconds, timed_out)


def cancel_all() -> None:
    """End every running command with all it started, in every thread, and let no new one start.

    Returns when they are ended. The threads' `run` raises Cancelled.
    """
    _cancelled.set()
    with _lock:
        children = tuple(_active)
    _end(children)


def resume() -> None:
    """Let commands run again after `cancel_all()`, for a program that goes on."""
    _cancelled.clear()


atexit.register(cancel_all)  # a daemon thread's command would outlive us
