"""Leg files: the bundled ones, and any other text of the same form."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import yaml
from pydantic import ValidationError

from cmaketool import catalogue, resources
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.toolchains.model import LegFile

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["leg", "legs", "read"]

_FOLDER = "toolchains/leg_files"


def read(text: str, where: str) -> LegFile:
    """Return the leg that the YAML `text` of the file `where` describes.

    Raises CmaketoolError with everything that is wrong with it.
    """
    try:
        file = LegFile.model_validate(yaml.safe_load(text))
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
    wrong = tuple(_unknown_features(file, where))
    if wrong:
        raise CmaketoolError(*wrong)
    return file


def _unknown_features(file: LegFile, where: str) -> Iterator[Diagnostic]:
    """Find features of processors that the catalogue does not have for the leg's architectures."""
    known = catalogue.load()
    names = list(known.architectures) if file.facts == "from-compiler" else file.facts.architectures
    isas = {known.architectures[name].isa for name in names if name in known.architectures}
    features = {feature for isa in isas for feature in known.features(isa)}
    for at, processor in enumerate(file.emulator.processors):
        for name in sorted((processor.features or frozenset()) - features):
            message = f"emulator.processors.{at}.features: no feature is named {name!r}"
            remedy = near_miss(name, sorted(features)) or f"known: {', '.join(sorted(features))}"
            yield Diagnostic(message, "leg-file", where, remedy=remedy)


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
