"""The Linux system calls of a single-threaded AArch64 program without files, as an emulator needs them.

Nothing a program can see changes from run to run but the time: addresses, process id and random bytes are
fixed. There is no file system: nothing can be opened, and only descriptors 0 to 2 exist. Signals are never
delivered; one that the program sends to itself ends it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from cmaketool.toolchains.aarch64_cpu import EMULATOR_FAULT, Ended
from cmaketool.toolchains.aarch64_memory import PAGE, Memory, page_up
from cmaketool.toolchains.aarch64_stack import STACK_SIZE
from cmaketool.toolchains.aarch64_streams import Streams
from cmaketool.toolchains.unicorn_library import UnicornError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Linux", "name_of"]

_ENOENT, _EIO, _EBADF, _EAGAIN, _ENOMEM, _EFAULT, _EEXIST, _ENODEV, _EINVAL, _ENOTTY, _ESPIPE, _ENOSYS = (
    -2, -5, -9, -11, -12, -14, -17, -19, -22, -25, -29, -38,
)  # fmt: skip
_SIGPIPE = 13
_PID = 1000
_MAP_FIXED, _MAP_ANONYMOUS, _MAP_FIXED_NOREPLACE = 0x10, 0x20, 0x100000
_MREMAP_MAYMOVE = 1
_FUTEX_OPERATION, _FUTEX_WAIT = 0x7F, 0
_BILLION = 1_000_000_000

# What needs no work: what it answers.
_ANSWERS = {
    22: _EINVAL, 25: 0, 29: _ENOTTY, 48: _ENOENT, 56: _ENOENT, 62: _ESPIPE, 78: _ENOENT, 96: _PID, 99: 0,
    124: 0, 132: 0, 134: 0, 135: 0, 167: _EINVAL, 172: _PID, 173: 1, 174: 1000, 175: 1000, 176: 1000,
    177: 1000, 178: _PID, 233: 0, 283: _ENOSYS, 293: _ENOSYS,
}  # fmt: skip


def name_of(number: int) -> str:
    """Return the name of a system call."""
    from cmaketool import resources  # noqa: PLC0415  only an unknown one needs it

    lines = resources.text("toolchains", "aarch64_syscalls.txt").splitlines()
    return dict(line.split() for line in lines).get(str(number), "unknown")


class Linux:
    """Answers system calls. `clock` returns nanoseconds; `heap` is where brk begins."""

    def __init__(self, memory: Memory, heap: int, clock: Callable[[], int]) -> None:
        self._memory, self._clock = memory, clock
        self._heap = self._break = page_up(heap)
        self._slept = 0
        self.streams = Streams()
        self._calls: dict[int, Callable[..., int]] = {
            57: self._close, 63: self._read, 64: self._write, 65: self._readv, 66: self._writev,
            79: self._fstatat, 80: self._fstat, 93: self._exit, 94: self._exit, 98: self._futex,
            101: self._nanosleep, 113: self._clock_gettime, 114: self._clock_getres,
            115: self._clock_nanosleep,
            123: self._getaffinity, 129: self._kill, 130: self._kill, 131: self._tgkill,
            160: self._uname, 169: self._gettimeofday, 214: self._brk, 215: self._munmap,
            216: self._mremap, 222: self._mmap, 226: self._mprotect, 261: self._prlimit,
            278: self._getrandom,
        }  # fmt: skip

    def call(self, number: int, arguments: tuple[int, ...]) -> int:
        """Return the answer to a system call with its six arguments, negative for an error.

        Raises Ended when the program is over, or asks for something that is not here.
        """
        if number in _ANSWERS:
            return _ANSWERS[number]
        if number not in self._calls:
            message = f"system call {number} ({name_of(number)}) is not emulated"
            raise Ended(EMULATOR_FAULT, message)
        try:
            return self._calls[number](*arguments)
        except UnicornError:
            return _EFAULT
        except BrokenPipeError:
            raise Ended(128 + _SIGPIPE) from None
        except OSError as error:
            return -(error.errno or -_EIO)

    # Descriptors

    def _close(self, descriptor: int, *_: int) -> int:
        return 0 if descriptor <= 2 else _EBADF

    def _read(self, descriptor: int, address: int, size: int, *_: int) -> int:
        if descriptor != 0:
            return _EBADF
        data = self.streams.read(size)
        self._memory.write(address, data)
        return len(data)

    def _readv(self, descriptor: int, vector: int, count: int, *_: int) -> int:
        total = 0
        for address, size in self._vector(vector, count):
            done = self._read(descriptor, address, size) if size else 0
            if done < 0:
                return done
            total += done
            if done < size:
                break
        return total

    def _write(self, descriptor: int, address: int, size: int, *_: int) -> int:
        if descriptor not in {1, 2}:
            return _EBADF
        self.streams.write(descriptor, self._memory.read(address, size) if size else b"")
        return size

    def _writev(self, descriptor: int, vector: int, count: int, *_: int) -> int:
        return sum(self._write(descriptor, address, size) for address, size in self._vector(vector, count))

    def _vector(self, address: int, count: int) -> list[tuple[int, int]]:
        return list(struct.iter_unpack("<QQ", self._memory.read(address, 16 * count)))

    def _fstat(self, descriptor: int, address: int, *_: int) -> int:
        if descriptor > 2:
            return _EBADF
        pipe = struct.pack("<QQIIIIQQqiiq48x8x", 1, 1, 0o010600, 1, 1000, 1000, 0, 0, 0, PAGE, 0, 0)
        self._memory.write(address, pipe)
        return 0

    def _fstatat(self, folder: int, path: int, address: int, *_: int) -> int:
        return self._fstat(folder, address) if self._memory.read(path, 1) == b"\0" else _ENOENT

    # Time

    def _now(self) -> int:
        return self._clock() + self._slept

    def _clock_gettime(self, _clock: int, address: int, *_: int) -> int:
        self._memory.write(address, struct.pack("<qq", *divmod(self._now(), _BILLION)))
        return 0

    def _clock_getres(self, _clock: int, address: int, *_: int) -> int:
        if address:
            self._memory.write(address, struct.pack("<qq", 0, 1))
        return 0

    def _gettimeofday(self, address: int, *_: int) -> int:
        seconds, rest = divmod(self._now(), _BILLION)
        self._memory.write(address, struct.pack("<qq", seconds, rest // 1000))
        return 0

    def _nanosleep(self, address: int, *_: int) -> int:
        seconds, rest = struct.unpack("<qq", self._memory.read(address, 16))
        self._slept += seconds * _BILLION + rest  # time passes, but nobody waits for it
        return 0

    def _clock_nanosleep(self, _clock: int, flags: int, address: int, *_: int) -> int:
        return _EINVAL if flags else self._nanosleep(address)

    # The process

    def _exit(self, code: int, *_: int) -> int:
        raise Ended(code & 0xFF)

    def _kill(self, _process: int, signal: int, *_: int) -> int:
        if signal == 0:
            return 0
        raise Ended(128 + signal, f"the program ended itself by signal {signal}")

    def _tgkill(self, _group: int, thread: int, signal: int, *_: int) -> int:
        return self._kill(thread, signal)

    def _futex(self, address: int, operation: int, value: int, *_: int) -> int:
        if operation & _FUTEX_OPERATION != _FUTEX_WAIT:
            return 0
        if struct.unpack("<I", self._memory.read(address, 4))[0] != value & 0xFFFFFFFF:
            return _EAGAIN
        raise Ended(EMULATOR_FAULT, "the program waits for another thread, and there is none")

    def _getaffinity(self, _thread: int, size: int, address: int, *_: int) -> int:
        if size < 8:
            return _EINVAL
        self._memory.write(address, struct.pack("<Q", 1))
        return 8

    def _uname(self, address: int, *_: int) -> int:
        words = (b"Linux", b"localhost", b"6.1.0", b"#1", b"aarch64", b"")
        self._memory.write(address, b"".join(word.ljust(65, b"\0") for word in words))
        return 0

    def _prlimit(self, _process: int, _resource: int, _new: int, old: int, *_: int) -> int:
        if old:
            self._memory.write(old, struct.pack("<QQ", STACK_SIZE, STACK_SIZE))
        return 0

    def _getrandom(self, address: int, size: int, *_: int) -> int:
        size = min(size, 1 << 16)
        self._memory.write(address, bytes((i * 167 + 13) >> 3 & 0xFF for i in range(size)))
        return size

    # Memory

    def _brk(self, address: int, *_: int) -> int:
        if address < self._heap:
            return self._break
        old, new = page_up(self._break), page_up(address)
        if new > old and not (self._memory.is_free(old, new - old) and self._memory.map(old, new - old, 3)):
            return self._break
        if new < old:
            self._memory.unmap(new, old - new)
        self._break = address
        return address

    def _mmap(self, address: int, size: int, protection: int, flags: int, *_: int) -> int:
        if not flags & _MAP_ANONYMOUS:
            return _ENODEV
        size = page_up(size)
        if size == 0 or address % PAGE:
            return _EINVAL
        if flags & _MAP_FIXED_NOREPLACE and not self._memory.is_free(address, size):
            return _EEXIST
        if flags & (_MAP_FIXED | _MAP_FIXED_NOREPLACE):
            return address if self._memory.map(address, size, protection & 7) else _ENOMEM
        return self._memory.allocate(size, protection & 7) or _ENOMEM

    def _munmap(self, address: int, size: int, *_: int) -> int:
        if address % PAGE or size == 0:
            return _EINVAL
        self._memory.unmap(address, page_up(size))
        return 0

    def _mprotect(self, address: int, size: int, protection: int, *_: int) -> int:
        if address % PAGE:
            return _EINVAL
        return 0 if self._memory.protect(address, page_up(size), protection & 7) else _ENOMEM

    def _mremap(self, address: int, old: int, new: int, flags: int, *_: int) -> int:
        old, new = page_up(old), page_up(new)
        if address % PAGE or new == 0:
            return _EINVAL
        if new <= old:
            self._memory.unmap(address + new, old - new)
            return address
        if not flags & _MREMAP_MAYMOVE:
            return _ENOMEM
        moved = self._memory.allocate(new, 3)
        if moved == 0:
            return _ENOMEM
        self._memory.write(moved, self._memory.read(address, old))
        self._memory.unmap(address, old)
        return moved
