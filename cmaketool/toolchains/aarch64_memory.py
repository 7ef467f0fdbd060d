"""The memory of an emulated program: pages that are mapped, protected and taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cmaketool.toolchains.aarch64_image import Segment
    from cmaketool.toolchains.unicorn_library import Engine

__all__ = ["PAGE", "SYSTEM", "Memory", "page_down", "page_up"]

PAGE = 0x1000
# Addresses that the system chooses: given out upwards and never twice, with the stack at the end.
SYSTEM = range(0x20_0000_0000, 0x40_0000_0000)
_LIMIT = 1 << 30  # bytes of all together
_EXECUTE = 4


def page_down(address: int) -> int:
    """Return the beginning of the page of `address`."""
    return address & -PAGE


def page_up(address: int) -> int:
    """Return `address`, or the beginning of the next page if it is inside one."""
    return -(-address // PAGE) * PAGE


class Memory:
    """Pages of one emulator. Addresses and sizes are multiples of PAGE; `protection` is as in mmap."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._next = SYSTEM.start
        self._used = 0
        self._known: list[tuple[int, int, int]] | None = None  # what unicorn says, until it changes
        self.is_changing = False  # when unicorn looks at pages for itself

    def map(self, address: int, size: int, protection: int) -> bool:
        """Map zeroed pages over whatever was there; say whether there was room."""
        if self._used + size > _LIMIT:
            return False
        self.unmap(address, size)
        self._change(self._engine.map, address, size, protection)
        self._used += size
        return True

    def place(self, segments: Iterable[Segment]) -> None:
        """Put a program, its segments in the order of their addresses, into memory."""
        end = shared = 0
        for segment in segments:
            begin = page_down(segment.address)
            if begin < end:  # a page of two segments allows what either does
                self.protect(begin, PAGE, segment.protection | shared)
                begin = end
            end, shared = page_up(segment.address + segment.size), segment.protection
            if begin < end:
                self.map(begin, end - begin, segment.protection)
            self.write(segment.address, segment.data)

    def allocate(self, size: int, protection: int, alignment: int = PAGE) -> int:
        """Map zeroed pages for `size` bytes, an unmapped one behind them; return their address, or 0."""
        size = page_up(size)
        address = -(-self._next // alignment) * alignment
        if not self.map(address, size, protection):
            return 0
        self._next = address + size + PAGE
        return address

    def unmap(self, address: int, size: int) -> None:
        """Unmap what is mapped of the range."""
        for begin, end in self._mapped(address, size):
            self._change(self._engine.unmap, begin, end - begin)
            self._used -= end - begin

    def protect(self, address: int, size: int, protection: int) -> bool:
        """Change the protection of what is mapped of the range; say whether all of it was."""
        mapped = self._mapped(address, size)
        for begin, end in mapped:
            self._change(self._engine.protect, begin, end - begin, protection)
            if protection & _EXECUTE:  # what was translated when it last was executable may be written over
                self._change(self._engine.forget_code, begin, end)
        self._change(self._engine.forget_translations)
        return sum(end - begin for begin, end in mapped) == size

    def protection(self, address: int) -> int | None:
        """Return the protection of the page of an address, None where there is no page."""
        found = (how for first, last, how in self._regions() if first <= address <= last)
        return next(found, None)

    def is_free(self, address: int, size: int) -> bool:
        """Say whether nothing is mapped in the range."""
        return not self._mapped(address, size)

    def read(self, address: int, size: int) -> bytes:
        """Return `size` bytes, whatever their protection. Raises UnicornError."""
        return self._engine.read(address, size)

    def text(self, address: int) -> bytes:
        """Return the bytes from an address to the next NUL. Raises UnicornError."""
        found = b""
        while b"\0" not in found:
            here = address + len(found)
            found += self.read(here, page_down(here) + PAGE - here)
        return found.partition(b"\0")[0]

    def write(self, address: int, data: bytes) -> None:
        """Write `data`, whatever the protection. Raises UnicornError."""
        self._engine.write(address, data)

    def _mapped(self, address: int, size: int) -> list[tuple[int, int]]:
        end = address + size
        return sorted(
            (max(address, first), min(end, last + 1))
            for first, last, _ in self._regions()
            if first < end and last >= address
        )

    def _change(self, what: Callable[..., None], *arguments: int) -> None:
        self.is_changing = True
        try:
            what(*arguments)
        finally:
            self.is_changing, self._known = False, None

    def _regions(self) -> list[tuple[int, int, int]]:
        """Return what is mapped: first and last address, protection."""
        if self._known is None:
            self._known = list(self._engine.regions())
        return self._known
