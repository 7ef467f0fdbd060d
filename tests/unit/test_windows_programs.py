"""Windows programs as the emulator reads them, good and bad; the command lines it gives them."""

from __future__ import annotations

import contextlib
import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmaketool.toolchains import aarch64_pe
from cmaketool.toolchains.aarch64_image import Segment, UnusableProgramError
from cmaketool.toolchains.aarch64_pe import Import, Tls
from cmaketool.toolchains.aarch64_windows import command_line
from cmaketool.toolchains.unicorn_windows_arm64 import TAKEN, Machine

if TYPE_CHECKING:
    from pathlib import Path

BASE, OTHER_BASE = 0x1_4000_0000, 0x7FF6_0000_0000
CODE = struct.pack("<2I", 0x52800060, 0xD65F03C0)  # mov w0, #3; ret
# What the second section holds, by its place in it.
IMPORTS, NAMES, SLOTS, HINTS, DLL, RELOCATIONS, TLS, CALLBACKS, TEMPLATE, INDEX = range(0, 0x280, 0x40)


def data(base: int) -> bytearray:
    """Return a second section, at `base` + 0x2000: imports, relocations and a TLS directory."""
    here = 0x2000
    content = bytearray(0x300)
    for place, piece in (
        (IMPORTS, struct.pack("<5I", here + NAMES, 0, 0, here + DLL, here + SLOTS)),
        (NAMES, struct.pack("<3Q", here + HINTS, 1 << 63 | 7, 0)),
        (SLOTS, struct.pack("<3Q", here + HINTS, 1 << 63 | 7, 0)),
        (HINTS, b"\0\0ExitProcess\0"),
        (DLL, b"KERNEL32.dll\0"),
        (
            RELOCATIONS,
            struct.pack("<2I6H", here, 20, *(10 << 12 | TLS + i for i in (0, 8, 16, 24)), 0, 0)
            + struct.pack("<2I2H", here + 0x1000, 12, 0, 0),
        ),
        (
            TLS,
            struct.pack(
                "<4Q2I", *(base + here + at for at in (TEMPLATE, TEMPLATE + 4, INDEX, CALLBACKS)), 2, 0
            ),
        ),
        (TEMPLATE, b"abcd"),
    ):
        content[place : place + len(piece)] = piece
    return content


def program(
    *,
    machine: int = 0xAA64,
    flags: int = 0x22,
    base: int = BASE,
    entry: int = 0x1000,
    subsystem: int = 3,
    size: int = 0x3000,
    content: bytes | None = None,
) -> bytes:
    """Return a program of two sections: code that returns 3, and `content` (None: as `data` makes it)."""
    second = bytes(data(base)) if content is None else content
    directories = [(0, 0)] * 16
    directories[1], directories[5], directories[9] = (
        (0x2000, 40),
        (0x2000 + RELOCATIONS, 32),
        (0x2000 + TLS, 40),
    )
    optional = struct.pack(
        "<HBBIIIIIQIIHHHHHHIIIIHHQQQQII",
        *(
            0x20B,
            14,
            0,
            0x200,
            0x400,
            0,
            entry,
            0x1000,
            base,
            0x1000,
            0x200,
            6,
            2,
            0,
            0,
            6,
            2,
            0,
            size,
            0x400,
        ),
        *(0, subsystem, 0x8160, 0x10000, 0x1000, 0x100000, 0x1000, 0, 16),
    )
    headers = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64) + b"PE\0\0"
    headers += struct.pack("<HHIIIHH", machine, 2, 0, 0, 0, 240, flags) + optional
    headers += b"".join(struct.pack("<2I", *directory) for directory in directories)
    headers += struct.pack("<8s6I2HI", b".text", len(CODE), 0x1000, 0x200, 0x400, 0, 0, 0, 0, 0x60000020)
    headers += struct.pack("<8s6I2HI", b".data", 0x380, 0x2000, 0x400, 0x600, 0, 0, 0, 0, 0xC0000040)
    return headers.ljust(0x400, b"\0") + CODE.ljust(0x200, b"\0") + second.ljust(0x400, b"\0")


