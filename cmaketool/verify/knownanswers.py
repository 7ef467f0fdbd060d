"""The rung "answers": each unit that should be there is tried by a test that refers to it, and is right.

Which test tries what is read from the tests' own objects: the symbols they need. A test that could try a
kernel and was compiled without it proves nothing about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.verify.model import Verdict
from cmaketool.verify.rungs import tail

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cmaketool.plan import Plan
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.objectrungs import Reader
    from cmaketool.verify.testprograms import Answer, Answers
    from cmaketool.verify.tree import BuildLog, Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["KnownAnswers"]


class KnownAnswers:
    """Judges one state. `current(target)` says whether a program is built from what is there now."""

    def __init__(
        self,
        plan: Plan,
        reader: Reader,
        answers: Answers,
        snapshot: Snapshot,
        *,
        log: BuildLog,
        current: Callable[[str], bool],
    ) -> None:
        self._plan, self._reader, self._answers = plan, reader, answers
        self._families = frozenset(family.name for family in plan.families)
        self._snapshot, self._log = snapshot, log
        self._needs = {name: self._undefined(name) for name in snapshot.tests}
        self._built = {name: log.ok or current(test.name) for name, test in snapshot.tests.items()}

    def _undefined(self, test: str) -> frozenset[str]:
        files = self._snapshot.test_objects[test].values()
        items = [self._reader.read(file) for file in files if file.is_file()]
        kernels = {symbol for kernel in self._plan.kernels for symbol in kernel.symbols}
        known = kernels | {s for f in self._plan.families for variant in f.variants for s in variant.symbols}
        bitcode = {name for item in items if item.is_bitcode for name in known if item.mentions(name)}
        return frozenset(bitcode.union(*(item.undefined for item in items)))

    def judge(self, judge: Judge, unit: Unit) -> list[str]:
        """Judge one unit that should be there; return notes: what was checked."""
        if not judge.stands(unit.name, "answers"):
            return []
        tries = [
            (test, variant)
            for test, needs in self._needs.items()
            for variant, symbols in unit.tried_as.items()
            if needs & symbols
        ]
        why = self._hindrance(judge, tries)
        if why:
            judge.say(unit.name, "answers", Verdict.NOT_RUN, why)
            return []
        unbuilt = [test for test, _ in tries if not self._built[test]]
        if not tries:
            unbuilt = [test for test, built in self._built.items() if not built]
        if not tries or unbuilt:
            faults = [f"the test {test} does not build" for test in unbuilt]
            said = tail("".join(self._about(test) for test in unbuilt), 8)
            judge.conclude(
                unit.name, "answers", faults or ["no test refers to any of its symbols"], detail=said
            )
            return []
        return self._try(judge, unit, tries)

    def _hindrance(self, judge: Judge, tries: Sequence[tuple[str, str]]) -> str:
        """Return why there is nothing to learn that would be this unit's own; empty if there is."""
        if not self._plan.tests:
            return "the manifest lists no tests (--until objects asks for none)"
        if not self._snapshot.tests:
            why = "it is a program or a module, or CMake is older than 3.19"
            return f"no test can be linked with the target: {why}"
        unbuilt = [test for test, built in self._built.items() if not built]
        others = judge.failed_before("answers")
        if others and unbuilt and (not tries or any(test in unbuilt for test, _ in tries)):
            return f"the test {unbuilt[0]} does not build, since {', '.join(others)} failed"
        return ""

    def _try(self, judge: Judge, unit: Unit, tries: Sequence[tuple[str, str]]) -> list[str]:
        """Run the tests that try `unit` and judge their answers; return what was checked."""
        faults, detail, command, numbers = [], "", "", []
        for test, variant in tries:
            answer = self._run(test, variant)
            wrong = answer.faults(unit.families, self._families)
            faults += [f"{test}: {fault}" for fault in wrong]
            if wrong and not detail:
                detail, command = answer.detail, answer.command
            count = answer.numbers(unit.families, self._families)
            numbers.append(f"{unit.name}: {test} --variant {variant}: {count}")
        faults = list(dict.fromkeys(faults))
        if not faults:
            judge.say(unit.name, "answers", Verdict.PASS)
            return numbers
        reason = "; ".join(faults[:3]) + (f" (and {len(faults) - 3} more)" if len(faults) > 3 else "")
        judge.say(unit.name, "answers", Verdict.FAIL, reason, detail=detail, command=command)
        return []

    def _run(self, test: str, variant: str) -> Answer:
        return self._answers.run(test, self._snapshot.tests[test].artifacts[0], variant)

    def _about(self, test: str) -> str:
        """Return what the build said about the test's objects and program, else all of it."""
        files = [*self._snapshot.test_objects[test].values(), self._snapshot.tests[test].artifacts[0]]
        said = "".join(dict.fromkeys(self._log.about(file, self._snapshot.folder) for file in files))
        return said or self._log.text
