"""Programs and objects that differ in time and debug data alone are the same; others are not."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool.verify import digests
from tests.build.objectlab import CLANG_WINDOWS
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

SOURCE = 'static const char text[] = "{}"; int start(void) {{ return text[0]; }}\n'


def made(folder: Path, text: str) -> Path:
    """Compile a COFF object, with data for debuggers that name the folder."""
    folder.mkdir()
    return CLANG_WINDOWS.compile(folder, "a", SOURCE.format(text), "-gcodeview", "-O0")


def linked(target: Path, time: int) -> Path:
    program = target.with_name(f"{time}.exe")
    words = [require_tool("lld-link-19"), "/nodefaultlib", "/entry:start", "/subsystem:console", "/debug"]
    subprocess.run([*words, f"/timestamp:{time}", f"/out:{program}", str(target)], check=True)
    return program


def test_windows_programs(tmp_path: Path) -> None:
    here, there, other = (made(tmp_path / name, text) for name, text in [("h", "x"), ("t", "x"), ("o", "y")])
    first, second = linked(here, 1), linked(there, 2)
    assert first.read_bytes() != second.read_bytes()
    assert digests.of_program(first) == digests.of_program(second)
    assert digests.of_program(first) != digests.of_program(linked(other, 1))


@pytest.mark.parametrize("anonymous", [False, True])
def test_coff_objects(tmp_path: Path, anonymous: bool) -> None:
    target = made(tmp_path / "a", "x")
    content = target.read_bytes()
    if anonymous:  # a header of /bigobj stands before the same
        content = b"\0\0\xff\xff\2\0" + content[:2] + content[4:]
    at = 8 if anonymous else 4
    target.write_bytes(content)
    digest = digests.of_object(target)
    target.write_bytes(content[:at] + b"time" + content[at + 4 :])
    assert digests.of_object(target) == digest
    target.write_bytes(content[:-1] + b"?")
    assert digests.of_object(target) != digest


def test_what_is_no_such_file_counts_whole(tmp_path: Path) -> None:
    file = tmp_path / "odd"
    seen = set()
    for content in (b"MZ", b"MZ" + bytes(80), b"\x7fELF", b""):
        file.write_bytes(content)
        seen |= {digests.of_program(file)}
    assert len(seen) == 4
