"""The rungs that look into object files: symbols, mnemonics, leak. What is a fault, `evidence` says."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from cmaketool import catalogue
from cmaketool.verify import digests, evidence, objects

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.plan import Plan
    from cmaketool.toolchains.model import Facts
    from cmaketool.verify.evidence import Exhibits, Fault
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.objects import ObjectFile
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["Reader", "exhibits", "look"]


class Reader:
    """Reads object files and programs, each content once. Safe to use from several threads."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], ObjectFile] = {}
        self._lock = threading.Lock()

    def read(self, path: Path) -> ObjectFile:
        """Return what `path` holds. Raises CmaketoolError for what is no object file."""
        key = (path.name, digests.of_object(path))
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = objects.read(path)
            with self._lock:
                self._known[key] = known
        return known


def look(judge: Judge, units: Sequence[Unit], shown: Exhibits) -> list[str]:
    """Judge every unit in a built tree; return notes: what was found and is exempt, and why."""
    leaks = evidence.leaks(shown)
    for unit in units:
        if unit.kernel is not None:
            _of_kernel(judge, unit, shown)
        own = [fault for fault in leaks.faults if _concerns(fault, unit)]
        if judge.stands(unit.name, "leak"):
            judge.conclude(unit.name, "leak", (fault.reason for fault in own))
    return list(leaks.notes)


def _of_kernel(judge: Judge, unit: Unit, shown: Exhibits) -> None:
    assert unit.kernel is not None  # noqa: S101  the caller looked
    there = unit.name in shown.built
    if judge.stands(unit.name, "symbols"):
        faults = (evidence.symbols_present if there else evidence.symbols_absent)(unit.kernel, shown)
        judge.conclude(unit.name, "symbols", (fault.reason for fault in faults), "" if there else "none")
    if there and judge.stands(unit.name, "mnemonics"):
        faults = evidence.mnemonics(unit.kernel, shown)
        judge.conclude(unit.name, "mnemonics", (fault.reason for fault in faults))


def _concerns(fault: Fault, unit: Unit) -> bool:
    """A leak concerns the kernel whose instructions these are, and the variant in whose source they stand."""
    return fault.kernel == unit.name or (unit.kernel is None and fault.source in unit.sources)


def exhibits(plan: Plan, facts: Facts, snapshot: Snapshot, built: frozenset[str], reader: Reader) -> Exhibits:
    """Read all that a state built of the target under test."""
    read = {source: reader.read(file) for source, file in snapshot.objects.items() if file.is_file()}
    program = None
    if any(item.is_bitcode for item in read.values()):
        wanted = {symbol for kernel in plan.kernels for symbol in kernel.symbols}
        linked = [
            *snapshot.target.artifacts,
            *(file for t in snapshot.tests.values() for file in t.artifacts[:1]),
        ]
        readable = [
            reader.read(file) for file in linked if file.is_file() and file.suffix not in {".a", ".lib"}
        ]
        program = max(
            readable, key=lambda item: sum(item.function(s) is not None for s in wanted), default=None
        )
    return evidence.Exhibits(plan, catalogue.load(), read, built, facts.features, program)
