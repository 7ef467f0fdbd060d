"""LIEF's views of ELF, COFF, PE and Mach-O files brought into one small table.

A place in a file is a pair (index of the section, offset in it): sections of an object file have no addresses
that tell them apart.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["MACHO_MACHINES", "Image", "Place", "Section", "Symbol", "Target", "convert"]

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Section:
    """`data` is empty where the section is not executable: nothing reads it."""

    name: str
    address: int
    size: int
    executable: bool
    data: bytes


@dataclass(frozen=True, slots=True)
class Symbol:
    """`place` is None for what is undefined here; `size` is 0 where the format does not say."""

    name: str
    place: Place | None
    size: int
    function: bool
    local: bool
    weak: bool


@dataclass(frozen=True, slots=True)
class Target:
    """What a relocation refers to.

    `place` is None for a symbol of another file. `addend` is measured from the end of an x86-64 instruction,
    and None when it stands in the instruction itself.
    """

    name: str
    place: Place | None
    addend: int | None


@dataclass(slots=True)
class Image:
    """A file's sections, symbols and code relocations, and the stretches of code sections that hold data."""

    format: str
    architecture: str
    linked: bool
    sections: list[Section] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    relocations: dict[Place, Target] = field(default_factory=dict)
    data: list[tuple[Place, int]] = field(default_factory=list)  # place, length

    def place(self, address: int) -> Place | None:
        """Return the place of a virtual address in code; only for files whose sections have addresses."""
        for index, section in enumerate(self.sections):
            if section.executable and section.address <= address < section.address + section.size:
                return index, address - section.address
        return None


def convert(binary: Any, contents: bytes) -> Image:
    """Bring a parsed file into an Image; `contents` are the file's bytes.

    Raises KeyError for a machine that has no kernels, StopIteration for anything LIEF did not parse.
    """
    import lief  # noqa: PLC0415  an extra; and slow to import

    if isinstance(binary, lief.MachO.Binary):
        return _macho(binary, contents)
    readers: list[tuple[type, Callable[[Any], Image]]] = [
        (lief.ELF.Binary, _elf),
        (lief.PE.Binary, _pe),
        (lief.COFF.Binary, _coff),
    ]
    return next(reader for kind, reader in readers if isinstance(binary, kind))(binary)


def _section(name: str, address: int, item: Any, executable: bool) -> Section:
    return Section(name, address, item.size, executable, bytes(item.content) if executable else b"")


# --- ELF

_ELF_MACHINES = {183: "arm64", 62: "x86_64"}
_ET_REL = 1
_STT_FUNCTIONS = {2, 10}  # FUNC, GNU_IFUNC
_STB_LOCAL, _STB_WEAK, _STB_UNIQUE = 0, 2, 10
_SHN_RESERVED = 0xFF00


def _elf(binary: Any) -> Image:
    linked = int(binary.header.file_type) != _ET_REL
    image = Image("elf", _ELF_MACHINES[int(binary.header.machine_type)], linked)
    by_offset = {}
    for index, item in enumerate(binary.sections):
        executable = bool(int(item.flags) & 4) and int(item.type) == 1
        image.sections.append(_section(item.name, item.virtual_address, item, executable))
        if executable and item.size:
            by_offset[item.file_offset] = index
    marks: dict[int, list[tuple[int, bool]]] = {}
    symbols = list(binary.symtab_symbols) or list(binary.dynamic_symbols)
    for item in symbols:
        place = _elf_place(image, item)
        if item.name.partition(".")[0] in {"$x", "$d"}:
            if place is not None:
                marks.setdefault(place[0], []).append((place[1], item.name[1] == "d"))
        elif item.name and not item.name.startswith(".L"):
            _elf_symbol(image, item, place)
    _data_from_marks(image, marks)
    if not image.linked:
        for item in binary.object_relocations:
            where = by_offset.get(item.section.file_offset) if item.has_section else None
            if where is not None and item.has_symbol:
                # x86-64 counts the addend from the field, which ends the instruction: 4 bytes before its end.
                addend = item.addend + (4 if image.architecture == "x86_64" else 0)
                target = Target(item.symbol.name, _elf_place(image, item.symbol), addend)
                image.relocations[where, item.address] = target
    return image