def loaded(content: bytes, folder: Path, taken: tuple[range, ...] = ()) -> aarch64_pe.Image:
    path = folder / "program.exe"
    path.write_bytes(content)
    return aarch64_pe.load(path, taken)


def test_what_is_put_where(tmp_path: Path) -> None:
    image = loaded(program(), tmp_path)
    assert (image.base, image.entry, image.stack_size) == (BASE, BASE + 0x1000, 0x10000)
    headers, code, second = image.segments
    assert (headers.address, headers.size, headers.protection, headers.name) == (BASE, 0x400, 1, "headers")
    assert code == Segment(BASE + 0x1000, len(CODE), CODE, 5, ".text")
    assert second == Segment(BASE + 0x2000, 0x380, bytes(data(BASE)).ljust(0x380, b"\0"), 3, ".data")
    assert image.imports == (
        Import(BASE + 0x2000 + SLOTS, "KERNEL32.dll", "ExitProcess"),
        Import(BASE + 0x2008 + SLOTS, "KERNEL32.dll", "#7"),
    )
    assert image.tls == Tls(b"abcd\0\0", BASE + 0x2000 + INDEX)


def test_names_of_addresses(tmp_path: Path) -> None:
    image = loaded(program(), tmp_path)
    assert image.section(BASE + 0x10) == "headers+0x10"
    assert image.section(BASE + 0x237F) == ".data+0x37f"
    assert [image.section(BASE + at) for at in (-1, 0x400, 0x2380)] == [None, None, None]


@pytest.mark.parametrize(
    ("taken", "moves"),
    [
        ((), False),
        ((range(BASE), range(BASE + 0x3000, 1 << 64)), False),
        ((range(BASE + 1),), True),
        ((range(5), range(BASE + 0x2FFF, 1 << 64)), True),
    ],
    ids=["nothing", "neighbours", "first", "last"],
)
def test_moving(tmp_path: Path, taken: tuple[range, ...], moves: bool) -> None:
    base = OTHER_BASE if moves else BASE
    image = loaded(program(), tmp_path, taken)
    assert image.base == base
    assert image.segments[2].data == bytes(data(base)).ljust(0x380, b"\0")
    assert image.tls == Tls(b"abcd\0\0", base + 0x2000 + INDEX)
    assert image.imports[0].slot == base + 0x2000 + SLOTS


def changed(place: int, layout: str, *values: int) -> bytes:
    content = data(BASE)
    struct.pack_into(layout, content, place, *values)
    return bytes(content)


DAMAGED = "the program is cut off or damaged"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"machine": 0x8664}, "the program is for x64, and only programs for ARM64 can be run"),
        ({"machine": 0xA641}, "the program is for ARM64EC, and only programs for ARM64 can be run"),
        ({"machine": 0xA64E}, "the program is for ARM64X, and only programs for ARM64 can be run"),
        ({"machine": 0x5064}, "the program is for machine 0x5064, and only programs for ARM64 can be run"),
        ({"flags": 0x2022}, "a library, not a program"),
        ({"entry": 0}, "a library, not a program"),
        ({"subsystem": 1}, "not a console program (its subsystem is 1)"),
        ({"base": 0, "flags": 0x23}, "the program cannot be moved, and its place 0x0 is taken"),
        ({"size": 0x2000}, DAMAGED),
        ({"size": 1 << 31}, DAMAGED),
        ({"base": 0, "content": changed(RELOCATIONS + 4, "<I", 0)}, DAMAGED),
        ({"base": 0, "content": changed(RELOCATIONS, "<I", 1 << 30)}, DAMAGED),
        (
            {"base": 0, "content": changed(RELOCATIONS + 8, "<H", 3 << 12)},
            "the program has relocations of an unknown kind (3)",
        ),
        ({"content": changed(CALLBACKS, "<Q", 1)}, "the program has TLS callbacks, which are not run here"),
        ({"content": changed(TLS, "<Q", 5)}, DAMAGED),
        ({"content": changed(TLS + 16, "<Q", 5)}, DAMAGED),
        ({"content": changed(IMPORTS + 16, "<I", 0x2FFC)}, DAMAGED),
        ({"content": changed(IMPORTS + 12, "<I", 0x20000)}, DAMAGED),
        ({"content": changed(NAMES, "<Q", 0x20000)}, DAMAGED),
    ],
)
def test_what_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UnusableProgramError) as caught:
        loaded(program(**changes), tmp_path, TAKEN)
    assert str(caught.value) == message


