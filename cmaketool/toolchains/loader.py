"""Leg files: the bundled ones, and any other text of the same form."""

from __future__ import annotations

import functools

import yaml
from pydantic import ValidationError

from cmaketool import resources
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.toolchains.model import LegFile

__all__ = ["leg", "legs", "read"]

_FOLDER = "toolchains/leg_files"


def read(text: str, where: str) -> LegFile:
    """Return the leg that the YAML `text` of the file `where` describes.

    Raises CmaketoolError with everything that is wrong with it.
    """
    try:
        return LegFile.model_validate(yaml.safe_load(text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        message = str(getattr(error, "problem", None) or error)
        raise CmaketoolError(Diagnostic(message, "leg-file-yaml", where, line, column)) from error
    except ValidationError as error:
        faults = (
            Diagnostic(f"{'.'.join(map(str, fault['loc'])) or 'leg'}: {fault['msg']}", "leg-file", where)
            for fault in error.errors()
        )
        raise CmaketoolError(*faults) from error


@functools.cache
def legs() -> tuple[LegFile, ...]:
    """Return the bundled legs in their order."""
    names = resources.listing(_FOLDER, ".yml")
    files = (read(resources.text(_FOLDER, name), name) for name in names)
    return tuple(sorted(files, key=lambda file: (file.order, file.name)))


def leg(name: str) -> LegFile:
    """Return the bundled leg `name`; raises CmaketoolError with a near miss."""
    known = {file.name: file for file in legs()}
    if name not in known:
        message = f"no toolchain is named {name!r}"
        remedy = near_miss(name, list(known)) or f"known: {', '.join(known)}"
        raise CmaketoolError(Diagnostic(message, "unknown-toolchain", remedy=remedy))
    return known[name]
