"""Puts the stand-in into a folder: headers, libraries, programs named as Microsoft's, a toolchain file."""

from __future__ import annotations

import hashlib
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import resources
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.standins.msvc_model.cl import TRIPLES
from cmaketool.standins.msvc_model.headers import names_header
from cmaketool.standins.msvc_model.libraries import MACHINES, build_libraries, library_sources
from cmaketool.standins.msvc_model.tools import PACKAGES, find_tools
from cmaketool.toolchains.files import write

if TYPE_CHECKING:
    from cmaketool.standins.msvc_model.tools import Tools

__all__ = ["ARCHITECTURES", "Installed", "install"]

ARCHITECTURES = tuple(TRIPLES)

_HEADERS = "standins/msvc_model/include"
_PROCESSORS = {"arm64": "ARM64", "arm64ec": "ARM64EC", "x64": "AMD64"}
_PROGRAMS = {
    "CMAKE_C_COMPILER": "cl",
    "CMAKE_LINKER": "link",
    "CMAKE_AR": "lib",
    "CMAKE_RC_COMPILER": "rc",
    "CMAKE_MT": "mt",
}
_STAMP = "installed.txt"


@dataclass(frozen=True, slots=True)
class Installed:
    """The stand-in in a folder."""

    architecture: str
    folder: Path
    tools: Tools

    @property
    def links(self) -> bool:
        """Whether it makes programs; if not, only static libraries."""
        return self.architecture in MACHINES

    @property
    def compiler(self) -> Path:
        """The program named cl."""
        return self.folder / "bin" / "cl"

    @property
    def toolchain_file(self) -> Path:
        """What CMAKE_TOOLCHAIN_FILE is to be."""
        return self.folder / "toolchain.cmake"

    @property
    def system_processor(self) -> str:
        """CMAKE_SYSTEM_PROCESSOR. CMAKE_SYSTEM_NAME is Windows."""
        return _PROCESSORS[self.architecture]

    @property
    def variables(self) -> dict[str, str]:
        """The other variables of the toolchain file."""
        variables = {name: (self.folder / "bin" / program).as_posix() for name, program in _PROGRAMS.items()}
        variables |= {
            "CMAKE_FIND_ROOT_PATH": (self.folder / "root").as_posix(),
            "CMAKE_FIND_ROOT_PATH_MODE_PROGRAM": "NEVER",
            "CMAKE_FIND_ROOT_PATH_MODE_LIBRARY": "ONLY",
            "CMAKE_FIND_ROOT_PATH_MODE_INCLUDE": "ONLY",
            "CMAKE_FIND_ROOT_PATH_MODE_PACKAGE": "ONLY",
        }
        if not self.links:
            variables["CMAKE_TRY_COMPILE_TARGET_TYPE"] = "STATIC_LIBRARY"
        return variables


def _headers() -> dict[str, str]:
    names = resources.listing(_HEADERS, ".h")
    texts = {f"include/{name}": resources.text(_HEADERS, name) for name in names}
    return {**texts, "include/arm64_neon_names.h": names_header()}


def _programs(installed: Installed) -> dict[str, str]:
    """Return the scripts of bin/ by path."""
    root = Path(__file__).resolve().parents[3]
    start = (
        f"import sys; sys.path.insert(0, {str(root)!r}); "
        "from cmaketool.standins.msvc_model.cl import main; sys.exit(main(sys.argv[1:]))"
    )
    tools, folder = installed.tools, str(installed.folder)
    python = [sys.executable, "-I", "-S", "-c", start]
    commands = {
        "cl": [*python, installed.architecture, folder, tools.clang, tools.link],
        "link": [tools.link, f"/libpath:{folder}/lib"],
        "lib": [tools.lib],
        "rc": [tools.rc],
        "mt": [tools.mt],
    }
    return {
        f"bin/{name}": f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n' for name, command in commands.items()
    }


def _toolchain_text(installed: Installed) -> str:
    lines = [
        f"# msvc-model, a stand-in for cl: {installed.system_processor}.",
        "set(CMAKE_SYSTEM_NAME Windows)",
        f"set(CMAKE_SYSTEM_PROCESSOR {installed.system_processor})",
    ]
    for name, value in installed.variables.items():
        quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        lines.append(f'set({name} "{quoted}")')
    return "\n".join([*lines, ""])


def install(folder: Path, architecture: str) -> Installed:
    """Put the stand-in for `architecture` (one of ARCHITECTURES) into `folder`; at once if it is there.

    Raises CmaketoolError where a program that it is made of is not on PATH, and on Windows, which has cl.
    """
    if sys.platform == "win32":
        raise CmaketoolError(Diagnostic("msvc-model is for systems that cannot run cl", "standin-unusable"))
    tools = find_tools()
    if isinstance(tools, str):
        raise CmaketoolError(Diagnostic(f"msvc-model: {tools}", "standin-missing", remedy=PACKAGES))
    installed = Installed(architecture, folder.resolve(), tools)
    texts = {**_headers(), **_programs(installed), "toolchain.cmake": _toolchain_text(installed)}
    sources = library_sources() if installed.links else {}
    digest = hashlib.sha256(repr((texts, sources, tools)).encode()).hexdigest() + "\n"
    stamp = installed.folder / _STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return installed
    stamp.unlink(missing_ok=True)
    for name, text in texts.items():
        write(installed.folder / name, text, executable=name.startswith("bin/"))
    if sources:
        build_libraries(architecture, installed.folder, tools, sources)
    write(stamp, digest)
    return installed
