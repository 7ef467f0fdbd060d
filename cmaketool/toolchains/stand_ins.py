"""Stand-ins by name: what is made for a leg before its compiler can be looked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.toolchains.model import StandIn

__all__ = ["prepare"]

# Each module has `install(folder, architecture)`, for one of its ARCHITECTURES. That raises CmaketoolError,
# of the rule "standin-missing" where a program is not there that it is made of.
_MODULES = {
    "msvc-model": "cmaketool.standins.msvc_model.install",
    "windows-sdk": "cmaketool.standins.windows_sdk.install",
    "macos": "cmaketool.standins.macos.install",
}


def prepare(wanted: StandIn, folder: Path) -> str | None:
    """Put the stand-in into `folder`, at once if it is there; return what is missing instead, if anything.

    Raises CmaketoolError where its tools are there and fail, and for an architecture that it is not for.
    """
    if sys.platform == "win32":
        return "stand-ins are made of POSIX shell scripts"
    module = import_module(_MODULES[wanted.name])
    if wanted.architecture not in module.ARCHITECTURES:
        message = f"stand_in.architecture: {wanted.name} is not made for {wanted.architecture or 'none'}"
        remedy = f"it is for: {', '.join(filter(None, module.ARCHITECTURES)) or 'none: leave it out'}"
        raise CmaketoolError(Diagnostic(message, "leg-file", remedy=remedy))
    try:
        module.install(folder, wanted.architecture)
    except CmaketoolError as error:
        first = error.diagnostics[0]
        if first.rule != "standin-missing":
            raise
        return first.message
    return None
