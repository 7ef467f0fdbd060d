"""What the one thread of a Windows program finds when it begins: its stack, and the blocks behind x18.

Of the thread's and the process's environment blocks only those fields are there that compiled code, start-up
code and thread-local variables use; the others are 0. Offsets are those of winnt.h's NT_TIB, and of TEB and
PEB in the public symbols of Windows.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from cmaketool.toolchains.aarch64_image import UnusableProgramError
from cmaketool.toolchains.aarch64_memory import PAGE, SYSTEM, page_up

if TYPE_CHECKING:
    from cmaketool.toolchains.aarch64_memory import Memory
    from cmaketool.toolchains.aarch64_pe import Image, Tls

__all__ = ["Thread"]

_TEB_SIZE, _PEB_SIZE = 2 * PAGE, PAGE
_STACK_BASE, _STACK_LIMIT, _SELF, _CLIENT, _TLS, _PEB, _LAST_ERROR, _DEALLOCATION = (
    0x08, 0x10, 0x30, 0x40, 0x58, 0x60, 0x68, 0x1478,
)  # fmt: skip
_IMAGE_BASE = 0x10  # in the PEB
_PROCESS_ID = 1000
_READ_WRITE = 3


class Thread:
    """The thread's memory. The whole stack is there from the beginning; no page is mapped below it.

    Raises UnusableProgramError when there is no room for what the program asks for.
    """

    def __init__(self, memory: Memory, image: Image) -> None:
        self._memory = memory
        size = page_up(image.stack_size or PAGE)
        self.stack = range(SYSTEM.stop - size, SYSTEM.stop)
        if not memory.map(self.stack.start, size, _READ_WRITE):
            raise UnusableProgramError(f"there is no room for a stack of {size} bytes")
        self.process_block = self._room(_PEB_SIZE)
        self.block = self._room(_TEB_SIZE)
        self._put(self.process_block + _IMAGE_BASE, image.base)
        for offset, value in (
            (_STACK_BASE, self.stack.stop),
            (_STACK_LIMIT, self.stack.start),
            (_DEALLOCATION, self.stack.start - PAGE),
            (_SELF, self.block),
            (_CLIENT, _PROCESS_ID),
            (_CLIENT + 8, _PROCESS_ID),
            (_PEB, self.process_block),
        ):
            self._put(self.block + offset, value)
        if image.tls is not None:
            self._put_thread_local(image.tls)

    @property
    def last_error(self) -> int:
        """What GetLastError answers."""
        (code,) = struct.unpack("<I", self._memory.read(self.block + _LAST_ERROR, 4))
        return int(code)

    @last_error.setter
    def last_error(self, code: int) -> None:
        self._memory.write(self.block + _LAST_ERROR, struct.pack("<I", code))

    def fail(self, code: int) -> int:
        """Set what GetLastError answers; return 0, which most functions answer when they fail."""
        self.last_error = code
        return 0

    def _room(self, size: int) -> int:
        address = self._memory.allocate(size, _READ_WRITE)
        if address == 0:
            raise UnusableProgramError(f"there is no room for thread-local data of {size} bytes")
        return address

    def _put(self, address: int, value: int) -> None:
        self._memory.write(address, struct.pack("<Q", value))

    def _put_thread_local(self, tls: Tls) -> None:
        """Give the program's thread-local data the number 0, the first of the thread's table."""
        block, table = self._room(len(tls.data) or 1), self._room(PAGE)
        self._memory.write(block, tls.data)
        self._put(table, block)
        self._put(self.block + _TLS, table)
        self._memory.write(tls.slot, struct.pack("<I", 0))
