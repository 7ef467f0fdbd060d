"""ARM64 Windows programs: what to put where, relocated, and what they import.

Layouts are those of Microsoft's "PE Format" (learn.microsoft.com/windows/win32/debug/pe-format). What is for
unwinding and debugging is passed over.
"""

from __future__ import annotations

import struct
from mmap import mmap
from typing import TYPE_CHECKING, NamedTuple

from cmaketool.toolchains.aarch64_image import Segment, UnusableProgramError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["Image", "Import", "Tls", "load"]

_ARM64, _X64 = 0xAA64, 0x8664
_MACHINES = {0x014C: "32-bit x86", 0x01C4: "32-bit ARM", _X64: "x64", 0xA641: "ARM64EC", 0xA64E: "ARM64X"}
_PE32_PLUS, _CONSOLE = 0x20B, 3
_RELOCATIONS_STRIPPED, _DLL = 0x0001, 0x2000
_IMPORTS, _RELOCATIONS, _TLS, _LOAD_CONFIGURATION = 1, 5, 9, 10  # data directories
_CHPE_METADATA = 200  # where a load configuration points to what makes x64 code ARM64EC
_PADDING, _POINTER = 0, 10  # kinds of relocations
_BY_ORDINAL = 1 << 63
_OTHER_BASE = 0x7FF6_0000_0000  # for a program whose own addresses are taken
_LARGEST = 1 << 29
_DAMAGE = (struct.error, ValueError, OverflowError)  # what comes of an address that is not the program's

_FILE_HEADER = struct.Struct("<HH12xHH")
_OPTIONAL_HEADER = struct.Struct("<H14xI4xQ24xII4xH2xQ28xI")
_DIRECTORY = struct.Struct("<II")
_SECTION = struct.Struct("<8sIIII12xI")
_IMPORT = struct.Struct("<I8xII")
_TLS_DIRECTORY = struct.Struct("<QQQQI4x")
_HALF, _WORD, _LONG = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<Q")


class Import(NamedTuple):
    """A function of another file: its pointer is to be put at the address `slot`."""

    slot: int
    dll: str
    name: str

    def __str__(self) -> str:
        return f"{self.dll}!{self.name}"


class Tls(NamedTuple):
    """What a thread has of its own: how it begins, and the address where the program looks for its number."""

    data: bytes
    slot: int


class Image(NamedTuple):
    """A program at the addresses where it will run. Its segments are the headers, and every section."""

    base: int
    entry: int
    stack_size: int  # bytes
    segments: tuple[Segment, ...]
    imports: tuple[Import, ...]
    tls: Tls | None

    def section(self, address: int) -> str | None:
        """Return ".text+0x10" for an address inside a section."""
        for one in self.segments:
            if one.address <= address < one.address + one.size:
                return f"{one.name}+{address - one.address:#x}"
        return None


def load(path: Path, taken: Sequence[range] = ()) -> Image:
    """Read the program `path`, and move it elsewhere if its addresses touch one of those that are `taken`.

    Raises UnusableProgramError, OSError.
    """
    try:
        program = _Program(path.read_bytes())
        program.move(taken)
        return program.image()
    except _DAMAGE:
        raise UnusableProgramError("the program is cut off or damaged") from None


class _Section(NamedTuple):
    name: str
    address: int
    size: int  # in memory
    stored: int  # bytes of it in the file
    protection: int


