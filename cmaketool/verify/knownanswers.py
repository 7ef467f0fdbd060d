"""The rung "answers": each unit that should be there is tried by a test that refers to it, and is right.

Which test tries what is read from the tests' own objects: the symbols they need. A test that could try a
kernel and was compiled without it proves nothing about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.verify.model import Verdict
from cmaketool.verify.rungs import tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cmaketool.plan import Plan
    from cmaketool.verify.bench import Bench
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.testprograms import Answers
    from cmaketool.verify.units import Unit

__all__ = ["KnownAnswers", "sum_up"]


def sum_up(faults: Sequence[str]) -> str:
    """Return `faults` as one reason: each once, and not more than three."""
    each = list(dict.fromkeys(faults))
    return "; ".join(each[:3]) + (f" (and {len(each) - 3} more)" if len(each) > 3 else "")


class KnownAnswers:
    """Judges one state."""

    def __init__(self, plan: Plan, bench: Bench, answers: Answers) -> None:
        self._bench, self._answers = bench, answers
        self._families = frozenset(family.name for family in plan.families)

    def judge(self, judge: Judge, unit: Unit) -> list[str]:
        """Judge one unit that should be there; return notes: what was checked."""
        if not judge.stands(unit.name, "answers"):
            return []
        tries = [
            (test, variant)
            for variant, symbols in unit.tried_as.items()
            for test in self._bench.referring(symbols)
        ]
        tests = [test for test, _ in tries]
        why = self._bench.hindrance(judge, "answers", tests)
        if why:
            judge.say(unit.name, "answers", Verdict.NOT_RUN, why)
            return []
        unbuilt = self._bench.unbuilt(tests)
        if not tries or unbuilt:
            faults = [f"the test {test} does not build" for test in unbuilt]
            said = tail(self._bench.about(unbuilt), 8)
            judge.conclude(
                unit.name, "answers", faults or ["no test refers to any of its symbols"], detail=said
            )
            return []
        return self._try(judge, unit, tries)

    def _try(self, judge: Judge, unit: Unit, tries: Sequence[tuple[str, str]]) -> list[str]:
        """Run the tests that try `unit` and judge their answers; return what was checked."""
        faults, detail, command, numbers = [], "", "", []
        for test, variant in tries:
            program, libraries = self._bench.program(test), self._bench.libraries
            answer = self._answers.run(test, program, variant, libraries=libraries)
            wrong = answer.faults(unit.families, self._families)
            faults += [f"{test}: {fault}" for fault in wrong]
            if wrong and not detail:
                detail, command = answer.detail, answer.command
            count = answer.numbers(unit.families, self._families)
            numbers.append(f"{unit.name}: {test} --variant {variant}: {count}")
        if not faults:
            judge.say(unit.name, "answers", Verdict.PASS)
            return numbers
        judge.say(unit.name, "answers", Verdict.FAIL, sum_up(faults), detail=detail, command=command)
        return []
