"""Static AArch64 ELF programs: what to put where, and which function an address is in."""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cmaketool.toolchains.aarch64_image import Segment, UnusableProgramError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Image", "load"]

_PIE_BASE = 0x400000
_AARCH64 = 183
_EXECUTABLE, _SHARED = 2, 3
_LOAD, _INTERPRETER = 1, 3
_SYMTAB, _FUNCTION = 2, 2
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


class _Image(NamedTuple):
    content: bytes
    base: int
    entry: int
    header_table: int  # address of the program headers, for AT_PHDR
    header_count: int
    segments: tuple[Segment, ...]


class Image(_Image):
    """A program at the addresses where it will run."""

    def function(self, address: int) -> str | None:
        """Return "name+0x10" for an address inside a function of the symbol table."""
        for name, start, size in self._functions:
            if start <= address < start + size:
                return f"{name}+{address - start:#x}"
        return None

    def addresses(self, function: str) -> range:
        """Return the addresses of the one function of that name. Raises KeyError if there is not one."""
        found = [range(start, start + size) for name, start, size in self._functions if name == function]
        if len(found) != 1:
            raise KeyError(f"{len(found)} functions are named {function}")
        return found[0]

    @property
    def entries(self) -> dict[int, str]:
        """Where functions begin, and their names (of several at one address, one)."""
        return {start: name for name, start, _ in self._functions}

    @cached_property
    def _functions(self) -> list[tuple[str, int, int]]:
        header = _HEADER.unpack_from(self.content)
        offset, size, count = header[6], header[11], header[12]
        sections = [_SECTION_HEADER.unpack_from(self.content, offset + size * i) for i in range(count)]
        found = []
        for _, kind, _, _, start, length, link, *_ in sections:
            if kind != _SYMTAB:
                continue
            names = sections[link][4]
            for name, info, _, _, value, extent in _SYMBOL.iter_unpack(self.content[start : start + length]):
                if info & 0xF == _FUNCTION:
                    end = self.content.index(b"\0", names + name)
                    text = self.content[names + name : end].decode("utf-8", errors="replace")
                    found.append((text, self.base + value, extent))
        return found


def load(path: Path) -> Image:
    """Read the program `path`. Raises UnusableProgramError, OSError."""
    content = path.read_bytes()
    if len(content) < _HEADER.size or content[:6] != b"\x7fELF\x02\x01":
        raise UnusableProgramError("not a 64-bit little-endian ELF file")
    _, kind, machine, _, entry, table, _, _, _, _, count, *_ = _HEADER.unpack_from(content)
    if machine != _AARCH64 or kind not in {_EXECUTABLE, _SHARED}:
        raise UnusableProgramError("not an AArch64 program")
    base = _PIE_BASE if kind == _SHARED else 0
    headers = [_PROGRAM_HEADER.unpack_from(content, table + i * _PROGRAM_HEADER.size) for i in range(count)]
    if any(header[0] == _INTERPRETER for header in headers):
        raise UnusableProgramError("needs a dynamic loader; link it with -static")
    segments, header_address = [], 0
    for header_kind, flags, offset, address, _, length, size, _ in headers:
        if header_kind != _LOAD:
            continue
        protection = (flags & 2) | (flags & 1) << 2 | (flags & 4) >> 2  # ELF's R and X bits are swapped
        segments.append(Segment(base + address, size, content[offset : offset + length], protection))
        if offset <= table < offset + length:
            header_address = base + address + table - offset
    return Image(content, base, base + entry, header_address, count, tuple(segments))
