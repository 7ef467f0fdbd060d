"""Legs for people and for programs: found or not, what each can show, what to install."""

from __future__ import annotations

import json
import os
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.loader import legs
from cmaketool.toolchains.locate import find
from cmaketool.toolchains.model import ALL_RUNGS
from cmaketool.toolchains.programs import Missing, make, tools

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cmaketool.toolchains.found import Leg
    from cmaketool.toolchains.model import LegFile, Rung

__all__ = ["NARROWEST", "WIDTH", "Listing", "as_descriptions", "as_json", "as_table", "look"]

WIDTH = 80  # where the output is no terminal
NARROWEST = 60
_GAP = "  "
_ONLY_NAMED = "*"


class Listing(NamedTuple):
    """A leg file and what came of looking for it; `missing` is empty where it was found.

    `compiler` is a path; empty for a script or a stand-in, which each run makes anew.
    """

    file: LegFile
    leg: Leg | None
    missing: str = ""
    remedy: str = ""
    compiler: str = ""


def look(files: Sequence[LegFile]) -> list[Listing]:
    """Look for each leg.

    Raises CmaketoolError for one of the user's that cannot be used; of a bundled one this is only said.
    """
    with tempfile.TemporaryDirectory(prefix="cmaketool-toolchains-") as folder:

        def one(file: LegFile) -> Listing:
            try:
                found = find(file, Path(folder) / file.name)
            except CmaketoolError as error:
                if file not in legs():
                    raise
                first = error.diagnostics[0]
                return Listing(file, None, f"unusable: {first.message}", first.remedy or file.packages)
            if isinstance(found, Missing):
                return Listing(file, None, found.what, found.remedy)
            made = found.compiler.is_relative_to(Path(folder).resolve())
            return Listing(found.file, found, compiler="" if made else str(found.compiler))

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
            return list(threads.map(one, files))


def _shows(rungs: Sequence[Rung]) -> str:
    """Return what a leg can show, in short."""
    if rungs == ALL_RUNGS:
        return "everything"
    return f"to {rungs[-1]}" if rungs == ALL_RUNGS[: len(rungs)] else ", ".join(rungs)


def _build_tools() -> str:
    found = tools()
    if isinstance(found, Missing):
        return f"{found.what} is not there: {found.remedy}"
    makes = make()
    gnu = "" if isinstance(makes, Missing) or not makes.version else f", GNU make {makes.version}"
    return f"CMake {found.cmake_version}, Ninja {found.ninja_version}{gnu}"


# --- for people


def as_table(found: Sequence[Listing], width: int) -> str:
    """Return a table of `width` columns, with a line of what to install, or of limits, where there is one."""
    names = [one.file.name + ("" if one.file.default else _ONLY_NAMED) for one in found]
    shows = [_shows(one.file.rungs) for one in found]
    first, last = max(map(len, names)), max(map(len, shows))
    middle = width - first - last - 2 * len(_GAP)
    lines = [_build_tools(), "", f"{'leg':{first}}{_GAP}{'shows':{last}}{_GAP}found"]
    for one, name, shown in zip(found, names, shows, strict=True):
        text = one.leg.version if one.leg else f"no: {one.missing}"
        cells = textwrap.wrap(text, middle, break_on_hyphens=False) or [""]
        lines.append(f"{name:{first}}{_GAP}{shown:{last}}{_GAP}{cells[0]}")
        lines += [" " * (width - middle) + cell for cell in cells[1:]]
        lines += _lines("install", one.remedy, width)
        lines += _lines("limits", one.file.limits or "", width) if one.leg else []
    lines += ["", *textwrap.wrap(f"{_ONLY_NAMED} run only when it is named, or by --toolchain all", width)]
    return "\n".join(lines) + "\n"


def _lines(word: str, text: str, width: int) -> list[str]:
    """Return an indented paragraph that begins with `word`; nothing for no text."""
    if not text:
        return []
    indent = " " * 4
    return textwrap.wrap(
        f"{word}: {text}",
        width,
        initial_indent=indent,
        subsequent_indent=indent * 2,
        break_on_hyphens=False,
        break_long_words=False,
    )


def as_descriptions(found: Sequence[Listing], width: int) -> str:
    """Return all there is to say of each leg."""
    lines = [_build_tools()]
    for one in found:
        lines += ["", one.file.name]
        for word, text in _said(one):
            lines += _lines(word, text, width)
    return "\n".join(lines) + "\n"


def _said(one: Listing) -> Iterator[tuple[str, str]]:
    file, leg = one.file, one.leg
    yield "stands for", file.stands_for
    yield "found", leg.version if leg else f"no: {one.missing}"
    yield "install", one.remedy
    yield "limits", file.limits or ""
    yield "run", "by default" if file.default else "when it is named, or by --toolchain all"
    yield "shows", " ".join(file.rungs)
    if leg is not None:
        yield "compiler", one.compiler
        for name in leg.facts.architectures:
            yield f"needs no flag on {name}", " ".join(leg.facts.allowed(name)) or "none of the features"
        for processor in leg.processors:
            known = "not known" if processor.features is None else " ".join(sorted(processor.features))
            yield f"processor {processor.name}", known or "none of the features"


# --- for programs


def as_json(found: Sequence[Listing]) -> str:
    """Return one JSON document; docs/toolchains.md says what it holds."""
    return json.dumps({"schema": 1, "legs": [_data(one) for one in found]}, indent=2) + "\n"


def _data(one: Listing) -> dict[str, Any]:
    file, leg = one.file, one.leg
    facts = leg.facts if leg else None
    return {
        "leg": file.name,
        "stands_for": file.stands_for,
        "limits": file.limits or "",
        "default": file.default,
        "embedded": file.embedded,
        "rungs": list(file.rungs),
        "found": leg is not None,
        "about": leg.version if leg else "",
        "missing": one.missing,
        "remedy": one.remedy,
        "compiler": one.compiler,
        "family": facts.family if facts else "",
        "version": facts.version if facts else "",
        "slices": {name: list(facts.allowed(name)) for name in facts.architectures} if facts else {},
        "processors": {
            processor.name: None if processor.features is None else sorted(processor.features)
            for processor in (leg.processors if leg else ())
        },
    }
