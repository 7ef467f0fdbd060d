"""Digests of files that compilers and linkers make: equal where nothing differs that can matter.

Not the time at which a file was made, which COFF and PE hold, and not what is there for debuggers.
"""

from __future__ import annotations

import hashlib
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["of_object", "of_program"]

_COFF_MACHINES = {b"\x64\xaa", b"\x41\xa6", b"\x64\x86"}  # arm64, arm64ec, x86_64
_ANONYMOUS = b"\x00\x00\xff\xff"  # /bigobj
_PE32_PLUS = 0x20B
_DEBUG_DIRECTORY = 6


def of_object(path: Path) -> str:
    """Return a digest of all that an object file holds."""
    content = path.read_bytes()
    if content[:2] in _COFF_MACHINES:
        content = _blank(content, [(4, 4)])
    elif content.startswith(_ANONYMOUS):
        content = _blank(content, [(8, 4)])
    return hashlib.sha256(content).hexdigest()


def of_program(path: Path) -> str:
    """Return a digest of all of a program that can matter when it runs."""
    content = path.read_bytes()
    if content.startswith(b"\x7fELF"):
        content = _loaded(path) or content
    elif content.startswith(b"MZ"):
        content = _blank(content, _idle(content))
    return hashlib.sha256(content).hexdigest()


def _loaded(path: Path) -> bytes:
    """Return what of an ELF file is loaded; nothing if it cannot be read."""
    import lief  # noqa: PLC0415  an extra; and slow to import

    parsed = lief.ELF.parse(str(path))
    if parsed is None:
        return b""
    loaded = [segment for segment in parsed.segments if segment.type == lief.ELF.Segment.TYPE.LOAD]
    places = str([(one.virtual_address, one.virtual_size, int(one.flags)) for one in loaded])
    return b"".join([places.encode(), *(bytes(one.content) for one in loaded)])


def _idle(content: bytes) -> list[tuple[int, int]]:
    """Return offset and size of what a PE file holds that no program sees: times, check sum, debug data."""
    try:
        (header,) = struct.unpack_from("<I", content, 0x3C)
        number, size = struct.unpack_from("<2xH12xH", content, header + 4)
        optional = header + 24
        if struct.unpack_from("<H", content, optional) != (_PE32_PLUS,):
            return []
        debug = struct.unpack_from("<II", content, optional + 112 + 8 * _DEBUG_DIRECTORY)
        return [(header + 8, 4), (optional + 64, 4), *_debug(content, optional + size, number, debug)]
    except struct.error:
        return []


def _debug(
    content: bytes, sections: int, number: int, directory: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield the places of the debug directory and of what it tells of; `sections`: where their table is."""
    address, size = directory
    for index in range(number):
        start, room, at = struct.unpack_from("<12xIII", content, sections + 40 * index)
        if size and start <= address < start + room:
            place = address - start + at
            yield place, size
            for entry in range(place, place + size, 28):
                length, pointer = struct.unpack_from("<16xI4xI", content, entry)
                yield pointer, length


def _blank(content: bytes, places: list[tuple[int, int]]) -> bytes:
    changed = bytearray(content)
    for at, size in places:
        changed[at : at + size] = bytes(len(changed[at : at + size]))
    return bytes(changed)