class _Program:
    """A program's bytes as they stand in memory, and its headers. Addresses are relative to the base.

    Every method raises UnusableProgramError, and _DAMAGE.
    """

    def __init__(self, content: bytes) -> None:
        begin = _WORD.unpack_from(content, 60)[0] if content[:2] == b"MZ" else 0
        if content[begin : begin + 4] != b"PE\0\0":
            raise UnusableProgramError("not a Windows program")
        self._machine, count, size, self._flags = _FILE_HEADER.unpack_from(content, begin + 4)
        if self._machine not in {_ARM64, _X64}:
            self._refuse_machine(_MACHINES.get(self._machine, f"machine {self._machine:#06x}"))
        begin += 4 + _FILE_HEADER.size
        magic, self._entry, self.base, self._size, headers_size, subsystem, self._stack_size, directories = (
            _OPTIONAL_HEADER.unpack_from(content, begin)
        )
        if magic != _PE32_PLUS or self._size > _LARGEST:
            raise ValueError("no 64-bit program, or too much of it")
        table = content[begin + _OPTIONAL_HEADER.size : begin + size][: directories * _DIRECTORY.size]
        self._directories = list(_DIRECTORY.iter_unpack(table))
        self._memory = mmap(-1, self._size)  # costs nothing where nothing is written: much may be zeros
        self._sections = [self._put(content, (b"headers", headers_size, 0, headers_size, 0, 1 << 30))]
        headers = content[begin + size :][: count * _SECTION.size]
        self._sections += [self._put(content, header) for header in _SECTION.iter_unpack(headers)]
        self._refuse(subsystem)

    def _put(self, content: bytes, header: tuple[bytes, int, int, int, int, int]) -> _Section:
        name, size, address, stored, offset, flags = header
        size = size or stored
        stored = min(size, stored)
        if address + size > self._size or offset + stored > len(content):
            raise ValueError("a section is not there")
        self._memory[address : address + stored] = content[offset : offset + stored]
        protection = flags >> 30 & 3 | flags >> 27 & 4  # bits 29 to 31: execute, read, write
        text = name.rstrip(b"\0").decode("ascii", "replace")
        return _Section(text, address, size, stored, protection)

    def _refuse_machine(self, machine: str) -> None:
        raise UnusableProgramError(f"the program is for {machine}, and only programs for ARM64 can be run")

    def _refuse(self, subsystem: int) -> None:
        """Refuse what is a program, but none that can be run here."""
        if self._machine == _X64:
            at, size = self._directory(_LOAD_CONFIGURATION)
            mixed = size > _CHPE_METADATA and self._long(at + _CHPE_METADATA) != 0
            self._refuse_machine("ARM64EC (x64 on the outside)" if mixed else "x64")
        if self._flags & _DLL or self._entry == 0:
            raise UnusableProgramError("a library, not a program")
        if subsystem != _CONSOLE:
            raise UnusableProgramError(f"not a console program (its subsystem is {subsystem})")

    def _directory(self, number: int) -> tuple[int, int]:
        return self._directories[number] if number < len(self._directories) else (0, 0)

    def _long(self, address: int) -> int:
        (value,) = _LONG.unpack_from(self._memory, address)
        return int(value)

    def _text(self, address: int) -> str:
        end = self._memory.find(b"\0", address)
        if end < 0:
            raise ValueError("a text without end")
        return self._memory[address:end].decode("ascii", "replace")

    def move(self, taken: Sequence[range]) -> None:
        """Choose other addresses if one of the program's is taken."""
        if not any(self.base < one.stop and one.start < self.base + self._size for one in taken):
            return
        if self._flags & _RELOCATIONS_STRIPPED:
            raise UnusableProgramError(f"the program cannot be moved, and its place {self.base:#x} is taken")
        for address in self._pointers():
            _LONG.pack_into(self._memory, address, self._long(address) - self.base + _OTHER_BASE)
        self.base = _OTHER_BASE

    def _pointers(self) -> Iterator[int]:
        """Yield where the addresses stand that change with the base."""
        at, size = self._directory(_RELOCATIONS)
        end = at + size
        while at < end:
            page, length = _DIRECTORY.unpack_from(self._memory, at)
            if length < _DIRECTORY.size:
                raise ValueError("a block of relocations without end")
            for place in range(at + _DIRECTORY.size, at + length, 2):
                (entry,) = _HALF.unpack_from(self._memory, place)
                kind = entry >> 12
                if kind not in {_PADDING, _POINTER}:
                    raise UnusableProgramError(f"the program has relocations of an unknown kind ({kind})")
                if kind == _POINTER:
                    yield page + (entry & 0xFFF)
            at += length

    def _imports(self) -> Iterator[Import]:
        at, size = self._directory(_IMPORTS)
        while size:
            names, dll, slots = _IMPORT.unpack_from(self._memory, at)
            if dll == 0:
                break
            at += _IMPORT.size
            names = names or slots
            while (entry := self._long(names)) != 0:
                self._long(slots)  # it is there
                name = f"#{entry & 0xFFFF}" if entry & _BY_ORDINAL else self._text((entry & 0x7FFFFFFF) + 2)
                yield Import(self.base + slots, self._text(dll), name)
                names, slots = names + _LONG.size, slots + _LONG.size

    def _tls(self) -> Tls | None:
        at, size = self._directory(_TLS)
        if size == 0:
            return None
        begin, end, index, callbacks, zeros = _TLS_DIRECTORY.unpack_from(self._memory, at)
        if callbacks and self._long(callbacks - self.base):
            raise UnusableProgramError("the program has TLS callbacks, which are not run here")
        inside = self.base <= begin <= end <= self.base + self._size
        if not inside or zeros > self._size or not self.base <= index < self.base + self._size:
            raise ValueError("thread-local data is not there")
        return Tls(self._memory[begin - self.base : end - self.base] + bytes(zeros), index)

    def _segment(self, one: _Section) -> Segment:
        data = self._memory[one.address : one.address + one.stored]
        return Segment(self.base + one.address, one.size, data, one.protection, one.name)

    def image(self) -> Image:
        """Return what is to be run."""
        return Image(
            base=self.base,
            entry=self.base + self._entry,
            stack_size=self._stack_size,
            segments=tuple(map(self._segment, sorted(self._sections, key=lambda one: one.address))),
            imports=tuple(self._imports()),
            tls=self._tls(),
        )
