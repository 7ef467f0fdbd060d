"""A leg file on this machine: its programs found, its facts read, its toolchain file and wrappers written."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.compilers import read_facts
from cmaketool.toolchains.processors import this_machine
from cmaketool.toolchains.programs import Missing, has_module, locate
from cmaketool.toolchains.warming import FirstLink

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cmaketool.toolchains.model import Facts, LegFile, Processor

__all__ = ["Invocation", "Leg", "find"]

_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}
_MODULE = "cmaketool.toolchains.unicorn_aarch64"
_NOTHING: Mapping[str, str | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command: its words, and what to change of our environment for it (None: that is not to be set)."""

    words: list[str]
    environment: Mapping[str, str | None]

    @property
    def line(self) -> str:
        """The command as one line for a POSIX shell; it says what is set, not what is not."""
        set_here = ((name, value) for name, value in self.environment.items() if value is not None)
        settings = [f"{name}={shlex.quote(value)}" for name, value in set_here]
        return " ".join([*settings, shlex.join(self.words)])


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg whose tools are all there."""

    file: LegFile
    facts: Facts  # complete: with the version
    version: str  # for people
    toolchain_file: Path | None
    configure_arguments: tuple[str, ...]  # for every cmake configure
    compiler: Path  # that the tree must come to use for C
    emulator: tuple[str, ...]  # the command that comes before a processor's words and the program
    processors: tuple[Processor, ...]  # the first is taken if none is asked for
    first_link: FirstLink | None = field(default=None, repr=False)

    @property
    def any_hwcap(self) -> bool:
        """Whether `invoke` takes a capability word, and mnemonics to forbid."""
        return self.file.emulator.kind == "unicorn"

    def invoke(
        self,
        program: Path,
        arguments: Sequence[str] = (),
        *,
        processor: str | None = None,
        hwcap: int | None = None,
        forbid: Sequence[str] = (),
        environment: Mapping[str, str | None] = _NOTHING,
    ) -> Invocation:
        """Return how `program` is run with `arguments`, on the `processor` of that name (None: the first).

        `hwcap` is the Linux AT_HWCAP word that the program is to see; a program that executes one of the
        mnemonics in `forbid` (as the catalogue lists them) ends with exit code 125. What the `environment`
        holds is set for the program; None: it is not to be set. An emulator may give more, or nothing, of
        ours. Raises ValueError for a processor that the leg does not have, and for `hwcap` and `forbid`
        where they cannot be had (ask `any_hwcap`).
        """
        known = {one.name: one for one in self.processors}
        chosen = self.processors[0] if processor is None else known.get(processor)
        if chosen is None:
            raise ValueError(f"{self.file.name} has no processor {processor}; it has {', '.join(known)}")
        options: list[str] = []
        if hwcap is not None:
            options += ["--hwcap", hex(hwcap)]
        if forbid:
            options += ["--forbid", ",".join(forbid)]
        if options and not self.any_hwcap:
            raise ValueError(f"{self.file.name} can neither answer a capability word nor forbid instructions")
        if self.any_hwcap:  # its programs see nothing of our environment
            for name, value in environment.items():
                options += [] if value is None else ["--env", f"{name}={value}"]
            environment = _NOTHING
        words = [*self.emulator, *chosen.words, *options, str(program), *arguments]
        return Invocation(words, environment)

    def start_warming(self, say: Callable[[str], None] | None = None) -> None:
        """Begin, in the background, what the first link of a program would wait for. Returns at once.

        `say` gets one line if that takes a while. A link meanwhile waits for it; compiling goes on.
        """
        if self.first_link is not None:
            self.first_link.start(say)

    def warm(self) -> None:
        """Return once programs link without waiting.

        Raises CmaketoolError when no program can be linked, process.Cancelled.
        """
        if self.first_link is not None:
            self.first_link.wait()


def _write(path: Path, text: str, *, executable: bool = False) -> None:
    """Write `path` if it holds anything else: an unchanged toolchain file makes nothing stale."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")
    if executable:
        path.chmod(0o755)


# CMake identifies a compiler by linking this without any flag, and falls back to -c only when that fails.
_IDENTIFICATION = ("CMakeCCompilerId.c", "CMakeCXXCompilerId.cpp")


def _wrapper(folder: Path, name: str, command: list[str], *, may_link: bool) -> str:
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
    _write(path, text, executable=True)
    return str(path)


def _programs(file: LegFile, folder: Path) -> dict[str, str] | Missing:
    """Return, by CMake variable, the one-word commands of the leg's programs."""
    found: dict[str, str] = {}
    for variable, word, command in (
        ("CMAKE_C_COMPILER", "cc", file.compiler),
        ("CMAKE_CXX_COMPILER", "c++", file.cxx_compiler),
        ("CMAKE_AR", "ar", file.archiver),
        ("CMAKE_RANLIB", "ranlib", file.ranlib),
    ):
        path = locate(command) if command else []
        if path:
            may_link = file.slow_first_link is None or word in {"ar", "ranlib"}
            bare = len(path) == 1
            found[variable] = path[0] if bare else _wrapper(folder / "bin", word, path, may_link=may_link)
        elif command and variable != "CMAKE_CXX_COMPILER":
            return Missing(file, _absent(command[0]), file.packages)
    return found


