"""A toolchain file of the user's as a leg: CMake says which compiler it means, the compiler what it is."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import process
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.compilers import Dialect, read_facts
from cmaketool.toolchains.environment import NO_FLAGS, NO_TOOLCHAIN
from cmaketool.toolchains.files import write
from cmaketool.toolchains.found import Leg
from cmaketool.toolchains.model import ALL_RUNGS, Emulator, Processor
from cmaketool.toolchains.processors import this_machine
from cmaketool.toolchains.programs import Missing, emulator_command
from cmaketool.toolchains.statements import agreed, describe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cmaketool.toolchains.model import Facts, LegFile
    from cmaketool.toolchains.programs import Tools

__all__ = ["of_toolchain_file"]

_LIMIT = 300.0  # seconds
_VARIABLES = (
    "CMAKE_C_COMPILER", "CMAKE_C_COMPILER_ID", "CMAKE_C_COMPILER_FRONTEND_VARIANT",
    "CMAKE_CROSSCOMPILING", "CMAKE_CROSSCOMPILING_EMULATOR", "CMAKE_OSX_ARCHITECTURES",
)  # fmt: skip
_PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(cmaketool_facts LANGUAGES C)
add_library(facts STATIC facts.c)
set(text "")
foreach(name {variables})
  string(APPEND text "${{name}}=${{${{name}}}}\\n")
endforeach()
file(WRITE "${{CMAKE_BINARY_DIR}}/facts.txt" "${{text}}")
"""


def of_toolchain_file(file: LegFile, folder: Path, tools: Tools | Missing) -> Leg | Missing:
    """Make a leg of the toolchain file that the leg `file` names: an empty project is configured with it.

    Where the leg file says nothing of an emulator, CMake says how programs are run; those of another system
    without CMAKE_CROSSCOMPILING_EMULATOR are not. Raises CmaketoolError if there is no such file, if CMake
    takes no C compiler from it, or one that is not what the leg file says.
    """
    assert file.toolchain_file is not None  # noqa: S101  the caller looked
    path = Path(file.toolchain_file).resolve()
    if not path.is_file():
        raise CmaketoolError(Diagnostic("there is no such toolchain file", "toolchain-file", str(path)))
    if isinstance(tools, Missing):
        return tools
    said = _configure(path, folder / "facts", tools)
    facts = agreed(file, said["CMAKE_C_COMPILER"], _facts(folder / "facts" / "build", said))
    if file.emulator == Emulator():
        file = file.model_copy(update=_as_cmake_runs(said))
    emulator = emulator_command(file)
    if isinstance(emulator, Missing):
        return emulator
    native = file.emulator.kind == "native"
    return Leg(
        file=file,
        facts=facts,
        version=describe(file, facts),
        toolchain_file=path,
        configure_arguments=(f"-DCMAKE_TOOLCHAIN_FILE={path.as_posix()}",),
        compiler=Path(said["CMAKE_C_COMPILER"]),
        emulator=emulator,
        processors=(this_machine(facts.architectures),) if native else file.emulator.processors,
    )


def _configure(file: Path, folder: Path, tools: Tools) -> dict[str, str]:
    """Configure an empty project with the toolchain file; return what became of some of CMake's variables."""
    source, build = folder / "source", folder / "build"
    write(source / "CMakeLists.txt", _PROJECT.format(variables=" ".join(_VARIABLES)))
    write(source / "facts.c", "int cmaketool_facts;\n")
    command = [str(tools.cmake), "-S", str(source), "-B", str(build), "-G", "Ninja"]
    command += [f"-DCMAKE_MAKE_PROGRAM={tools.ninja}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    command.append(f"-DCMAKE_TOOLCHAIN_FILE={file.as_posix()}")
    result = process.run(command, timeout=_LIMIT, env={**os.environ, **NO_TOOLCHAIN, **NO_FLAGS})
    if result.returncode != 0:
        at = max(result.errors.find("CMake Error"), 0)
        message = f"CMake does not configure with it: {' '.join(result.errors[at:].split())[:500]}"
        raise CmaketoolError(Diagnostic(message, "toolchain-file", str(file)))
    text = (build / "facts.txt").read_text(encoding="utf-8")
    return dict(line.partition("=")[::2] for line in text.splitlines())


def _facts(build: Path, said: Mapping[str, str]) -> Facts:
    """Ask the compiler by the command that CMake would compile a source with, without source and object."""
    like_cl = "MSVC" in (said["CMAKE_C_COMPILER_ID"], said["CMAKE_C_COMPILER_FRONTEND_VARIANT"])
    dialect: Dialect = "msvc" if like_cl else "gnu"
    (entry,) = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    words: list[str] = []
    rest = iter(shlex.split(entry["command"]))
    for word in rest:
        if word in {"-o", "-arch"}:
            next(rest)
        elif word == "--":
            break
        elif word not in {"-c", "/c", entry["file"]} and not word.startswith(("/Fo", "/Fd", "-Fo", "-Fd")):
            words.append(word)
    apple = tuple(name for name in said["CMAKE_OSX_ARCHITECTURES"].split(";") if name)
    return read_facts(tuple(words), dialect, apple)


def _as_cmake_runs(said: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of a leg file that say how CMake runs programs, and so what can be shown."""
    command = tuple(word for word in said["CMAKE_CROSSCOMPILING_EMULATOR"].split(";") if word)
    if command:
        one = Processor(name=Path(command[0]).name)
        return {"emulator": Emulator(kind="command", command=command, processors=(one,))}
    if said["CMAKE_CROSSCOMPILING"] == "TRUE":
        return {"emulator": Emulator(kind="none"), "rungs": ALL_RUNGS[: ALL_RUNGS.index("answers")]}
    return {}