def _elf_place(image: Image, item: Any) -> Place | None:
    index = int(item.shndx)
    if not 0 < index < min(_SHN_RESERVED, len(image.sections)):
        return None
    return index, item.value - (image.sections[index].address if image.linked else 0)


def _elf_symbol(image: Image, item: Any, place: Place | None) -> None:
    kind, binding = int(item.type), int(item.binding)
    local = binding == _STB_LOCAL
    if kind in {3, 4} or (place is None and local):  # sections, files, absolute values
        return
    in_code = place is not None and image.sections[place[0]].executable
    # A label in assembler source has no type: a global one is an entry, a local one is not.
    function = in_code and (kind in _STT_FUNCTIONS or (kind == 0 and not local))
    weak = place is not None and binding in {_STB_WEAK, _STB_UNIQUE}
    image.symbols.append(Symbol(item.name, place, item.size, function, local, weak))


def _data_from_marks(image: Image, marks: dict[int, list[tuple[int, bool]]]) -> None:
    for index, found in marks.items():
        section = image.sections[index]
        if section.executable:
            ordered = [*sorted(found), (section.size, False)]
            for (start, is_data), (end, _) in pairwise(ordered):
                if is_data and end > start:
                    image.data.append(((index, start), end - start))


# --- Mach-O

MACHO_MACHINES = {0x0100000C: "arm64", 0x01000007: "x86_64"}
_N_STAB, _N_TYPE, _N_EXT, _N_SECT, _N_UNDF = 0xE0, 0x0E, 0x01, 0x0E, 0x00
_N_ALT_ENTRY, _N_WEAK_DEF = 0x0200, 0x0080
_MH_OBJECT = 1
_S_INSTRUCTIONS = 0x80000400


def _macho(binary: Any, contents: bytes) -> Image:
    linked = int(binary.header.file_type) != _MH_OBJECT
    image = Image("macho", MACHO_MACHINES[int(binary.header.cpu_type)], linked)
    sections = list(binary.sections)
    for item in sections:
        executable = bool(int(item.flags) & _S_INSTRUCTIONS)
        image.sections.append(_section(item.name, item.virtual_address, item, executable))
    places = []
    for item in binary.symbols:
        places.append(Target(item.name.removeprefix("_"), _macho_place(image, item), None))
        if not item.raw_type & _N_STAB:
            _macho_symbol(image, item)
    if not linked:
        for index, item in enumerate(sections):
            if image.sections[index].executable:
                _macho_relocations(image, index, item, places, contents)
    if binary.has_data_in_code:
        # Offsets count from the start of a linked image, in an object from its first section's address.
        base = binary.imagebase if linked else 0
        for entry in binary.data_in_code.entries:
            place = image.place(base + entry.offset)
            if place is not None:
                image.data.append((place, entry.length))
    return image


def _macho_place(image: Image, item: Any) -> Place | None:
    if item.raw_type & _N_TYPE != _N_SECT:
        return None
    index = item.numberof_sections - 1
    return index, item.value - image.sections[index].address


def _macho_symbol(image: Image, item: Any) -> None:
    place = _macho_place(image, item)
    local = not item.raw_type & _N_EXT
    if place is None and (local or item.raw_type & _N_TYPE != _N_UNDF):
        return
    # C names begin with an underscore; ltmp0 and assembler labels do not, and are no entries.
    if local and not item.name.startswith("_"):
        return
    in_code = place is not None and image.sections[place[0]].executable
    function = in_code and not item.description & _N_ALT_ENTRY
    weak = place is not None and bool(item.description & _N_WEAK_DEF)
    image.symbols.append(Symbol(item.name.removeprefix("_"), place, 0, function, local, weak))


def _macho_relocations(image: Image, index: int, item: Any, symbols: list[Target], contents: bytes) -> None:
    # Read by hand: LIEF takes a reference to the first symbol of the table for one to no symbol.
    start = item.relocation_offset
    for address, word in struct.iter_unpack("<II", contents[start : start + 8 * item.numberof_relocations]):
        if word >> 27 & 1:  # external; otherwise the instruction's own address is right already
            image.relocations[index, address] = symbols[word & 0xFFFFFF]


