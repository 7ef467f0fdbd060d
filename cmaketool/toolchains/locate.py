"""A leg file on this machine: its programs found, its facts read, its toolchain file and wrappers written."""

from __future__ import annotations

import platform
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.compilers import Dialect, read_facts
from cmaketool.toolchains.files import toolchain_text, wrapper, write
from cmaketool.toolchains.found import Leg
from cmaketool.toolchains.processors import this_machine
from cmaketool.toolchains.programs import Missing, Tools, absent, emulator_command, locate, tools
from cmaketool.toolchains.stand_ins import prepare
from cmaketool.toolchains.statements import agreed, describe
from cmaketool.toolchains.user_toolchains import of_toolchain_file
from cmaketool.toolchains.warming import FirstLink
from cmaketool.versions import is_older

if TYPE_CHECKING:
    from cmaketool.toolchains.model import Facts, LegFile

__all__ = ["find", "too_old"]

_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}
_STAND_IN = "stand-in"


def find(file: LegFile, folder: Path, build_tools: Tools | Missing | None = None) -> Leg | Missing:
    """Look for the programs of the leg `file`; write its toolchain file and wrappers under `folder`.

    `build_tools` are the CMake and Ninja that will use it (default: those of `tools()`); a leg may need a
    newer CMake, and a toolchain file of the user's is configured with them. Raises CmaketoolError when the
    compiler is there and does not work, or is not what the leg file says, and for a toolchain file that CMake
    does not take; it names the file of a leg of the user's.
    """
    folder = folder.resolve()
    try:
        if file.toolchain_file is not None:
            return of_toolchain_file(file, folder, build_tools or tools())
        return _of_programs(file, folder, build_tools)
    except CmaketoolError as error:
        told = (replace(one, file=one.file or file.path) for one in error.diagnostics)
        raise CmaketoolError(*told, code=error.code) from error


def _of_programs(file: LegFile, folder: Path, build_tools: Tools | Missing | None) -> Leg | Missing:
    parts = _parts(file, folder, build_tools)
    if isinstance(parts, Missing):
        return parts
    programs, emulator, facts = parts
    toolchain_file: Path | None = None
    if file.system_name is None:
        arguments = tuple(f"-D{name}={Path(path).as_posix()}" for name, path in programs.items())
    else:
        toolchain_file = folder / "toolchain.cmake"
        places = {"{folder}": folder.as_posix(), "{stand-in}": (folder / _STAND_IN).as_posix()}
        write(toolchain_file, toolchain_text(file, programs, places))
        arguments = (f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file.as_posix()}",)
    native = file.emulator.kind == "native"
    return Leg(
        file=file,
        facts=facts,
        version=describe(file, facts),
        toolchain_file=toolchain_file,
        configure_arguments=arguments,
        compiler=Path(programs["CMAKE_C_COMPILER"]),
        emulator=emulator,
        processors=(this_machine(facts.architectures),) if native else file.emulator.processors,
        first_link=_first_link(file, folder, programs),
        stand_in=folder / _STAND_IN if file.stand_in is not None else None,
    )


def too_old(file: LegFile, build_tools: Tools) -> Missing | None:
    """Return what is missing where CMake does not know the leg's target yet."""
    if file.oldest_cmake is None or not is_older(build_tools.cmake_version, file.oldest_cmake):
        return None
    what = f"CMake {build_tools.cmake_version} does not know its target"
    return Missing(file, what, f"CMake {file.oldest_cmake} or newer")


def _parts(
    file: LegFile, folder: Path, build_tools: Tools | Missing | None
) -> tuple[dict[str, str], tuple[str, ...], Facts] | Missing:
    """Return the leg's programs by CMake variable, its emulator's command, and what its compiler is."""
    lacking = too_old(file, build_tools) if isinstance(build_tools, Tools) else None
    if lacking is not None:
        return lacking
    if file.stand_in is not None:
        problem = prepare(file.stand_in, folder / _STAND_IN)
        if problem is not None:
            return Missing(file, problem, file.packages)
    programs = _programs(file, folder)
    if isinstance(programs, Missing):
        return programs
    emulator = emulator_command(file)
    if isinstance(emulator, Missing):
        return emulator
    facts = _facts(file, folder)
    return facts if isinstance(facts, Missing) else (programs, emulator, facts)


def _programs(file: LegFile, folder: Path) -> dict[str, str] | Missing:
    """Return, by CMake variable, the one-word commands of the leg's programs."""
    compilers = {"CMAKE_C_COMPILER": file.compiler, "CMAKE_CXX_COMPILER": file.cxx_compiler}
    names = {"CMAKE_C_COMPILER": "cc", "CMAKE_CXX_COMPILER": "c++"}
    found: dict[str, str] = {}
    for variable, command in {**compilers, **file.programs}.items():
        path = locate(command, folder / _STAND_IN) if command else []
        if path:
            name = names.get(variable, variable.removeprefix("CMAKE_").lower())
            may_link = variable not in names or (file.links and file.slow_first_link is None)
            bare = len(path) == 1
            found[variable] = path[0] if bare else wrapper(folder / "bin", name, path, may_link=may_link)
        elif command and variable != "CMAKE_CXX_COMPILER":
            return Missing(file, absent(command[0]), file.packages)
    return found


def _first_link(file: LegFile, folder: Path, programs: dict[str, str]) -> FirstLink | None:
    if file.slow_first_link is None:
        return None
    return FirstLink(programs["CMAKE_C_COMPILER"], folder / "first-link", file.slow_first_link)


# --- facts


def _facts(file: LegFile, folder: Path) -> Facts | Missing:
    """Return what the compiler says; raises CmaketoolError when the leg file says otherwise."""
    command = locate(file.compiler, folder / _STAND_IN)
    if file.target is not None:
        command.append(f"--target={file.target}")
    apple = tuple(name for name in file.variables.get("CMAKE_OSX_ARCHITECTURES", "").split(";") if name)
    said = read_facts(tuple(command), _dialect(file, command[0]), apple)
    if file.facts == "from-compiler":
        here = _MACHINES.get(platform.machine().lower(), "other")
        if file.system_name is None and said.architectures != (here,) and here != "other":
            what = f"{command[0]} compiles for {', '.join(said.architectures)}, this machine is {here}"
            return Missing(file, what, file.packages)
        return said
    return agreed(file, command[0], said)


def _dialect(file: LegFile, program: str) -> Dialect:
    """Return how the compiler's command line is spelt."""
    if file.facts == "from-compiler":
        name = Path(program).stem.lower()
        return "msvc" if name == "cl" or name.startswith("clang-cl") else "gnu"
    return "msvc" if file.facts.family in {"msvc", "clang-cl"} else "gnu"
