"""What a leg writes: its toolchain file, and scripts for commands of several words."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cmaketool.toolchains.model import LegFile

__all__ = ["toolchain_text", "wrapper", "write"]

# CMake identifies a compiler by linking this without any flag, and falls back to -c only when that fails.
_IDENTIFICATION = ("CMakeCCompilerId.c", "CMakeCXXCompilerId.cpp")
_MODES = {"PROGRAM": "NEVER", "LIBRARY": "ONLY", "INCLUDE": "ONLY", "PACKAGE": "ONLY"}


def write(path: Path, text: str, *, executable: bool = False) -> None:
    """Write `path` if it holds anything else: an unchanged toolchain file or header makes nothing stale."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")
    if executable:
        path.chmod(0o755)


def wrapper(folder: Path, name: str, command: list[str], *, may_link: bool) -> str:
    """Write a script that runs `command` with further arguments; return its path.

    Without `may_link`, what identifies the compiler is compiled only.
    """
    if os.name == "nt":
        path = folder / f"{name}.cmd"
        run = " ".join(f'"{word}"' for word in command)
        look = f'@echo %* | findstr /L "{" ".join(_IDENTIFICATION)}" >nul'
        text = f"@{run} %*\n" if may_link else f"{look}\n@if errorlevel 1 ({run} %*) else ({run} -c %*)\n"
    else:
        path = folder / name
        run = f"exec {shlex.join(command)}"
        pattern = " | ".join(f"*{source}" for source in _IDENTIFICATION)
        look = "" if may_link else f'case "$*" in {pattern}) {run} -c "$@" ;; esac\n'
        text = f'#!/bin/sh\n{look}{run} "$@"\n'
    write(path, text, executable=True)
    return str(path)


def toolchain_text(file: LegFile, programs: Mapping[str, str], places: Mapping[str, str]) -> str:
    """Return the text of the leg's toolchain file.

    `programs` are the commands by CMake variable; `places` what stands for `{folder}` and `{stand-in}`.
    """
    lines = [f"# The toolchain {file.name}: {file.stands_for}.", f"set(CMAKE_SYSTEM_NAME {file.system_name})"]
    if file.system_processor is not None:
        lines.append(f"set(CMAKE_SYSTEM_PROCESSOR {file.system_processor})")
    if file.target is not None:
        lines += [f"set(CMAKE_{language}_COMPILER_TARGET {file.target})" for language in ("C", "CXX", "ASM")]
    variables = {**programs, "CMAKE_FIND_ROOT_PATH": file.root}
    variables |= {f"CMAKE_FIND_ROOT_PATH_MODE_{kind}": mode for kind, mode in _MODES.items()}
    lines += (_set(name, value, places) for name, value in {**variables, **file.variables}.items())
    return "\n".join([*lines, *_checks(file), ""])


def _set(name: str, value: str, places: Mapping[str, str]) -> str:
    for place, path in places.items():
        value = value.replace(place, path)
    text = value.replace("\\", "/").replace('"', '\\"').replace("$", "\\$")
    # What Apple's CMake files keep in the cache, so that the command line may say otherwise.
    cached = ' CACHE STRING ""' if name.startswith("CMAKE_OSX_") else ""
    return f'set({name} "{text}"{cached})'


def _checks(file: LegFile) -> Iterable[str]:
    """Return the lines that keep CMake's checks from linking where that is slow or cannot be."""
    if not file.links:
        return ["set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)"]
    if file.slow_first_link is not None:
        return [
            "if(NOT CMAKETOOL_LINK_CHECKS)  # the compiler check need not wait for the first link",
            "  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)",
            "endif()",
        ]
    return []
