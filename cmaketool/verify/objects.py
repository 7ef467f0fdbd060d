"""What an object file or a program holds: functions with their instructions and direct calls, data, needs.

Reads ELF, COFF, PE and Mach-O for arm64, arm64ec and x86-64. Instructions are decoded only when asked for.
"""

from __future__ import annotations

import io
import struct
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cmaketool import disassembly
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.verify import formats

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cmaketool.verify.formats import Image, Place

__all__ = ["Function", "ObjectFile", "closure", "reachable", "read", "slices"]


@dataclass(frozen=True, eq=False)
class Function:
    """A function: `local` when no other file can name it, `weak` when a linker may take another definition.

    Names are as in C: without the underscore of Mach-O and the `#` of ARM64EC.
    """

    name: str
    local: bool
    weak: bool
    section: int = field(repr=False)
    ranges: tuple[tuple[int, int], ...] = field(repr=False)  # in the section; data in the code left out
    _code: _Code = field(repr=False)

    @cached_property
    def mnemonics(self) -> Mapping[str, int]:
        """Normalised mnemonics (see `disassembly`) with their numbers."""
        data = self._code.image.sections[self.section].data
        counts: Counter[str] = Counter()
        for start, end in self.ranges:
            counts.update(disassembly.mnemonics(self._code.image.architecture, data[start:end]))
        return counts

    @cached_property
    def targets(self) -> tuple[tuple[str, Function | None], ...]:
        """Names of what it calls or jumps to directly, with the function where it is in this file."""
        found = {(name, function) for name, function in self._code.targets(self.section, self.ranges)}
        return tuple(sorted(found - {(self.name, self)}, key=lambda item: item[0]))

    @property
    def base(self) -> str:
        """The name without what link-time optimisers add (.lto_priv.0, .constprop.0, .7)."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, eq=False)
class ObjectFile:
    """One file that was read.

    `is_bitcode`: the machine code is made at link time (LLVM bitcode, GCC's or cl's LTO), so evidence stands
    in the linked program. `unnamed`: code that no function symbol covers, one entry a section. `undefined`:
    names of what other files must supply.
    """

    path: Path
    format: str  # elf, coff, macho; bitcode where there is nothing but that
    architecture: str | None
    is_bitcode: bool
    functions: tuple[Function, ...] = ()
    unnamed: tuple[Function, ...] = ()
    undefined: tuple[str, ...] = ()
    contents: bytes = field(default=b"", repr=False)  # of bitcode

    def function(self, name: str) -> Function | None:
        """Return the function of that name, one that other files can name before a local one."""
        return self._by_name.get(name)

    def become(self, symbol: str) -> list[Function]:
        """Return the functions that `symbol` has become: itself, and what optimisers split off or cloned."""
        return [function for function in self.functions if function.base == symbol]

    def mentions(self, name: str) -> bool:
        """Say whether bitcode names `name` (both compilers keep names as plain bytes)."""
        return name.encode() in self.contents

    @cached_property
    def _by_name(self) -> Mapping[str, Function]:
        ordered = sorted(self.functions, key=lambda function: function.local, reverse=True)
        return {function.name: function for function in ordered}


def reachable(object_file: ObjectFile, symbol: str) -> Counter[str]:
    """Count the mnemonics in `symbol` and in the local functions that it reaches by direct calls or jumps."""
    counts: Counter[str] = Counter()
    for function in closure(object_file.become(symbol)):
        counts.update(function.mnemonics)
    return counts


def closure(functions: Iterable[Function]) -> list[Function]:
    """Return `functions` and the local ones that they reach by direct calls, each once."""
    waiting = list(functions)
    found: dict[int, Function] = {}
    while waiting:
        function = waiting.pop()
        if id(function) not in found:
            found[id(function)] = function
            waiting.extend(callee for _, callee in function.targets if callee is not None and callee.local)
    return list(found.values())


def read(path: Path, architecture: str | None = None) -> ObjectFile:
    """Read an object file, a program or a shared library.

    `architecture` picks the slice of a universal file (default: its first).
    Raises CmaketoolError for what is no such file, or for a machine that has no kernels.
    """
    contents = _slice(path.read_bytes(), architecture)
    if _is_pure_bitcode(contents):
        return ObjectFile(path, "bitcode", None, is_bitcode=True, contents=contents)
    try:
        image = formats.convert(_parse(contents), contents)
    except (KeyError, StopIteration):
        message = f"'{path}' is no object file of a known format and machine"
        remedy = "ELF, COFF, PE and Mach-O for arm64, arm64ec and x86_64 can be read"
        raise CmaketoolError(Diagnostic(message, "unreadable-object", str(path), remedy=remedy)) from None
    bitcode = any(section.name.startswith((".gnu.lto_", ".llvm.lto")) for section in image.sections)
    code = _Code(image)
    defined = {symbol.name for symbol in image.symbols if symbol.place is not None}
    return ObjectFile(
        path,
        image.format,
        image.architecture,
        bitcode,
        code.functions,
        code.unnamed,
        tuple(sorted({symbol.name for symbol in image.symbols if symbol.place is None} - defined)),
        contents if bitcode else b"",
    )


def _is_pure_bitcode(contents: bytes) -> bool:
    if contents.startswith((b"BC\xc0\xde", b"\xde\xc0\x17\x0b")):
        return True
    # An anonymous COFF object that is no /bigobj one: cl's /GL.
    bigobj = bytes.fromhex("c7a1bad1eebaa94baf20faf66aa4dcb8")
    return contents.startswith(b"\x00\x00\xff\xff") and contents[12:28] not in {bigobj, b""}


def slices(path: Path) -> tuple[str | None, ...]:
    """Return the architectures for which a Mach-O file holds something; None: one without kernels."""
    contents = path.read_bytes()
    if contents.startswith(b"\xcf\xfa\xed\xfe"):
        return (formats.MACHO_MACHINES.get(int.from_bytes(contents[4:8], "little")),)
    return tuple(architecture for architecture, _, _ in _fat(contents))


def _fat(contents: bytes) -> list[tuple[str | None, int, int]]:
    """Return architecture, offset and size of the slices of a universal Mach-O file; none of any other."""
    widths = {b"\xca\xfe\xba\xbe": ">iiIII", b"\xca\xfe\xba\xbf": ">iiQQQ"}  # cputype, subtype, offset, size
    layout = widths.get(contents[:4])
    if layout is None:
        return []
    (count,) = struct.unpack_from(">I", contents, 4)
    step = struct.calcsize(layout)
    entries = (struct.unpack_from(layout, contents, 8 + index * step) for index in range(count))
    return [(formats.MACHO_MACHINES.get(machine), offset, size) for machine, _, offset, size, _ in entries]


def _slice(contents: bytes, architecture: str | None) -> bytes:
    """Return the slice of a universal Mach-O file (all of any other); empty if it has no such slice."""
    found = _fat(contents)
    if not found:
        return contents
    fitting = [contents[at : at + size] for name, at, size in found if architecture in {None, name}]
    return fitting[0] if fitting else b""


def _parse(contents: bytes) -> Any:
    import lief  # noqa: PLC0415  an extra; and slow to import

    lief.logging.disable()
    return lief.parse(io.BytesIO(contents))


class _Code:
    """The functions of an image, found by place."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._data: dict[int, list[tuple[int, int]]] = {}
        for (index, start), length in image.data:
            self._data.setdefault(index, []).append((start, start + length))
        functions: list[Function] = []
        unnamed: list[Function] = []
        self._starts: dict[int, list[int]] = {}
        self._at: dict[Place, Function] = {}
        by_section: dict[int, list[formats.Symbol]] = {}
        for symbol in image.symbols:
            if symbol.function and symbol.place is not None:
                by_section.setdefault(symbol.place[0], []).append(symbol)
        for index, section in enumerate(image.sections):
            if section.executable:
                here = self._named(index, by_section.get(index, []))
                functions += here
                unnamed += self._gaps(index, here)
        self.functions = tuple(functions)
        self.unnamed = tuple(unnamed)
        self._names = {function.name: function for function in functions if not function.local}

    def _named(self, index: int, symbols: list[formats.Symbol]) -> list[Function]:
        offsets = {symbol: symbol.place[1] for symbol in symbols if symbol.place is not None}
        starts = sorted(set(offsets.values()))
        self._starts[index] = starts
        made = []
        for symbol, start in offsets.items():
            following = bisect_right(starts, start)
            limit = starts[following] if following < len(starts) else self.image.sections[index].size
            end = start + symbol.size if symbol.size else limit
            ranges = self._without_data(index, start, end)
            function = Function(symbol.name, symbol.local, symbol.weak, index, ranges, self)
            made.append(function)
            if (index, start) not in self._at or not function.local:
                self._at[index, start] = function
        return made

    def _gaps(self, index: int, functions: list[Function]) -> list[Function]:
        covered = sorted(span for function in functions for span in function.ranges)
        end = 0
        gaps: list[tuple[int, int]] = []
        for start, stop in [*covered, (self.image.sections[index].size, 0)]:
            if start > end:
                gaps += self._without_data(index, end, start)
            end = max(end, stop)
        name = self.image.sections[index].name
        return [Function(name, True, False, index, tuple(gaps), self)] if gaps else []

    def _without_data(self, index: int, start: int, end: int) -> tuple[tuple[int, int], ...]:
        pieces = []
        for data_start, data_end in sorted(self._data.get(index, [])):
            if data_end > start and data_start < end:
                if data_start > start:
                    pieces.append((start, data_start))
                start = data_end
        if start < end:
            pieces.append((start, end))
        return tuple(pieces)

    def targets(
        self, index: int, ranges: tuple[tuple[int, int], ...]
    ) -> Iterable[tuple[str, Function | None]]:
        """Yield name and function of every direct call or jump that leaves the place it stands in."""
        section = self.image.sections[index]
        for start, end in ranges:
            code = section.data[start:end]
            for branch in disassembly.branches(self.image.architecture, code, section.address + start):
                found = self._target(index, branch)
                if found is not None:
                    yield found

    def _target(self, index: int, branch: disassembly.Branch) -> tuple[str, Function | None] | None:
        offset = branch.address - self.image.sections[index].address
        relocation = self._relocation(index, offset, branch.size)
        if relocation is not None:
            if relocation.place is None:
                return relocation.name, self._names.get(relocation.name)
            addend = relocation.addend
            if addend is None:
                addend = self._inline_addend(branch)
            return self._function_at((relocation.place[0], relocation.place[1] + addend))
        if branch.target is None:
            return None
        base = self.image.sections[index].address
        if base <= branch.target < base + self.image.sections[index].size:
            return self._function_at((index, branch.target - base))
        place = self.image.place(branch.target) if base or self.image.linked else None
        return self._function_at(place) if place is not None else None

    def _relocation(self, index: int, offset: int, size: int) -> formats.Target | None:
        if not self.image.relocations:
            return None
        places = ((index, offset + step) for step in range(size))
        return next((self.image.relocations[p] for p in places if p in self.image.relocations), None)

    def _inline_addend(self, branch: disassembly.Branch) -> int:
        if branch.target is None:
            return 0
        return branch.target - branch.address - (branch.size if self.image.architecture == "x86_64" else 0)

    def _function_at(self, place: Place) -> tuple[str, Function | None] | None:
        """Return the function that holds `place`, which need not be its first instruction."""
        starts = self._starts.get(place[0], [])
        position = bisect_right(starts, place[1])
        if position == 0:
            return None
        function = self._at[place[0], starts[position - 1]]
        return function.name, function
