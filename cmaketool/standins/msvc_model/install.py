"""Puts the stand-in into a folder: headers, libraries, and programs named as Microsoft's."""

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
_STAMP = "installed.txt"


@dataclass(frozen=True, slots=True)
class Installed:
    """The stand-in in a folder."""

    architecture: str
    folder: Path
    tools: Tools

    @property
    def compiler(self) -> Path:
        """The program named cl."""
        return self.folder / "bin" / "cl"


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
    texts = {**_headers(), **_programs(installed)}
    sources = library_sources() if architecture in MACHINES else {}
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