def test_a_program_that_is_cut_off(tmp_path: Path) -> None:
    whole = program()
    end = 0x600 + 0x380  # padding follows
    assert loaded(whole[:end], tmp_path) == loaded(whole, tmp_path)
    for length in [*range(0, 0x400, 3), *range(0x400, end, 0x20), end - 1]:
        with pytest.raises(UnusableProgramError):
            loaded(whole[:length], tmp_path)


def shape(image: aarch64_pe.Image) -> object:
    """Return all of an image but its bytes."""
    segments = [(one.address, one.size, len(one.data), one.protection) for one in image.segments]
    return (image.base, image.entry, image.stack_size, *segments, image.imports, image.tls)


def test_any_damage_of_the_headers_is_refused_or_harmless(tmp_path: Path) -> None:
    """Whatever stands in a byte of the headers or of a directory: there is no other error."""
    whole = program()
    images = {}
    for place in [*range(60, 408), *range(0x600, 0x600 + TEMPLATE, 2)]:
        for value in (0xFF, whole[place] ^ 0x80):
            content = bytearray(whole)
            content[place] = value
            with contextlib.suppress(UnusableProgramError):
                image = loaded(bytes(content), tmp_path, TAKEN)
                images[shape(image)] = image
    refused = 0
    for image in images.values():
        try:
            Machine(image, ["program"])
        except UnusableProgramError:  # noqa: PERF203  of no matter here
            refused += 1
    assert 0 < refused < len(images) // 2


@pytest.mark.parametrize(
    ("tls", "stack", "message"),
    [
        (
            Tls(bytes(1 << 30), BASE + 0x2000),
            4096,
            "there is no room for thread-local data of 1073741824 bytes",
        ),
        (None, 1 << 30, "there is no room for a stack of 1073741824 bytes"),
    ],
    ids=["thread-local", "stack"],
)
def test_there_is_no_room(tmp_path: Path, tls: Tls | None, stack: int, message: str) -> None:
    image = loaded(program(), tmp_path)._replace(tls=tls, stack_size=stack)
    with pytest.raises(UnusableProgramError) as caught:
        Machine(image, ["program"])
    assert str(caught.value) == message


def taken_apart(line: str) -> list[str]:
    """By the rules of learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments."""
    words: list[str] = []
    at = 0
    while at < len(line):
        word, quoted = "", False
        while at < len(line) and (quoted or line[at] not in " \t"):
            slashes = len(line) - at - len(line[at:].lstrip("\\"))
            at += slashes
            if line[at : at + 1] != '"':
                word += "\\" * slashes
                if slashes == 0:
                    word += line[at]
                    at += 1
                continue
            word += "\\" * (slashes // 2) + '"' * (slashes % 2)
            quoted ^= slashes % 2 == 0
            at += 1
        words.append(word)
        at += len(line[at:]) - len(line[at:].lstrip(" \t"))
    return words


def test_the_rules_by_their_own_examples() -> None:
    for line, words in (
        ('"a b c" d e', ["a b c", "d", "e"]),
        (r'"ab\"c" "\\" d', ['ab"c', "\\", "d"]),
        (r'a\\\b d"e f"g h', [r"a\\\b", "de fg", "h"]),
        (r"a\\\"b c d", [r"a\"b", "c", "d"]),
        (r'a\\\\"b c" d e', [r"a\\b c", "d", "e"]),
    ):
        assert taken_apart(line) == words


@given(st.lists(st.text(st.sampled_from('ab "\\\t\nö')), min_size=1))
def test_command_lines_are_taken_apart_again(words: list[str]) -> None:
    assert taken_apart(command_line(words)) == words


def test_words_without_need_have_no_quotes() -> None:
    assert command_line(["C:\\a\\b.exe", "--x=1", "", "a b"]) == 'C:\\a\\b.exe --x=1 "" "a b"'