def _absent(program: str) -> str:
    return {
        "{zig}": "ziglang is not installed",
        "{cc}": f"no C compiler ({os.environ.get('CC') or 'cc, gcc, clang'}) is on PATH",
    }.get(program, f"{program} is not on PATH")


def _emulator(file: LegFile) -> tuple[str, ...] | Missing:
    if file.emulator.kind == "unicorn":
        if not has_module("unicorn"):
            return Missing(file, "unicorn is not installed", file.packages)
        return (sys.executable, "-m", _MODULE)
    if file.emulator.kind == "command":
        command = locate(file.emulator.command)
        return tuple(command) or Missing(file, _absent(file.emulator.command[0]), file.packages)
    return ()


def _facts(file: LegFile) -> Facts | Missing:
    """Return what the compiler says; raises CmaketoolError when the leg file says otherwise."""
    command = locate(file.compiler)
    if file.target is not None:
        command.append(f"--target={file.target}")
    said = read_facts(tuple(command))
    if file.facts == "from-compiler":
        here = _MACHINES.get(platform.machine().lower(), "other")
        if file.system_name is None and said.architectures != (here,) and here != "other":
            what = f"{command[0]} compiles for {', '.join(said.architectures)}, this machine is {here}"
            return Missing(file, what, file.packages)
        return said
    stated = file.facts
    if stated.version is None:
        stated = stated.model_copy(update={"version": said.version})
    if stated != said:
        message = f"{command[0]} is {said}, and the leg {file.name} says {stated}"
        raise CmaketoolError(Diagnostic(message, "leg-facts", remedy="correct the leg's file"))
    return said


def _toolchain_text(file: LegFile, folder: Path, programs: dict[str, str]) -> str:
    def quoted(value: str) -> str:
        text = value.replace("{folder}", folder.as_posix())
        return '"' + text.replace("\\", "/").replace('"', '\\"').replace("$", "\\$") + '"'

    lines = [f"# The toolchain {file.name}: {file.stands_for}."]
    lines.append(f"set(CMAKE_SYSTEM_NAME {file.system_name})")
    if file.system_processor is not None:
        lines.append(f"set(CMAKE_SYSTEM_PROCESSOR {file.system_processor})")
    if file.target is not None:
        lines += [f"set(CMAKE_{language}_COMPILER_TARGET {file.target})" for language in ("C", "CXX", "ASM")]
    lines += [f"set({name} {quoted(value)})" for name, value in {**programs, **file.variables}.items()]
    if file.slow_first_link is not None:
        lines += [
            "if(NOT CMAKETOOL_LINK_CHECKS)  # the compiler check need not wait for the first link",
            "  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)",
            "endif()",
        ]
    return "\n".join([*lines, ""])


def find(file: LegFile, folder: Path) -> Leg | Missing:
    """Look for the programs of the leg `file`; write its toolchain file and wrappers under `folder`.

    Raises CmaketoolError when the compiler is there and does not work, or is not what the leg file says.
    """
    folder = folder.resolve()
    programs = _programs(file, folder)
    if isinstance(programs, Missing):
        return programs
    emulator = _emulator(file)
    if isinstance(emulator, Missing):
        return emulator
    facts = _facts(file)
    if isinstance(facts, Missing):
        return facts
    toolchain_file: Path | None = None
    if file.system_name is None:
        arguments = tuple(f"-D{name}={Path(path).as_posix()}" for name, path in programs.items())
    else:
        toolchain_file = folder / "toolchain.cmake"
        _write(toolchain_file, _toolchain_text(file, folder, programs))
        arguments = (f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file.as_posix()}",)
    return Leg(
        file=file,
        facts=facts,
        version=_describe(facts),
        toolchain_file=toolchain_file,
        configure_arguments=arguments,
        compiler=Path(programs["CMAKE_C_COMPILER"]),
        emulator=emulator,
        processors=file.emulator.processors or (this_machine(facts.architectures),),
        first_link=_first_link(file, folder, programs),
    )


def _describe(facts: Facts) -> str:
    name = f"{facts.family} {facts.version}"
    if facts.family == "zig":
        name = f"zig {version('ziglang')} (clang {facts.version})"
    return f"{name}, {', '.join(facts.architectures)}"


def _first_link(file: LegFile, folder: Path, programs: dict[str, str]) -> FirstLink | None:
    if file.slow_first_link is None:
        return None
    return FirstLink(programs["CMAKE_C_COMPILER"], folder / "first-link", file.slow_first_link)
