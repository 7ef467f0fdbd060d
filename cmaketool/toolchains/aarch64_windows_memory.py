"""The functions of KERNEL32.dll that give memory: pages, and blocks of the process's heap.

A block ends where its pages do, as nearly as its alignment allows, and the page behind it is nobody's: who
writes past it is found. A freed one's pages are gone.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from cmaketool.toolchains.aarch64_cpu import EMULATOR_FAULT, Ended
from cmaketool.toolchains.aarch64_memory import PAGE, page_down, page_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from cmaketool.toolchains.aarch64_memory import Memory
    from cmaketool.toolchains.aarch64_windows_thread import Thread

__all__ = ["Pages"]

_NOT_ENOUGH_MEMORY, _INVALID_PARAMETER, _INVALID_ADDRESS = 8, 87, 487  # winerror.h
_COMMIT, _RESERVE, _RELEASE = 0x1000, 0x2000, 0x8000
_GRANULARITY = 0x10000  # of what VirtualAlloc reserves
_ALIGNMENT = 16  # of blocks
# PAGE_NOACCESS, _READONLY, _READWRITE, _EXECUTE, _EXECUTE_READ, _EXECUTE_READWRITE
_PROTECTIONS = {0x01: 0, 0x02: 1, 0x04: 3, 0x10: 4, 0x20: 5, 0x40: 7}
_NAMES = {protection: name for name, protection in _PROTECTIONS.items()}
_READ_WRITE = 3


class Pages:
    """Answers calls."""

    def __init__(self, memory: Memory, thread: Thread) -> None:
        self._memory, self._thread = memory, thread
        self._reserved: dict[int, int] = {}  # address -> size, of what VirtualAlloc reserved
        self._blocks: dict[int, int] = {}  # address -> size, of the heap

    @property
    def functions(self) -> dict[str, tuple[str, Callable[..., int]]]:
        """Each function by name: a letter for each argument (d: 32 bits, p: 64), and what answers it."""
        return {
            "GetProcessHeap": ("", self._get_process_heap),
            "HeapAlloc": ("pdp", self._heap_alloc),
            "HeapFree": ("pdp", self._heap_free),
            "VirtualAlloc": ("ppdd", self._virtual_alloc),
            "VirtualFree": ("ppd", self._virtual_free),
            "VirtualProtect": ("ppdp", self._virtual_protect),
        }

    def _get_process_heap(self) -> int:
        return self._thread.process_block  # any number will do

    def _heap_alloc(self, _heap: int, _flags: int, size: int) -> int:
        rounded = -(-size // _ALIGNMENT) * _ALIGNMENT
        pages = self._memory.allocate(rounded or 1, _READ_WRITE)
        if pages == 0:
            return 0  # and what GetLastError says is documented to mean nothing
        block = pages + -rounded % PAGE
        self._blocks[block] = rounded
        return block

    def _heap_free(self, _heap: int, _flags: int, block: int) -> int:
        if block == 0:
            return 1
        if block not in self._blocks:
            raise Ended(EMULATOR_FAULT, f"HeapFree of {block:#x}, where no block is")
        size = self._blocks.pop(block)
        self._memory.unmap(page_down(block), page_up(size or 1))
        return 1

    def _virtual_alloc(self, address: int, size: int, kind: int, protect: int) -> int:
        if kind & ~(_COMMIT | _RESERVE) or kind == 0:
            raise Ended(EMULATOR_FAULT, f"VirtualAlloc of the type {kind:#x} is not emulated")
        protection = self._protection("VirtualAlloc", protect)
        if size == 0:
            return self._thread.fail(_INVALID_PARAMETER)
        if address and not kind & _RESERVE:
            begin, length = self._whole(address, size)
            if not self._memory.protect(begin, length, protection):
                return self._thread.fail(_INVALID_ADDRESS)
            return begin
        return self._reserve(address, size, protection if kind & _COMMIT else 0)

    def _reserve(self, address: int, size: int, protection: int) -> int:
        begin = address & -_GRANULARITY
        length = page_up(address + size) - begin
        if begin == 0:
            begin = self._memory.allocate(length, protection, _GRANULARITY)
        elif not self._memory.is_free(begin, length):
            return self._thread.fail(_INVALID_ADDRESS)
        elif not self._memory.map(begin, length, protection):
            begin = 0
        if begin == 0:
            return self._thread.fail(_NOT_ENOUGH_MEMORY)
        self._reserved[begin] = length
        return begin

    def _virtual_free(self, address: int, size: int, kind: int) -> int:
        if kind != _RELEASE:
            raise Ended(EMULATOR_FAULT, f"VirtualFree of the type {kind:#x} is not emulated")
        if size or address not in self._reserved:
            return self._thread.fail(_INVALID_PARAMETER if size else _INVALID_ADDRESS)
        self._memory.unmap(address, self._reserved.pop(address))
        return 1

    def _virtual_protect(self, address: int, size: int, protect: int, old: int) -> int:
        protection = self._protection("VirtualProtect", protect)
        before = self._memory.protection(address)
        begin, length = self._whole(address, size)
        if before is None or not self._memory.protect(begin, length, protection):
            return self._thread.fail(_INVALID_ADDRESS)
        self._memory.write(old, struct.pack("<I", _NAMES.get(before, 0)))
        return 1

    def _whole(self, address: int, size: int) -> tuple[int, int]:
        begin = page_down(address)
        return begin, page_up(address + size) - begin

    def _protection(self, function: str, protect: int) -> int:
        if protect not in _PROTECTIONS:
            raise Ended(EMULATOR_FAULT, f"{function} with the protection {protect:#x} is not emulated")
        return _PROTECTIONS[protect]
