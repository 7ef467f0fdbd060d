"""The rungs that need no program to run: configured, sources, flags, compiled.

Each looks at one unit in one state and notes its verdict with the judge. What is expected comes from the
expectation alone, what is there from the build tree alone.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from cmaketool.verify import commandlines, sliceflags
from cmaketool.verify.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cmaketool.plan import Plan
    from cmaketool.process import Result
    from cmaketool.toolchains.model import Facts
    from cmaketool.verify.buildlog import BuildLog
    from cmaketool.verify.compilecommands import Commands
    from cmaketool.verify.expect import Obstacle
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.states import State
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["compiled", "compiler", "configuration", "configured", "flags", "sources", "tail"]

_WARNING = re.compile(r"\bwarning\b", re.IGNORECASE)


def tail(text: str, lines: int = 12) -> str:
    """Return the last lines of `text` that say anything."""
    return "\n".join([line for line in text.splitlines() if line.strip()][-lines:])


def _flat(text: str) -> str:
    return " ".join(text.split())


def _errors(result: Result) -> str:
    """Return what CMake said from its first error on."""
    at = result.errors.find("CMake Error")
    return tail(result.errors[max(at, 0) :])


# --- configured


def configured(judge: Judge, plan: Plan, units: Sequence[Unit], state: State, result: Result) -> bool:
    """Judge whether the configure ended as it should; return whether there is a tree to look at."""
    if result.timed_out:
        judge.say(
            None, "configured", Verdict.FAIL, "the configure did not end in time", detail=_errors(result)
        )
    elif state.expected.refused:
        _refused(judge, plan, state, result)
    elif result.returncode != 0:
        built = [unit.name for unit in units if unit.name in state.expected.built]
        named: list[str | None] = [name for name in built if _names(_flat(result.errors), name)]
        for name in named or built or [None]:
            why = "the configure failed and should not have"
            judge.say(name, "configured", Verdict.FAIL, why, detail=_errors(result))
    else:
        for unit in units:
            if unit.kernel is not None:
                what = "asked for" if unit.name in state.expected.built else "not asked for, or left out"
                judge.say(unit.name, "configured", Verdict.PASS, what)
        return True
    return False


def _refused(judge: Judge, plan: Plan, state: State, result: Result) -> None:
    """Judge a refusal: that it came from the fragment, and says option, kernels and reasons.

    The fragment may stop at the first of several options that cannot be had; one at least it must name.
    """
    message = _flat(result.errors)
    at = message.find(f"{plan.name}: ")
    refused = state.expected.refused
    named = [option for option in refused if _names(message, option)] or list(refused)
    for option, against in refused.items():
        for obstacle in against:
            if result.returncode == 0:
                faults = [f"{option}=ON was accepted; it cannot be had: {obstacle.reason}"]
            elif "CMake Error" not in message or at < 0:
                faults = ["the configure failed for another reason"]
            elif option in named:
                faults = _unsaid(message[at:], option, obstacle)
            else:
                continue
            passed = f"refused: {obstacle.reason}"
            judge.conclude(obstacle.kernel, "configured", faults, passed, detail=_errors(result))


def _unsaid(message: str, option: str, obstacle: Obstacle) -> list[str]:
    """Return what a refusal should name and does not."""
    missing = [] if _names(message, option) else [f"the option {option}"]
    if not _names(message, obstacle.kernel):
        missing.append(f"the kernel {obstacle.kernel}")
    if not any(_names(message, word) for word in obstacle.words):
        missing.append(f"the reason ({obstacle.reason})")
    return [f"the refusal does not name {' and '.join(missing)}"] if missing else []


def _names(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def compiler(judge: Judge, snapshot: Snapshot, commands: Commands, expected: Path) -> bool:
    """Judge that the target is compiled by the leg's C compiler: what is expected holds for no other.

    One source tells of all: CMake has one compiler for the C of a target.
    """
    sources = (source.path for source in snapshot.target.sources if source.language == "C")
    file = next((snapshot.objects[path] for path in sources if path in snapshot.objects), None)
    words = [] if file is None else commands.of(file).words
    if not words or commandlines.runs(words, expected):
        return True
    reason = f"the target is compiled by {words[0]}, not by the leg's {expected}"
    judge.say(None, "configured", Verdict.FAIL, reason, detail=shlex.join(words))
    return False


def configuration(judge: Judge, snapshot: Snapshot, expected: str) -> bool:
    """Judge that the tree took the configuration asked for, where the project has a word to say too."""
    found = snapshot.codebase.configuration
    if found.casefold() == expected.casefold():
        return True
    reason = f"the project builds the configuration {found or 'of no name'}, not {expected}"
    judge.say(None, "configured", Verdict.FAIL, reason)
    return False


# --- sources


def sources(judge: Judge, unit: Unit, snapshot: Snapshot, *, expected: bool) -> None:
    """Judge that the unit's sources are compiled in the target, or in no target at all.

    With them must be the generated C that chooses it.
    """
    if not judge.stands(unit.name, "sources"):
        return
    name = snapshot.target.name
    if expected:
        compiled_here = {source.path for source in snapshot.target.sources if source.compiled}
        listed = {source.path for source in snapshot.target.sources}
        faults = [
            f"{_short(path)} is {'listed but not compiled' if path in listed else 'not'} in target {name}"
            for path in unit.sources
            if path not in compiled_here
        ]
        there = {path.name for path in compiled_here}
        faults += [
            f"{file} is not in target {name}: generate the fragment again, which adds it"
            for file in unit.generated
            if file not in there
        ]
    else:
        faults = [
            f"{_short(source.path)} is compiled in target {target.name} and should not be"
            for target in snapshot.codebase.targets.values()
            for source in target.sources
            if source.compiled and source.path in unit.sources
        ]
    judge.conclude(unit.name, "sources", faults, f"{len(unit.sources)} compiled" if expected else "none")


def _short(path: Path) -> str:
    return "/".join(path.parts[-2:])


# --- flags


def flags(
    judge: Judge, unit: Unit, units: Iterable[Unit], snapshot: Snapshot, facts: Facts, *, expected: bool
) -> None:
    """Judge flags and definitions: there on the kernel's own sources, the flags on no other source."""
    if unit.kernel is None or unit.option is None or not judge.stands(unit.name, "flags"):
        return
    wanted = sliceflags.wanted(unit.kernel, facts)
    entitled = {
        path
        for other in units
        if other.kernel is not None and set(wanted) <= set(sliceflags.wanted(other.kernel, facts))
        for path in other.sources
    }
    faults = []
    for source in snapshot.target.sources if wanted else ():
        has, short = sliceflags.placed(source), _short(source.path)
        if expected and source.path in unit.sources:
            faults += [f"{short} lacks {flag}" for flag in wanted if flag not in has]
            strays = sliceflags.misplaced(has, wanted, facts)
            faults += [f"{short} has {flag}, which is not for that slice" for flag in strays]
        elif source.path not in entitled and all(flag.is_among(has) for flag in wanted):
            faults.append(f"{short} has {_words(wanted)}, which is for {unit.name} alone")
    faults += _definitions(unit, snapshot, expected=expected)
    judge.conclude(unit.name, "flags", faults, _words(wanted) or "none needed")


