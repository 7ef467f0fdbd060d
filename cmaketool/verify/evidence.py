"""From object files to faults: the kernels' symbols and instructions must be there, and only there.

Pure: nothing is run and nothing is written. Names in reasons are those of object files and of C.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from cmaketool import disassembly
from cmaketool.verify import objects
from cmaketool.verify.fileapi import settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import Plan, PlannedKernel
    from cmaketool.toolchains.model import Rung
    from cmaketool.verify.objects import Function, ObjectFile

__all__ = [
    "Exhibits",
    "Fault",
    "Leaks",
    "census",
    "leaks",
    "mnemonics",
    "symbols_absent",
    "symbols_present",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `kernel`: whom it concerns; `source`: whose object shows it (None: the linked program's)."""

    kernel: str | None
    rung: Rung
    reason: str
    source: Path | None = None


@dataclass(frozen=True, slots=True)
class Leaks:
    """Faults, and in `notes` what would be one, did the leg's default target not allow it anyway."""

    faults: tuple[Fault, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Exhibits:
    """What one state of one leg built.

    `objects`: source (as `fileapi.settled` gives it) -> what its object holds, for every source of the target
    under test; `built`: names of the kernels that should be in it; `allowed`: features of the leg's default
    target; `program`: a linked program (or shared library) that holds the target, needed where objects hold
    bitcode.
    """

    plan: Plan
    catalogue: Catalogue
    objects: Mapping[Path, ObjectFile]
    built: frozenset[str]
    allowed: tuple[str, ...] = ()
    program: ObjectFile | None = None
    _words: dict[str, _Words] = field(default_factory=dict, repr=False, compare=False)

    def of_kernel(self, kernel: PlannedKernel) -> dict[Path, ObjectFile]:
        """Return the kernel's own objects by source."""
        sources = (settled(self.plan.root / source) for source in kernel.sources)
        return {source: self.objects[source] for source in sources if source in self.objects}

    @cached_property
    def owners(self) -> dict[Path, PlannedKernel]:
        """Sources of the kernels that were built, with their kernels."""
        built = (kernel for kernel in self.plan.kernels if kernel.name in self.built)
        return {settled(self.plan.root / source): kernel for kernel in built for source in kernel.sources}

    def words(self, isa: str) -> _Words:
        """Return what is known of an instruction set's mnemonics."""
        if isa not in self._words:
            self._words[isa] = _Words(self.catalogue, isa, self.allowed)
        return self._words[isa]

    def isa(self, item: ObjectFile) -> str | None:
        """Return the instruction set of an object; None for bitcode, and for one without kernels."""
        architecture = self.catalogue.architectures.get(item.architecture or "")
        return architecture.isa if architecture is not None else None


class _Words:
    """Which feature a mnemonic needs."""

    def __init__(self, catalogue: Catalogue, isa: str, allowed: Iterable[str]) -> None:
        known = catalogue.features(isa)
        self._closures = {name: frozenset(catalogue.closure(isa, [name])) for name in known}
        self.allowed = frozenset(catalogue.closure(isa, [name for name in allowed if name in known]))
        self._needing: dict[str, set[str]] = {}
        for name in known:
            for mnemonic in catalogue.feature(isa, name).mnemonics:
                self._needing.setdefault(disassembly.canonical(mnemonic), set()).add(name)
        x86 = isa == "x86_64"
        vectors = {
            name
            for name in known
            if x86 and all(disassembly.is_vex(word) for word in catalogue.feature(isa, name).mnemonics)
        }
        self.vex = frozenset(vectors)  # features that bring AVX with them

    def features(self, mnemonic: str) -> frozenset[str]:
        """Return the features that `mnemonic` needs; none for what is in the base, or is AVX and no more."""
        legacy = disassembly.legacy_form(mnemonic)
        found = self._needing.get(mnemonic if legacy is None else legacy, set())
        # aes and vaes both list vaesenc: on 256 bits it needs what implies the other.
        return frozenset(name for name in found if not any(name in self._closures[o] - {o} for o in found))

    def is_wide(self, mnemonic: str) -> bool:
        """Say whether a VEX mnemonic needs another feature on 256 bits than on 128."""
        narrow = (
            self.features(disassembly.narrow_form(mnemonic)) if disassembly.is_vex(mnemonic) else frozenset()
        )
        return bool(narrow) and narrow != self.features(mnemonic)


# --- symbols


def symbols_present(kernel: PlannedKernel, exhibits: Exhibits) -> list[Fault]:
    """Look for the kernel's symbols in its own objects (in the linked program where those hold bitcode)."""
    own = exhibits.of_kernel(kernel)
    missing = [source for source in kernel.sources if settled(exhibits.plan.root / source) not in own]
    faults = [Fault(kernel.name, "symbols", f"{source} has no object file") for source in missing]
    if any(item.is_bitcode for item in own.values()):
        return faults + _symbols_in_program(kernel, own, exhibits)
    for symbol in kernel.symbols:
        found = [item.function(symbol) for item in own.values()]
        functions = [function for function in found if function is not None]
        if not functions:
            faults.append(Fault(kernel.name, "symbols", _where_not(symbol, own, exhibits)))
        elif all(function.local for function in functions):
            faults.append(Fault(kernel.name, "symbols", f"{symbol} is static in {_names(own.values())}"))
        elif not any(function.weak for function in functions):  # a weak one is a leak, said there
            places = [item for item in exhibits.objects.values() if _exports(item, symbol)]
            if len(places) > 1:
                reason = f"{symbol} is defined in {_names(places)}: which one is linked is left to chance"
                faults.append(Fault(kernel.name, "symbols", reason))
    return faults + [fault for source, item in own.items() for fault in _borrowed(kernel.name, source, item)]


def _borrowed(kernel: str | None, source: Path, item: ObjectFile) -> Iterator[Fault]:
    """Find calls of what cl's header maps the intrinsics to: for cl no functions, for others unknown ones."""
    names = [name for name in item.undefined if name.startswith("neon_")]
    if names:
        some = ", ".join(names[:3]) + (" ..." if names[3:] else "")
        reason = f"{item.path.name} calls {some}: it includes arm64_neon.h, which is for cl alone"
        yield Fault(kernel, "symbols" if kernel else "leak", reason, source)


def _where_not(symbol: str, own: Mapping[Path, ObjectFile], exhibits: Exhibits) -> str:
    elsewhere = [
        item for source, item in exhibits.objects.items() if source not in own and _exports(item, symbol)
    ]
    if elsewhere:
        return f"{symbol} is defined in {_names(elsewhere)}, not in {_names(own.values())}"
    if own and not any(item.functions or item.unnamed for item in own.values()):
        return f"{symbol} is not defined: {_names(own.values())} holds no code, its guard was false"
    return f"{symbol} is not defined in {_names(own.values()) or 'any object'}"


def _symbols_in_program(
    kernel: PlannedKernel, own: Mapping[Path, ObjectFile], exhibits: Exhibits
) -> list[Fault]:
    if exhibits.program is None:
        return [_no_program(kernel, "symbols", own)]
    name = exhibits.program.path.name
    return [
        Fault(kernel.name, "symbols", f"{symbol} is not in {name} (linked from bitcode)")
        for symbol in kernel.symbols
        if not exhibits.program.become(symbol)
    ]


def _no_program(kernel: PlannedKernel, rung: Rung, own: Mapping[Path, ObjectFile]) -> Fault:
    bitcode = _names(item for item in own.values() if item.is_bitcode)
    return Fault(kernel.name, rung, f"{bitcode} holds bitcode, and there is no linked program to look into")


def symbols_absent(kernel: PlannedKernel, exhibits: Exhibits) -> list[Fault]:
    """Look for the kernel's symbols where there should be none: in every object, and in the program."""
    found = []
    for symbol in kernel.symbols:
        places = [item for item in exhibits.objects.values() if _exports(item, symbol)]
        if exhibits.program is not None and exhibits.program.become(symbol):
            places.append(exhibits.program)
        if places:
            reason = f"{symbol} is defined in {_names(places)}; the kernel is not to be built"
            found.append(Fault(kernel.name, "symbols", reason))
    return found


# --- mnemonics


def mnemonics(kernel: PlannedKernel, exhibits: Exhibits) -> list[Fault]:
    """Look for the listed instructions in the listed symbols, and for others that no feature covers.

    An instruction counts where it stands in the symbol or in a local function that the symbol reaches by
    direct calls.
    """
    own = exhibits.of_kernel(kernel)
    bitcode = any(item.is_bitcode for item in own.values())
    if bitcode and exhibits.program is None:
        return [_no_program(kernel, "mnemonics", own)]
    places = [exhibits.program] if bitcode and exhibits.program is not None else list(own.values())
    words = exhibits.words(kernel.isa)
    faults = []
    for symbol, wanted in kernel.mnemonics.items():
        counts = _reached(places, symbol)
        for mnemonic in wanted:
            why = _lack(disassembly.canonical(mnemonic), counts, words)
            if why:
                reason = f"{symbol} in {_names(places)} has no {mnemonic}{why}"
                faults.append(Fault(kernel.name, "mnemonics", reason))
    if not bitcode:
        for source, item in own.items():
            faults += _undeclared(kernel, source, item, words)
    return faults


def _reached(places: Iterable[ObjectFile], symbol: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for item in places:
        counts.update(objects.reachable(item, symbol))
    return counts


def census(kernel: PlannedKernel, exhibits: Exhibits) -> dict[str, int]:
    """Count the listed instructions in all of the kernel's listed symbols, each function once."""
    own = exhibits.of_kernel(kernel).values()
    starts = [function for item in own for symbol in kernel.mnemonics for function in item.become(symbol)]
    counts: Counter[str] = Counter()
    for function in objects.closure(starts):
        counts.update(function.mnemonics)
    listed = dict.fromkeys(word for words in kernel.mnemonics.values() for word in words)
    return {word: counts[disassembly.canonical(word)] for word in listed}


def _lack(mnemonic: str, counts: Mapping[str, int], words: _Words) -> str:
    """Say why `counts` does not show `mnemonic`; empty if it does."""
    narrow = disassembly.narrow_form(mnemonic)
    if counts.get(mnemonic) or counts.get(disassembly.narrow_form("v" + mnemonic)):
        return ""
    if counts.get(narrow):
        return f": its {counts[narrow]} are all 128 bits wide" if words.is_wide(mnemonic) else ""
    return ", nor has a local function that it calls"


def _undeclared(kernel: PlannedKernel, source: Path, item: ObjectFile, words: _Words) -> Iterator[Fault]:
    """Find instructions of features that neither the kernel declares nor the default target has."""
    declared = words.allowed | set(kernel.closure)
    for needed, finds in _count((*item.functions, *item.unnamed), words):
        reason = ""
        if needed and not needed & declared:
            names = "/".join(sorted({_plain(find.mnemonic) for find in finds}))
            features = " or ".join(sorted(needed))
            reason = f"{names} in {item.path.name}, feature {features} not declared ({_tell(finds)})"
        elif not needed and not words.vex & declared:
            reason = (
                f"{item.path.name} contains VEX instructions ({_tell(finds)}), which need AVX; "
                f"the kernel declares {', '.join(kernel.features)}"
            )
        if reason:
            yield Fault(kernel.name, "mnemonics", reason, source)


# --- leaks


def leaks(exhibits: Exhibits) -> Leaks:
    """Look for instructions of the planned kernels outside the kernels built, and for ways around dispatch.

    Holds in every state: with all options OFF no object may have any.
    """
    found: list[Fault | str] = []
    for source, item in exhibits.objects.items():
        owner = exhibits.owners.get(source)
        if owner is not None:
            found += _ways_around(owner, source, item, exhibits)
        elif not item.is_bitcode:
            found += _stray(exhibits, item, (*item.functions, *item.unnamed), source)
            found += _borrowed(None, source, item)
    if exhibits.program is not None and any(item.is_bitcode for item in exhibits.objects.values()):
        found += _stray(exhibits, exhibits.program, _strangers(exhibits, exhibits.program), None)
    faults = tuple(fault for fault in found if isinstance(fault, Fault))
    return Leaks(faults, tuple(note for note in found if isinstance(note, str)))


def _stray(
    exhibits: Exhibits, item: ObjectFile, functions: Iterable[Function], source: Path | None
) -> Iterator[Fault | str]:
    """Yield a fault for each feature of a planned kernel that `functions` use, a note where they may."""
    isa = exhibits.isa(item)
    if isa is None:
        return
    words = exhibits.words(isa)
    kernels = [kernel for kernel in exhibits.plan.kernels if kernel.isa == isa]
    for needed, finds in _count(functions, words):
        relevant = needed or words.vex
        concerned = [kernel.name for kernel in kernels if relevant & set(kernel.closure)]
        if not concerned:
            continue
        what = "/".join(sorted({_plain(find.mnemonic) for find in finds})) if needed else "VEX instructions"
        text = f"{item.path.name} contains {what} ({_tell(finds)})"
        if relevant & words.allowed:
            allowed = ", ".join(sorted(relevant & words.allowed))
            yield f"{text}: exempt, the leg's default target allows {allowed}"
        else:
            of = f", feature {' or '.join(sorted(needed))} of {', '.join(concerned)}" if needed else ""
            yield Fault(concerned[0], "leak", text + of, source)


def _ways_around(owner: PlannedKernel, source: Path, item: ObjectFile, exhibits: Exhibits) -> Iterator[Fault]:
    """Find functions of a kernel's object that other code may call without asking what the CPU has."""
    for function in item.functions:
        if function.local:
            continue
        others = [
            other
            for where, other in exhibits.objects.items()
            if where != source and _exports(other, function.name)
        ]
        if function.weak and others:
            reason = (
                f"weak/COMDAT symbol {function.name} is also defined in {item.path.name}: "
                f"the linker may take that one for {_names(others)}"
            )
            yield Fault(owner.name, "leak", reason, source)
        elif function.name not in owner.symbols:
            reason = f"{item.path.name} exports {function.name}, reachable without dispatch"
            yield Fault(owner.name, "leak", reason, source)


def _exports(item: ObjectFile, name: str) -> bool:
    function = item.function(name)
    return function is not None and not function.local


def _strangers(exhibits: Exhibits, program: ObjectFile) -> list[Function]:
    """Return a program's functions that come from bitcode, but not from a kernel's.

    Which file a local function comes from its name alone does not say; so those count that only others reach.
    """
    bitcode = {source: item for source, item in exhibits.objects.items() if item.is_bitcode}
    kernels = [item for source, item in bitcode.items() if source in exhibits.owners]
    others = [item for source, item in bitcode.items() if source not in exhibits.owners]
    symbols = {symbol for kernel in exhibits.owners.values() for symbol in kernel.symbols}
    entries = [function for function in program.functions if function.base in symbols]
    known = {id(function) for function in objects.closure(entries)}
    callers = [
        function
        for function in program.functions
        if id(function) not in known
        and any(item.mentions(function.base) for item in others)
        and not (function.local and any(item.mentions(function.base) for item in kernels))
    ]
    return [function for function in objects.closure(callers) if id(function) not in known]


# --- counting


@dataclass(frozen=True, slots=True)
class _Find:
    mnemonic: str
    function: str
    count: int


def _count(functions: Iterable[Function], words: _Words) -> list[tuple[frozenset[str], list[_Find]]]:
    """Sort the instructions that a plain target does not have by the features they need; AVX under none."""
    census: dict[frozenset[str], list[_Find]] = {}
    for function in functions:
        for mnemonic, count in function.mnemonics.items():
            needed = words.features(mnemonic)
            if needed or (words.vex and disassembly.is_vex(mnemonic)):
                census.setdefault(needed, []).append(_Find(mnemonic, function.name, count))
    return sorted(census.items(), key=lambda pair: sorted(pair[0]))


def _plain(mnemonic: str) -> str:
    legacy = disassembly.legacy_form(mnemonic)
    return mnemonic if legacy is None else f"v{legacy}"


def _tell(finds: Iterable[_Find]) -> str:
    """Say where most of them are: `aese 112 in core, aesmc 104 in core, and 3 more kinds`."""
    ordered = sorted(finds, key=lambda find: (-find.count, find.function, find.mnemonic))
    text = ", ".join(f"{_plain(find.mnemonic)} {find.count} in {find.function}" for find in ordered[:3])
    rest = sum(find.count for find in ordered[3:])
    return text + (f", and {rest} more" if rest else "")


def _names(items: Iterable[ObjectFile]) -> str:
    return ", ".join(sorted({item.path.name for item in items}))
