"""The rungs that look into object files: symbols, mnemonics, leak. What is a fault, `evidence` says."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import catalogue
from cmaketool.verify import digests, evidence, objects
from cmaketool.verify.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.plan import Plan, PlannedKernel
    from cmaketool.toolchains.model import Facts
    from cmaketool.verify.evidence import Exhibits, Fault
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.objects import ObjectFile
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["Reader", "Slice", "look", "slices", "summary"]


class Reader:
    """Reads object files and programs, each content once. Safe to use from several threads."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str | None], ObjectFile] = {}
        self._lock = threading.Lock()

    def read(self, path: Path, architecture: str | None = None) -> ObjectFile:
        """Return what `path`, or one slice of it, holds. Raises CmaketoolError as `objects.read` does."""
        key = (path.name, digests.of_object(path), architecture)
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = objects.read(path, architecture)
            with self._lock:
                self._known[key] = known
        return known


class Slice(NamedTuple):
    """What a state built for one architecture.

    `name` is empty where there is only one; `absent`: sources whose objects have nothing for it.
    """

    name: str
    shown: Exhibits
    absent: tuple[Path, ...]

    def said(self, text: str) -> str:
        """Return `text`, which is about this slice."""
        return f"{self.name} slice: {text}" if self.name else text

    def lacks(self, unit: Unit) -> list[str]:
        """Return a fault for each object of the unit that has nothing for the slice."""
        lacking = (source.name for source in self.absent if source in unit.sources)
        return [self.said(f"there is none in the object of {name}") for name in lacking]


def look(judge: Judge, units: Sequence[Unit], found: Sequence[Slice]) -> list[str]:
    """Judge every unit in a built tree; return notes: what was found and is exempt, and why."""
    leaks = [(one, evidence.leaks(one.shown)) for one in found]
    for unit in units:
        if unit.kernel is not None:
            _of_kernel(judge, unit, unit.kernel, found)
        if judge.stands(unit.name, "leak"):
            # Of a kernel this is said by its symbols.
            faults = [] if unit.kernel is not None else [text for one in found for text in one.lacks(unit)]
            for one, leak in leaks:
                faults += [one.said(fault.reason) for fault in leak.faults if _concerns(fault, unit)]
            judge.conclude(unit.name, "leak", faults)
    for one, leak in leaks:
        for fault in leak.faults:
            if judge.asked("leak") and not any(_concerns(fault, unit) for unit in units):
                judge.say(None, "leak", Verdict.FAIL, one.said(fault.reason))
    return [one.said(note) for one, leak in leaks for note in leak.notes]


def _of_kernel(judge: Judge, unit: Unit, kernel: PlannedKernel, found: Sequence[Slice]) -> None:
    there = [one for one in found if unit.name in one.shown.built]
    if judge.stands(unit.name, "symbols"):
        faults = []
        for one in found:
            look_ = evidence.symbols_present if one in there else evidence.symbols_absent
            lacking = one.lacks(unit) if there else []
            faults += lacking or [one.said(fault.reason) for fault in look_(kernel, one.shown)]
        judge.conclude(unit.name, "symbols", faults, "" if there else "none")
    if there and judge.stands(unit.name, "mnemonics"):
        faults = [one.said(fault.reason) for one in there for fault in evidence.mnemonics(kernel, one.shown)]
        if faults or kernel.mnemonics:
            judge.conclude(unit.name, "mnemonics", faults)
        else:  # nothing was looked for, and an empty function would do
            judge.say(unit.name, "mnemonics", Verdict.NOT_SHOWN, "the manifest lists no instructions of it")


def _concerns(fault: Fault, unit: Unit) -> bool:
    """A leak concerns the kernel whose instructions these are, and the variant in whose source they stand."""
    return fault.kernel == unit.name or (unit.kernel is None and fault.source in unit.sources)


def summary(plan: Plan, one: Slice) -> str:
    """Return in one line what a slice of a universal build holds of the kernels, and what not."""
    own, others = [], []
    for kernel in plan.kernels:
        if kernel.name in one.shown.built:
            counts = evidence.census(kernel, one.shown)
            listed = ", ".join(f"{mnemonic} {number}" for mnemonic, number in counts.items())
            own.append(f"{kernel.name} ({listed})" if listed else kernel.name)
        elif not evidence.symbols_absent(kernel, one.shown):
            others.append(kernel.name)
    without = f"nothing of {', '.join(others)}" if others else ""
    return one.said("; ".join(filter(None, [", ".join(own), without])))


def slices(
    plan: Plan, facts: Facts, snapshot: Snapshot, built: frozenset[str], reader: Reader
) -> tuple[Slice, ...]:
    """Read all that a state built of the target under test, for each architecture of the leg."""
    files = {source: file for source, file in snapshot.objects.items() if file.is_file()}
    if len(facts.architectures) == 1:
        read = {source: reader.read(file) for source, file in files.items()}
        bitcode = any(item.is_bitcode for item in read.values())
        program = _program(plan, snapshot, reader) if bitcode else None
        whole = evidence.Exhibits(plan, catalogue.load(), read, built, facts.features, program)
        return (Slice("", whole, ()),)
    found = []
    for name in facts.architectures:
        there = {source: file for source, file in files.items() if name in objects.slices(file)}
        read = {source: reader.read(file, name) for source, file in there.items()}
        own = frozenset(one.name for one in plan.kernels if one.name in built and name in one.architectures)
        shown = evidence.Exhibits(plan, catalogue.load(), read, own, facts.allowed(name))
        found.append(Slice(name, shown, tuple(source for source in files if source not in there)))
    return tuple(found)


def _program(plan: Plan, snapshot: Snapshot, reader: Reader) -> ObjectFile | None:
    """Return a linked program that holds the kernels, if there is one."""
    wanted = {symbol for kernel in plan.kernels for symbol in kernel.symbols}
    linked = [
        *snapshot.target.artifacts,
        *(file for t in snapshot.tests.values() for file in t.artifacts[:1]),
    ]
    readable = [reader.read(file) for file in linked if file.is_file() and file.suffix not in {".a", ".lib"}]
    return max(readable, key=lambda item: sum(item.function(s) is not None for s in wanted), default=None)