def _words(flags_: Iterable[sliceflags.Flag]) -> str:
    return " ".join(map(str, flags_))


def _definitions(unit: Unit, snapshot: Snapshot, *, expected: bool) -> list[str]:
    """Return faults of the definitions that say in the target's C that the kernel is built."""
    assert unit.kernel is not None  # noqa: S101  the caller looked
    name = unit.kernel.definition
    compiled_here = [source for source in snapshot.target.sources if source.compiled]
    having = [source for source in compiled_here if any(d.split("=")[0] == name for d in source.defines)]
    if not expected:
        return [f"{name} is defined for {_short(source.path)} and should not be" for source in having[:1]]
    faults = [f"{name} is not defined for {_short(s.path)}" for s in compiled_here if s not in having][:1]
    assert unit.option is not None  # noqa: S101
    for define in (*unit.option.public_definitions, *unit.option.private_definitions):
        if any(define not in source.defines for source in compiled_here):
            faults.append(f"{define} is not defined for the whole target")
    for define in unit.option.public_definitions:
        for test in snapshot.tests.values():
            if any(define not in source.defines for source in test.sources if source.compiled):
                faults.append(f"{define} does not reach {test.name}, which links the target")
    return faults


# --- compiled


def compiled(judge: Judge, unit: Unit, snapshot: Snapshot, log: BuildLog, *, expected: bool) -> None:
    """Judge that each source of the unit became an object, and the compiler had no word to say about it."""
    if not expected or not judge.stands(unit.name, "compiled"):
        return
    faults, detail = [], ""
    generated = [path for path in snapshot.objects if path.name in unit.generated]
    for source in (*unit.sources, *generated):
        file = snapshot.objects.get(source)
        if file is None:
            faults.append(f"{_short(source)} has no compile command")
            continue
        said = log.about(file, snapshot.folder)
        if log.failed(file, snapshot.folder) or not file.is_file():
            faults.append(f"{_short(source)} does not compile" + (" in time" if log.timed_out else ""))
            detail = detail or said or tail(log.text)
        elif any(map(_WARNING.search, log.remarks(file, snapshot.folder))):
            faults.append(f"{_short(source)} compiles with a warning")
            detail = detail or said
    judge.conclude(unit.name, "compiled", faults, detail=tail(detail, 20))
