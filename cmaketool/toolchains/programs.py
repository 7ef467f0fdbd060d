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
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.versions import is_older

if TYPE_CHECKING:
    from cmaketool.toolchains.model import LegFile

__all__ = [
    "OLDEST_CMAKE",
    "Make",
    "Missing",
    "Tools",
    "absent",
    "cmake_named",
    "emulator_command",
    "has_module",
    "locate",
    "make",
    "tools",
    "zig",
]

OLDEST_CMAKE = "3.18"  # that fragments are made for

_SUFFIX = ".exe" if os.name == "nt" else ""
_EXTRA = "pip install 'cmaketool[verify]'"
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


@dataclass(frozen=True, slots=True)
class Make:
    """What builds makefiles; `version` is that of GNU make, empty for another make."""

    program: Path
    version: str


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


def _version(program: Path, called: str = "") -> str:
    """Return the version that a program says it is, behind the words `called`; empty if it says none."""
    said = process.run([str(program), "--version"], timeout=30)
    found = re.search(rf"{re.escape(called)}\s*(\d+(\.\d+)+)", said.output) if said.returncode == 0 else None
    return found[1] if found else ""


def tools(cmake: Path | None = None) -> Tools | Missing:
    """Return the programs that configure and build, or what is missing of them.

    `cmake` is the one to take (default: that of the package, or on PATH). Raises CmaketoolError for one that
    cannot be run.
    """
    found: dict[str, Path] = {} if cmake is None else {"cmake": cmake}
    for name, attribute in (("cmake", "CMAKE_BIN_DIR"), ("ninja", "BIN_DIR")):
        program = found.get(name) or _packaged(name, attribute) or shutil.which(name)
        if program is None:
            return Missing(None, name, _EXTRA)
        found[name] = Path(program)
    version = _version(found["cmake"], "cmake version")
    if version and is_older(version, OLDEST_CMAKE):
        return Missing(None, f"CMake {OLDEST_CMAKE} or newer ({found['cmake']} is {version})", _EXTRA)
    return Tools(found["cmake"], version or "unknown", found["ninja"], _version(found["ninja"]) or "unknown")


def cmake_named(text: str) -> Path:
    """Return the cmake that the user names: a program, a folder that holds one, or a name on PATH.

    Raises CmaketoolError where there is none, where it is no cmake, or is older than OLDEST_CMAKE.
    """
    # A folder into which pip put the package holds a script too, which runs only where Python finds that.
    places = (Path(text, *parts) for parts in (("cmake", "data", "bin"), ("bin",), ()))
    inside = (shutil.which("cmake", path=str(place)) for place in places if Path(text).is_dir())
    program = next(filter(None, inside), None) or shutil.which(text)
    if program is None:
        message = f"there is no cmake at '{text}'"
        remedy = "name the program, a folder that holds bin/cmake or cmake, or what it is called on PATH"
        raise CmaketoolError(Diagnostic(message, "unknown-cmake", remedy=remedy))
    path = Path(program).absolute()
    version = _version(path, "cmake version")
    if not version:
        raise CmaketoolError(Diagnostic(f"'{path}' is not CMake: it says no version", "unknown-cmake"))
    if is_older(version, OLDEST_CMAKE):
        message = f"'{path}' is CMake {version}; {OLDEST_CMAKE} is the oldest that fragments are made for"
        raise CmaketoolError(Diagnostic(message, "old-cmake", remedy="name a newer one"))
    return path


def make() -> Make | Missing:
    """Return the make on PATH, GNU's before others."""
    path = shutil.which("gmake") or shutil.which("make")
    if path is None:
        return Missing(None, "make is not on PATH", "install GNU make (Debian: apt-get install make)")
    return Make(Path(path).absolute(), _version(Path(path), "GNU Make"))
