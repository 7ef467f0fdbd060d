"""One leg from its first configure to its last tooth."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from cmaketool import catalogue, names
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.verify import likeness, objectrungs, rungs, unproven
from cmaketool.verify.bench import Bench
from cmaketool.verify.buildtools import build_tool
from cmaketool.verify.compilecommands import Commands
from cmaketool.verify.expect import Surroundings, true_variables
from cmaketool.verify.judge import Judge
from cmaketool.verify.knownanswers import KnownAnswers
from cmaketool.verify.model import (
    RUNGS_UNTIL,
    KernelReport,
    LegReport,
    StateReport,
    Verdict,
    worst,
)
from cmaketool.verify.selected import Selected
from cmaketool.verify.selection import Ground, Selection
from cmaketool.verify.states import chains
from cmaketool.verify.steps import Steps
from cmaketool.verify.teeth import Jaw, ready
from cmaketool.verify.testprograms import Answers
from cmaketool.verify.tree import Tree
from cmaketool.verify.units import units

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import PlannedTooth
    from cmaketool.toolchains import Leg
    from cmaketool.verify.job import Job
    from cmaketool.verify.likeness import Likeness
    from cmaketool.verify.model import Finding
    from cmaketool.verify.selected import Spread
    from cmaketool.verify.setups import Setup
    from cmaketool.verify.states import Chain, State
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["LegRun"]


class LegRun:
    """What is done and found on one leg in one setup. Chains and teeth may run in several threads."""

    def __init__(self, job: Job, leg: Leg, setup: Setup, folder: Path, *, named: bool) -> None:
        self.leg, self.setup = leg, setup
        self.name = leg.file.name
        about, limits = f"{leg.version}; {setup.about}", leg.file.limits or ""
        self.report = LegReport(self.name, named, setup, about=about, limits=limits)
        self.title = self.report.title  # for people
        self.findings: list[Finding] = []
        self.chains = chains(job.plan, Surroundings(leg.facts, true_variables(job.request.defines)))
        self.left = len(self.chains)  # chains still to end; the engine counts
        self.units = units(job.plan)
        self._job, self._folder = job, folder
        self._steps = Steps(folder)
        self._answers = Answers(leg, self._steps, names.override_variable(job.plan.prefix))
        self._reader = objectrungs.Reader()
        self._likenesses: list[Likeness] = []
        self._built: dict[str, tuple[State, Snapshot]] = {}
        self._on: tuple[State, Snapshot] | None = None  # where teeth are tried
        self._jaw: Jaw | None = None  # once teeth are tried
        self._unproven: dict[str, tuple[str, ...]] = {}
        self._lock = threading.Lock()

    def say(self, text: str) -> None:
        """Tell the user something of this leg."""
        self._job.progress.say(f"{self.title}: {text}")

    def run_chain(self, chain: Chain, spread: Spread) -> None:
        """Go through the states of one tree; once its first configure fails the rest is not run.

        `spread` does things, some of them at the same time, and returns once all are done. Raises
        CmaketoolError when the project has no such target, and what process.run raises.
        """
        folder = self._folder / chain.tree
        tree = Tree(folder, self._job, self.leg, self.setup, self._steps)
        sane = True
        for state in chain.states:
            begin = time.monotonic()
            self._job.progress.begin(self.title, state.name)
            judge = self._judge(state.name)
            if sane:
                again = state is not chain.states[-1]
                went = self._go_through(tree, state, judge, again=again, spread=spread)
                sane = went or state is not chain.states[0]
            else:
                for unit in self.units:
                    judge.say(unit.name, "configured", Verdict.NOT_RUN, f"{chain.states[0].name} failed")
            self._note(state, judge.findings, time.monotonic() - begin)

    def _note(self, state: State, findings: list[Finding], seconds: float) -> None:
        verdict = worst(finding.verdict for finding in findings)
        with self._lock:
            self.findings += findings
            if state.full:
                self._on = self._built.get(state.name, self._on)  # the other may have been built already
            self.report.states.append(
                StateReport(state.name, state.values, state.expected.text, verdict, seconds)
            )
        self._job.progress.done(self.title, state.name, verdict, seconds)

    def _go_through(self, tree: Tree, state: State, judge: Judge, *, again: bool, spread: Spread) -> bool:
        """Climb the rungs in one state; return whether the tree could be configured, where it should be.

        `again`: the tree will be configured again.
        """
        result = tree.configure(state.name, state.values)
        judge.command = tree.command
        if not rungs.configured(judge, self._job.plan, self.units, state, result):
            return bool(state.expected.refused) and result.returncode != 0
        snapshot = tree.read()
        if snapshot is None:
            raise self._no_target(tree)
        if not rungs.compiler(judge, snapshot, Commands(snapshot.folder, self._steps), self.leg.compiler):
            return False
        asked = self._job.request.configurations
        if asked and not rungs.configuration(judge, snapshot, self.setup.configuration):
            return False
        if not judge.asked("sources"):
            return True
        built = state.expected.built
        for unit in self.units:
            expected = unit.kernel is None or unit.name in built
            rungs.sources(judge, unit, snapshot, expected=expected)
            rungs.flags(judge, unit, self.units, snapshot, self.leg.facts, expected=expected)
        with self._lock:
            self._likenesses.append(likeness.take(state, snapshot))
        if judge.asked("compiled"):
            self._build(tree, state, judge, snapshot, spread)
            if again and judge.asked("answers"):
                tree.learn(snapshot)
        return True

    def _no_target(self, tree: Tree) -> CmaketoolError:
        wanted, known = self._job.subject.target, tree.targets()
        return CmaketoolError(
            Diagnostic(
                f"the project has no target '{wanted}'",
                "unknown-target",
                remedy=near_miss(wanted, known) or f"its targets: {', '.join(known)}",
            )
        )

    def _build(self, tree: Tree, state: State, judge: Judge, snapshot: Snapshot, spread: Spread) -> None:
        tests = judge.asked("answers") or snapshot.target.ipo
        log = tree.build(state.name, snapshot, tests=tests)
        judge.command = log.command
        built = state.expected.built
        for unit in self.units:
            rungs.compiled(judge, unit, snapshot, log, expected=unit.kernel is None or unit.name in built)
        if state.full:
            self._look_for_evidence(judge, snapshot, built)
        blamed = any(finding.verdict is Verdict.FAIL for finding in judge.findings)
        notes: list[str] = []
        if any(judge.asked(rung) for rung in ("symbols", "mnemonics", "leak")):
            slices = objectrungs.slices(self._job.plan, self.leg.facts, snapshot, built, self._reader)
            notes = objectrungs.look(judge, self.units, slices)
            if state.full and len(slices) > 1:
                notes += [objectrungs.summary(self._job.plan, one) for one in slices]
        if judge.asked("answers"):
            bench = Bench(self._job.plan, self._reader, snapshot, log=log, current=tree.build_tool.is_current)
            notes += self._ask(bench, state, judge, snapshot, spread)
        elif not log.ok and not blamed:
            judge.say(None, "compiled", Verdict.FAIL, "the build failed", detail=rungs.tail(log.text))
        with self._lock:
            self.report.notes += [note for note in notes if note not in self.report.notes]
            self._built[state.name] = (state, snapshot)

    def _look_for_evidence(self, judge: Judge, snapshot: Snapshot, built: frozenset[str]) -> None:
        there = [
            unit for unit in self.units if unit.name in built and snapshot.objects.keys() >= {*unit.sources}
        ]
        found = unproven.on_cl(judge, self.leg, there, snapshot, self._steps)
        with self._lock:
            self._unproven |= found

    def _ask(self, bench: Bench, state: State, judge: Judge, snapshot: Snapshot, spread: Spread) -> list[str]:
        """Run the tests: each variant as such, then what the dispatchers take; return notes."""
        plan, built = self._job.plan, state.expected.built
        there = [unit for unit in self.units if unit.kernel is None or unit.name in built]
        known = KnownAnswers(plan, bench, self._answers)
        notes = [note for unit in there for note in known.judge(judge, unit)]
        ground = Ground(
            self.leg.facts.architectures[0],
            self.leg.processors,
            self.leg.file.emulator.kind,
            self.leg.any_hwcap,
            self.leg.can_forbid,
        )
        overridable = not snapshot.defines(names.no_override_macro(plan.prefix))
        selection = Selection(plan, catalogue.load(), ground, overridable=overridable)
        selected = Selected(plan, selection, bench, self._answers, built=built, spread=spread)
        return notes + selected.judge(judge, there, full=state.full)

    # --- teeth

    def teeth(self) -> tuple[tuple[PlannedTooth, Unit], ...]:
        """Return the teeth that can be tried now and were not returned before.

        What keeps a tooth from being tried is noted.
        """
        if self._on is None or self._jaw is not None:
            return ()
        state, snapshot = self._on
        judge = self._judge(state.name)
        if not judge.asked("teeth"):
            return ()
        plan, folder = self._job.plan, self._folder / "teeth"
        tool = build_tool(self.setup, snapshot.folder, self._steps)
        self._jaw = Jaw(plan, snapshot, self._answers, tool, steps=self._steps, folder=folder)
        built = [unit for unit in self.units if unit.name in state.expected.built]
        found = ready(judge, plan.teeth, built, [one for one in self.findings if one.state == state.name])
        with self._lock:
            self.findings += judge.findings
        return found

    def run_tooth(self, tooth: PlannedTooth, unit: Unit) -> None:
        """Try one tooth. Raises what process.run does."""
        assert self._on is not None  # noqa: S101  `teeth` gave it
        assert self._jaw is not None  # noqa: S101
        begin = time.monotonic()
        self._job.progress.begin(self.title, f"tooth {tooth.name}")
        judge, bite = self._judge(self._on[0].name), self._jaw.bite(tooth, unit)
        judge.say(unit.name, "teeth", bite.verdict, bite.reason, detail=bite.detail, command=bite.command)
        with self._lock:
            self.findings += judge.findings
        self._job.progress.done(self.title, f"tooth {tooth.name}", bite.verdict, time.monotonic() - begin)

    def _judge(self, state: str) -> Judge:
        return Judge(self.name, state, self._job.request.until, self.leg.file.rungs)

    # --- what the states have in common

    def compare(self) -> None:
        """Judge that states that build the same are the same, however they were come to."""
        order = [state.name for chain in self.chains for state in chain.states]
        self.report.states.sort(key=lambda state: order.index(state.name))
        states = {state.name: state for state in self.report.states}
        for difference in likeness.differences(self._likenesses, self.units):
            judge = self._judge(difference.state)
            if judge.asked(difference.rung):
                judge.say(difference.kernel, difference.rung, Verdict.FAIL, difference.reason)
                self.findings += judge.findings
                states[difference.state].verdict = Verdict.FAIL

    def close(self) -> None:
        """Bring the findings together, kernel by kernel, into the report, once everything has ended."""
        built = {name for chain in self.chains for state in chain.states for name in state.expected.built}
        asked = RUNGS_UNTIL[self._job.request.until]
        for unit in self.units:
            report = KernelReport(
                unit.name,
                unit.kernel is None or unit.name in built,
                unit.kernel is not None,
                {},
                unproven=self._unproven.get(unit.name, ()),
            )
            for rung in asked:
                said = [f for f in self.findings if f.kernel == unit.name and f.rung == rung]
                verdict = worst(finding.verdict for finding in said)
                report.rungs[rung] = verdict
                reasons = [f.reason for f in said if f.verdict is verdict]
                # A refusal says more than an absence.
                report.reasons[rung] = next(
                    (r for r in reasons if r.startswith("refused")), [*reasons, ""][0]
                )
            self.report.kernels.append(report)
