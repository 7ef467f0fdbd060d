"""What programs of the stand-in are linked with: a small C library of its own, and import libraries."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from cmaketool import process, resources
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.standins.msvc_model.cl import base_command
from cmaketool.standins.msvc_model.commandline import CommandLine
from cmaketool.standins.msvc_model.tools import PACKAGES

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.standins.msvc_model.tools import Tools

__all__ = ["MACHINES", "build_libraries", "library_sources"]

# The C library by every name that /MD, /MDd, /MT and /MTd ask for, and what CMake links to programs too.
MACHINES = {"arm64": "arm64", "x64": "i386:x86-64"}

_RUNTIME = "standins/msvc_model/runtime"
# The C library by every name that /MD, /MDd, /MT and /MTd ask for, and what CMake links to programs besides.
_C_LIBRARIES = ("msvcrt", "msvcrtd", "libcmt", "libcmtd")
_EMPTY_LIBRARIES = (
    "advapi32", "comdlg32", "gdi32", "ole32", "oleaut32", "oldnames", "shell32", "user32", "uuid", "winspool",
)  # fmt: skip
# No cookies and no probes of the stack; no calls of memcpy made out of memcpy's own loop.
_OPTIONS = ["/std:c11", "/O2", "/GS-", "/Zl", "/W4", "/c", "-mno-stack-arg-probe", "-fno-builtin"]


def library_sources() -> dict[str, str]:
    """Return the text of each file that the libraries are made of, by name."""
    names = [name for suffix in (".c", ".def") for name in resources.listing(_RUNTIME, suffix)]
    return {name: resources.text(_RUNTIME, name) for name in names}


def _run(command: list[str]) -> None:
    result = process.run(command, timeout=120)
    if result.returncode != 0:
        said = (result.errors or result.output)[-500:]
        message = f"{command[0]} cannot make the stand-in's libraries: {said}"
        raise CmaketoolError(Diagnostic(message, "standin-unusable", remedy=PACKAGES))


def _compile(architecture: str, folder: Path, tools: Tools, work: Path, sources: dict[str, str]) -> list[str]:
    for name, text in sources.items():
        (work / name).write_text(text, encoding="utf-8", newline="\n")
    files = [work / name for name in sources if name.endswith(".c")]
    base = base_command(architecture, str(folder), tools.clang, CommandLine(["/std:c11"]))
    _run([*base, *_OPTIONS, f"/Fo{work}/", "--", *map(str, files)])
    return [str(file.with_suffix(".obj")) for file in files]


def build_libraries(architecture: str, folder: Path, tools: Tools, sources: dict[str, str]) -> None:
    """Make `folder`/lib from `sources`, with the headers in `folder`/include.

    Raises CmaketoolError when a tool refuses.
    """
    libraries, work = folder / "lib", folder / "lib-objects"
    for place in (libraries, work):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    first, empty = (libraries / f"{names[0]}.lib" for names in (_C_LIBRARIES, _EMPTY_LIBRARIES))
    objects = _compile(architecture, folder, tools, work, sources)
    _run([tools.lib, "/nologo", f"/out:{first}", *objects])
    _run([tools.lib, "/nologo", "/llvmlibempty", f"/out:{empty}"])
    kernel32 = ["-d", str(work / "kernel32.def"), "-l", str(libraries / "kernel32.lib")]
    _run([tools.dlltool, "-m", MACHINES[architecture], *kernel32])
    for source, names in ((first, _C_LIBRARIES), (empty, _EMPTY_LIBRARIES)):
        for name in names[1:]:
            shutil.copyfile(source, libraries / f"{name}.lib")