# --- COFF and PE

_COFF_MACHINES = {0xAA64: "arm64", 0xA641: "arm64ec", 0x8664: "x86_64"}
_CNT_CODE_OR_EXECUTE = 0x20000020
_EXTERNAL, _STATIC, _LABEL, _WEAK_EXTERNAL = 2, 3, 6, 105
_COMPLEX_FUNCTION = 2
# Selections under which the linker takes one of several definitions; NODUPLICATES is an ordinary function.
_COMDAT_CHOICE = {2, 3, 4, 6}


def _coff(binary: Any) -> Image:
    image = Image("coff", _COFF_MACHINES[int(binary.header.machine)], linked=False)
    sections = list(binary.sections)
    choices = set()
    for index, item in enumerate(sections):
        executable = bool(item.characteristics & _CNT_CODE_OR_EXECUTE)
        image.sections.append(_section(_coff_section_name(binary, item.name), 0, item, executable))
        if item.comdat_info is not None and item.comdat_info.kind.value in _COMDAT_CHOICE:
            choices.add(index)
    for item in binary.symbols:
        _coff_symbol(image, item, choices)
    for index, item in enumerate(sections):
        if image.sections[index].executable:
            for relocation in item.relocations:
                symbol = relocation.symbol
                if symbol is not None:
                    target = Target(_coff_name(symbol.name), _coff_place(symbol), None)
                    image.relocations[index, relocation.address] = target
    return image


def _coff_section_name(binary: Any, name: str) -> str:
    if name.startswith("/") and name[1:].isdecimal():  # more than 8 letters: an offset in the string table
        entry = binary.find_string(int(name[1:]))
        return name if entry is None else str(entry.string)
    return str(name)


def _coff_name(name: str) -> str:
    # Clang's and GNU's name for the definition behind a weak external: .weak.NAME.default.SOMETHING
    if name.startswith(".weak."):
        name = name.removeprefix(".weak.").partition(".default")[0]
    return name.removeprefix("#")  # ARM64EC


def _coff_place(item: Any) -> Place | None:
    return (item.section_idx - 1, item.value) if item.section_idx > 0 else None


def _coff_symbol(image: Image, item: Any, choices: set[int]) -> None:
    storage, place = int(item.storage_class), _coff_place(item)
    if storage not in {_EXTERNAL, _STATIC, _WEAK_EXTERNAL} or item.section_idx < 0:
        return
    local = storage == _STATIC
    if local and (place is None or int(item.complex_type) != _COMPLEX_FUNCTION):
        return
    in_code = place is not None and image.sections[place[0]].executable
    weak = item.name.startswith(".weak.") or (place is not None and place[0] in choices)
    if place is not None and image.sections[place[0]].name.startswith(".wowthk"):
        local, weak = True, False  # ARM64EC's entry and exit thunks: the compiler's, not the source's
    image.symbols.append(Symbol(_coff_name(item.name), place, 0, in_code, local, weak and not local))


def _pe(binary: Any) -> Image:
    machine = _COFF_MACHINES[int(binary.header.machine)]
    image = Image("coff", "arm64ec" if getattr(binary, "is_arm64ec", False) else machine, linked=True)
    for item in binary.sections:
        executable = bool(item.characteristics & _CNT_CODE_OR_EXECUTE)
        image.sections.append(_section(item.name, item.virtual_address, item, executable))
    for item in binary.symbols:
        _coff_symbol(image, item, set())
    known = {symbol.name for symbol in image.symbols}
    for name, address in _pe_exports(binary):
        if name not in known:
            place = image.place(address)
            image.symbols.append(Symbol(name, place, 0, place is not None, local=False, weak=False))
    return image


def _pe_exports(binary: Any) -> Iterator[tuple[str, int]]:
    if binary.has_exports:
        for entry in binary.get_export().entries:
            if entry.name and not entry.is_extern:
                yield _coff_name(entry.name), entry.address
