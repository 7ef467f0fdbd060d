"""The CPU of this machine: which features of the catalogue it has, where the operating system tells."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import catalogue
from cmaketool.toolchains.model import Processor

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["features", "this_machine"]

_CPUINFO = Path("/proc/cpuinfo")


def this_machine(architectures: Sequence[str]) -> Processor:
    """Return the CPU that runs programs of this machine's own `architectures`."""
    architecture = catalogue.load().architectures.get(architectures[0])
    known = None
    if architecture is not None and sys.platform == "linux" and _CPUINFO.is_file():
        known = features(architecture.isa, _CPUINFO.read_text(encoding="utf-8", errors="replace"))
    return Processor(name="host", features=known)


def features(isa: str, cpuinfo: str) -> frozenset[str] | None:
    """Return the features of an instruction set that every CPU has by the text of /proc/cpuinfo.

    One that another implies counts only together with it. None: the text does not tell.
    """
    known = catalogue.load()
    lines = (line.partition(":") for line in cpuinfo.splitlines())
    words = [set(text.split()) for key, _, text in lines if key.strip() in {"flags", "Features"}]
    if not words:
        return None
    common = set.intersection(*words)
    asked = ((name, known.feature(isa, name).detection) for name in known.features(isa))
    named = {name for name, detection in asked if detection.always or detection.cpuinfo in common}
    return frozenset(name for name in named if named.issuperset(known.closure(isa, [name])))
