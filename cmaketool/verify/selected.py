"""The rung "selected": each variant of a family with a dispatcher is taken where it must be, and only there.

The tests that call the dispatchers are run as the trials say. Three witnesses must agree with the manifest:
the answers, the report that is printed at the end, and the counters of the dispatchers' calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names
from cmaketool.verify import cpureport
from cmaketool.verify.knownanswers import sum_up
from cmaketool.verify.model import Verdict
from cmaketool.verify.rungs import tail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from cmaketool.plan import Plan
    from cmaketool.verify.bench import Bench
    from cmaketool.verify.cpureport import CpuReport
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.selection import Selection, Trial
    from cmaketool.verify.testprograms import Answer, Answers
    from cmaketool.verify.units import Unit

    Spread: TypeAlias = Callable[[Sequence[Callable[[], object]]], None]

__all__ = ["Selected", "Spread"]


class _Seen(NamedTuple):
    """What came of one test in one trial."""

    trial: Trial
    test: str
    answer: Answer
    report: CpuReport | None


class _Fault(NamedTuple):
    reason: str
    seen: _Seen | None


class Selected:
    """Judges one state, which builds the kernels `built`. `spread` does things, some at the same time."""

    def __init__(
        self,
        plan: Plan,
        selection: Selection,
        bench: Bench,
        answers: Answers,
        *,
        built: frozenset[str],
        spread: Spread,
    ) -> None:
        self._plan, self._selection, self._bench, self._answers = plan, selection, bench, answers
        self._spread, self._built = spread, built
        self._compiled = [kernel.name for kernel in selection.compiled(built)]
        self._functions = {family.name: family.functions for family in plan.dispatched}
        self._every = frozenset(family.name for family in plan.families)
        self._units: list[Unit] = []  # all that should be there

    def judge(self, judge: Judge, units: Iterable[Unit], *, full: bool) -> list[str]:
        """Judge the `units` that should be there; return notes: how often each was tried.

        `full`: everything that the leg can have is on, so that each variant must be chosen in some trial.
        """
        self._units = list(units)
        ready = [unit for unit in self._units if self._is_ready(judge, unit)]
        trials = self._selection.trials(self._built, full=full) if ready else ()
        seen = self._run(trials, ready)
        return [note for unit in ready for note in self._conclude(judge, unit, seen, full=full)]

    # --- who is to be judged

    def _is_ready(self, judge: Judge, unit: Unit) -> bool:
        """Say whether trials will tell something of `unit`; notes its verdict if not."""
        if not judge.stands(unit.name, "selected"):
            return False
        if not unit.chosen_as:
            judge.say(unit.name, "selected", Verdict.NOT_SHOWN, "no dispatcher")
            return False
        tests = self._tests(unit)
        why = self._selection.unknown or self._bench.hindrance(judge, "selected", tests)
        if why:
            judge.say(unit.name, "selected", Verdict.NOT_RUN, why)
            return False
        unbuilt = self._bench.unbuilt(tests)
        faults = [f"the test {test} does not build" for test in unbuilt]
        for family, _ in unit.chosen_as if not faults else ():
            if not self._bench.referring(self._functions[family]):
                called = ", ".join(self._functions[family])
                faults.append(f"no test calls {called}: one must, when run with --variant {names.DISPATCH}")
        if faults:
            judge.conclude(unit.name, "selected", faults, detail=tail(self._bench.about(unbuilt), 8))
        return not faults

    def _tests(self, unit: Unit) -> tuple[str, ...]:
        return self._bench.referring(name for family, _ in unit.chosen_as for name in self._functions[family])

    # --- running

    def _run(self, trials: Iterable[Trial], units: Iterable[Unit]) -> list[_Seen]:
        tests = dict.fromkeys(test for unit in units for test in self._tests(unit))
        runs = [(trial, test) for trial in trials for test in tests]
        self._spread([lambda run=run: self._ask(*run) for run in runs])  # type: ignore[misc]
        seen = []
        for trial, test in runs:
            answer = self._ask(trial, test)
            report = cpureport.parse(answer.result.output, self._plan.name)
            seen.append(_Seen(trial, test, answer, report))
        return seen

    def _ask(self, trial: Trial, test: str) -> Answer:
        program, libraries = self._bench.program(test), self._bench.libraries
        return self._answers.run(test, program, names.DISPATCH, trial, libraries=libraries)

    # --- judging

    def _conclude(self, judge: Judge, unit: Unit, seen: Sequence[_Seen], *, full: bool) -> list[str]:
        tests = self._tests(unit)
        own = [one for one in seen if one.test in tests]
        faults = [_Fault(reason, one) for one in own for reason in self._faults(unit, one)]
        faults += self._idle(unit, own)
        missing = [
            self._selection.absence(family, variant, self._built)
            for family, variant in unit.chosen_as
            if full and not any(one.trial.chosen[family] == variant for one in own)
        ]
        faults += [_Fault(one.reason, None) for one in missing if one.verdict is Verdict.FAIL]
        if faults:
            first = next((fault.seen for fault in faults if fault.seen), None)
            detail, command = (_shown(first), first.answer.command) if first else ("", "")
            reason = sum_up([fault.reason for fault in faults])
            judge.say(unit.name, "selected", Verdict.FAIL, reason, detail=detail, command=command)
            return []
        for one in missing:
            judge.say(unit.name, "selected", one.verdict, one.reason)
        turns = [one for one in own if self._turns(unit, one)]
        if not turns:
            judge.say(unit.name, "selected", Verdict.NOT_SHOWN, "in this state nothing chooses it")
            return []
        judge.say(unit.name, "selected", Verdict.PASS)
        tried = f"{unit.name}: --variant {names.DISPATCH}: chosen in {len(turns)} of {len(own)} runs"
        return [tried] if full else []

    def _turns(self, unit: Unit, seen: _Seen) -> list[tuple[str, str]]:
        """Return the unit's families, with its variant, that a test tries and in which it must be chosen."""
        return [
            (family, variant)
            for family, variant in unit.chosen_as
            if seen.trial.chosen[family] == variant and self._calls(seen.test, family)
        ]

    def _calls(self, test: str, family: str) -> bool:
        return test in self._bench.referring(self._functions[family])

    def _faults(self, unit: Unit, seen: _Seen) -> Iterator[str]:
        """Yield what one run shows against `unit`.

        It answers for the families in which it must be chosen; a kernel, also for being chosen elsewhere.
        """
        where = f"{seen.test} {seen.trial.name}"
        turns = self._turns(unit, seen)
        if not seen.answer.ended:
            if self._is_shaken(unit, seen.trial, turns):
                said = seen.answer.result.errors.strip().splitlines()[-1:]
                yield ": ".join([where, seen.answer.faults(self._every, self._every)[0], *said])
            return
        if turns:
            concerned = frozenset(family for family, _ in turns)
            yield from (f"{where}: {fault}" for fault in seen.answer.faults(concerned, self._every))
        if seen.report is not None:
            yield from (f"{where}: {fault}" for fault in self._contradictions(unit, seen, seen.report, turns))
        elif turns:
            yield f"{where}: {self._no_report()}"

    def _is_shaken(self, unit: Unit, trial: Trial, turns: Sequence[tuple[str, str]]) -> bool:
        """Say whether `unit` answers for a run that broke off, and so tells nothing more.

        Where features are masked or not there, those do that may have met a kernel that needs them.
        """
        there = frozenset(trial.features)
        suspects = [one for one in self._units if one.kernel and not there.issuperset(one.kernel.closure)]
        families = {family for one in suspects for family, _ in one.chosen_as}
        return any(family in families for family, _ in unit.chosen_as) if families else bool(turns)

    def _no_report(self) -> str:
        file = names.generated_file(self._plan.name, "dispatch.c")
        macro = names.count_macro(self._plan.prefix)
        return (
            f"it printed no report at its end: it called no dispatcher and must, or did not end by exit() or "
            f"main's return, or {file} is not compiled with {macro}"
        )

    def _contradictions(
        self, unit: Unit, seen: _Seen, report: CpuReport, turns: Sequence[tuple[str, str]]
    ) -> Iterator[str]:
        if turns and report.missing:
            yield f"the report lacks {', '.join(report.missing)}"
        for line in cpureport.discrepancies(
            report, seen.trial, self._compiled, overridable=self._selection.overridable
        ):
            if self._is_concerned(unit, line.about):
                yield line.reason
        for family, variant in unit.chosen_as:
            expected, found = seen.trial.chosen[family], report.selected.get(family, "nothing")
            if found != expected and (expected == variant or (found == variant and unit.kernel is not None)):
                yield f"{family} is to be {expected}, and is said to be {found}"
            if self._calls(seen.test, family):
                yield from self._wrong_calls(unit, family, variant, seen, report)

    def _is_concerned(self, unit: Unit, about: frozenset[str]) -> bool:
        """Say whether it is for `unit` to answer for names: for a kernel's own; for everyone if nobody's."""
        claiming = [one for one in self._units if not about.isdisjoint(one.runtime_names)]
        return unit in claiming or not claiming

    def _wrong_calls(
        self, unit: Unit, family: str, variant: str, seen: _Seen, report: CpuReport
    ) -> Iterator[str]:
        """Yield wrong calls: against whose place it was, and against a kernel that was called."""
        expected = seen.trial.chosen[family]
        planned = next(one for one in self._plan.dispatched if one.name == family)
        for other in planned.variants:
            called = [symbol for symbol in other.symbols if report.calls.get(symbol)]
            guilty = other.name == variant and unit.kernel is not None
            if called and other.name != expected and (expected == variant or guilty):
                yield f"{family} is to be {expected}, and {', '.join(called)} was called"

    def _idle(self, unit: Unit, seen: Sequence[_Seen]) -> Iterator[_Fault]:
        """Yield the functions that no test called in a trial in which the unit is to be chosen."""
        for trial in dict.fromkeys(one.trial.name for one in seen):
            runs = [one for one in seen if one.trial.name == trial and self._turns(unit, one)]
            reports = [one.report for one in runs if one.report is not None]
            if not runs or len(reports) < len(runs) or any(report.missing for report in reports):
                continue  # told already
            for family, variant in unit.chosen_as:
                if runs[0].trial.chosen[family] != variant:
                    continue
                for function in self._functions[family]:
                    symbol = names.symbol(function, variant)
                    if not any(report.calls.get(symbol) for report in reports):
                        yield _Fault(
                            f"{trial}: no test called {function} so that it came to {symbol}", runs[0]
                        )


def _shown(seen: _Seen) -> str:
    """Return what the run printed that tells most."""
    if not seen.answer.ended or any(not check.ok for check in seen.answer.tap.checks) or not seen.report:
        return seen.answer.detail
    return seen.report.text
