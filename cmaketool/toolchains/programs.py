"""Where programs come from: the packages of this Python first, then PATH."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import process

if TYPE_CHECKING:
    from cmaketool.toolchains.model import LegFile

__all__ = ["Missing", "Tools", "absent", "emulator_command", "has_module", "locate", "tools", "zig"]

_SUFFIX = ".exe" if os.name == "nt" else ""
_EMULATORS = {
    "unicorn": "cmaketool.toolchains.unicorn_aarch64",
    "unicorn-windows": "cmaketool.toolchains.unicorn_windows_arm64",
}


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that is not on this machine: what it is, and how it is had. `leg`: which one needs it."""

    leg: LegFile | None
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs that configure and build, with the versions they say they are."""

    cmake: Path
    cmake_version: str
    ninja: Path
    ninja_version: str


def has_module(name: str) -> bool:
    """Say whether `name` can be imported, without importing it."""
    return importlib.util.find_spec(name) is not None


def zig() -> Path | None:
    """Return the zig program of the ziglang package."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / f"zig{_SUFFIX}"
    return program if program.is_file() else None


def _host_compiler() -> list[str]:
    named = os.environ.get("CC", "").strip()
    if named:
        words = [named] if Path(named).is_file() else shlex.split(named, posix=os.name != "nt")
        return locate(tuple(words))
    return next((found for name in ("cc", "gcc", "clang") if (found := locate((name,)))), [])


def locate(command: tuple[str, ...], stand_in: Path | None = None) -> list[str]:
    """Return `command` with its program as an absolute path; empty when there is no such program.

    `stand_in` is the folder that `{stand-in}` stands for.
    """
    program, *arguments = (word.replace("{stand-in}", str(stand_in)) for word in command)
    if program == "{cc}":
        return _host_compiler()
    path: Path | str | None = zig() if program == "{zig}" else shutil.which(program)
    return [str(Path(path).absolute()), *arguments] if path else []


def absent(program: str) -> str:
    """Say in a few words that `program`, as leg files name it, is not there."""
    return {
        "{zig}": "ziglang is not installed",
        "{cc}": f"no C compiler ({os.environ.get('CC') or 'cc, gcc, clang'}) is on PATH",
    }.get(program, f"{program} is not on PATH")


def emulator_command(file: LegFile) -> tuple[str, ...] | Missing:
    """Return the command that comes before a program of the leg; empty where there is none."""
    kind = file.emulator.kind
    if kind in _EMULATORS:
        if not has_module("unicorn"):
            return Missing(file, "unicorn is not installed", file.packages)
        return (sys.executable, "-m", _EMULATORS[kind])
    if kind == "command":
        command = locate(file.emulator.command)
        return tuple(command) or Missing(file, absent(file.emulator.command[0]), file.packages)
    return ()


def _packaged(name: str, attribute: str) -> Path | None:
    """Return the program `name` of the PyPI package of that name: the binary, not pip's slow wrapper."""
    if not has_module(name):
        return None
    folder = getattr(import_module(name), attribute, None)
    program = Path(folder) / (name + _SUFFIX) if folder else None
    return program if program and program.is_file() else None


def _version(program: Path) -> str:
    text = process.run([str(program), "--version"], timeout=30).output
    found = re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else "unknown"


def tools() -> Tools | Missing:
    """Return the programs that configure and build, or what is missing of them."""
    found: dict[str, Path] = {}
    for name, attribute in (("cmake", "CMAKE_BIN_DIR"), ("ninja", "BIN_DIR")):
        program = _packaged(name, attribute) or shutil.which(name)
        if program is None:
            return Missing(None, name, "pip install 'cmaketool[verify]'")
        found[name] = Path(program)
    cmake, ninja = found["cmake"], found["ninja"]
    return Tools(cmake, _version(cmake), ninja, _version(ninja))
