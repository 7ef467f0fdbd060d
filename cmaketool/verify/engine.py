"""A whole verification: the legs, their trees and teeth side by side, then the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import catalogue, toolchains
from cmaketool import manifest as manifests
from cmaketool import plan as plans
from cmaketool.diagnostics import CmaketoolError, Diagnostic, near_miss
from cmaketool.toolchains.programs import Missing, has_module
from cmaketool.verify import harness
from cmaketool.verify.job import Job
from cmaketool.verify.legrun import LegRun
from cmaketool.verify.legsearch import is_named, look
from cmaketool.verify.model import RUNGS_UNTIL, LegReport, Outcome, VerifyRequest
from cmaketool.verify.pool import Pool
from cmaketool.verify.setups import setups
from cmaketool.verify.verdict import conclude
from cmaketool.verify.workfolder import work_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.plan import Plan
    from cmaketool.toolchains.model import LegFile, Rung
    from cmaketool.verify.harness import Subject
    from cmaketool.verify.progress import Progress
    from cmaketool.verify.setups import Setup
    from cmaketool.verify.states import Chain

__all__ = ["verify"]

_FIRST = float("inf")  # the cost of what all else waits for


def verify(request: VerifyRequest, progress: Progress) -> Outcome:
    """Do all that `request` asks for.

    Raises CmaketoolError for input that cannot be used. On Ctrl-C every process is ended, the work folder is
    removed (unless it is to be kept), and KeyboardInterrupt goes on.
    """
    plan = plans.resolve(manifests.load(request.manifest), catalogue.load())
    chosen = _chosen(request)
    tools = _setups(request)
    if isinstance(tools, Missing):
        missing = f"not found: {tools.what}"
        absent = [
            LegReport(file.name, is_named(file, request), missing=missing, remedy=tools.remedy)
            for file in chosen
        ]
        return conclude(request, plan, absent, [])
    with work_folder("verify", request.manifest, request.keep) as folder:
        job = Job(request, plan, _subject(request, plan, folder), progress)
        engine = _Engine(job, chosen, tools, folder)
        engine.run()
    return conclude(request, plan, engine.reports, engine.runs)


def _chosen(request: VerifyRequest) -> tuple[LegFile, ...]:
    """Return the legs to try. Raises CmaketoolError for a name that is no leg's."""
    chosen = toolchains.select(
        request.toolchains, manifest=request.manifest, toolchain_files=request.toolchain_files
    )
    names = [file.name for file in chosen]
    for name in request.teeth or ():
        if name not in names:
            message = f"teeth are asked for on {name}, which is not among the legs to verify"
            remedy = near_miss(name, names) or f"add it: --toolchain {name}"
            raise CmaketoolError(Diagnostic(message, "teeth-elsewhere", remedy=remedy))
    return chosen


def _setups(request: VerifyRequest) -> tuple[Setup, ...] | Missing:
    """Return the setups asked for, or what is missing of all that the rungs asked for need."""
    modules = ("lief", "capstone") if "symbols" in RUNGS_UNTIL[request.until] else ()
    missing = [name for name in modules if not has_module(name)]
    found = setups(request)
    if not isinstance(found, Missing) and not missing:
        return found
    if isinstance(found, Missing):
        missing.insert(0, found.what)
    return Missing(None, ", ".join(missing), "pip install 'cmaketool[verify]'")


def _subject(request: VerifyRequest, plan: Plan, folder: Path) -> Subject:
    if request.project is None:
        return harness.generated(plan, folder / "harness")
    assert request.target is not None  # noqa: S101  the command line asks for both
    return harness.own_project(plan, folder / "harness", request.project, request.target, request.defines)


class _Engine:
    """Finds the legs, runs their chains and teeth, and keeps runs and reports in the legs' order."""

    def __init__(self, job: Job, chosen: Sequence[LegFile], tools: Sequence[Setup], folder: Path) -> None:
        self._job, self._folder = job, folder
        self._chosen, self._setups = chosen, tools
        self._pool = Pool(job.request.jobs)
        self._found: dict[str, list[LegRun | LegReport]] = {}

    def run(self) -> None:
        """Run everything. Raises what the works do; no process is left and no thread."""
        for file in self._chosen:
            self._pool.add(
                lambda file=file: look(self._job, file, self._setups, self._folder),  # type: ignore[misc]
                lambda found, file=file: self._begin(file, found),  # type: ignore[misc]
                cost=_FIRST,
            )
        self._pool.run()

    @property
    def runs(self) -> list[LegRun]:
        """All legs that ran, once for each setup."""
        return [one for one in self._all() if isinstance(one, LegRun)]

    @property
    def reports(self) -> list[LegReport]:
        """Legs that ran, and legs that could not."""
        return [one.report if isinstance(one, LegRun) else one for one in self._all()]

    def _all(self) -> list[LegRun | LegReport]:
        return [one for file in self._chosen for one in self._found[file.name]]

    def _begin(self, file: LegFile, found: list[LegRun | LegReport]) -> None:
        self._found[file.name] = found
        for run in found:
            if not isinstance(run, LegRun):
                continue
            if self._shows(run, "answers"):
                run.leg.start_warming(run.say)
            for chain in run.chains:
                self._pool.add(
                    lambda run=run, chain=chain: run.run_chain(chain, self._pool.spread),  # type: ignore[misc]
                    lambda _, run=run: self._chain_ended(run),  # type: ignore[misc]
                    cost=self._cost(run, chain),
                )

    def _shows(self, run: LegRun, rung: Rung) -> bool:
        return rung in RUNGS_UNTIL[self._job.request.until] and rung in run.leg.file.rungs

    def _cost(self, run: LegRun, chain: Chain) -> float:
        """Estimate how long a chain takes; what only its end makes possible counts as part of it."""
        configured, built, tried = 1.0, self._shows(run, "compiled") * 1.0, self._shows(run, "answers") * 4.0
        cost = len(chain.states) * (configured + built + tried)
        if any(state.full for state in chain.states) and self._bites(run):
            cost += len(self._job.plan.teeth) * 2.0
        return cost

    def _bites(self, run: LegRun) -> bool:
        teeth = self._job.request.teeth
        wanted = run.leg.file.embedded if teeth is None else run.name in teeth
        return wanted and self._shows(run, "teeth")

    def _chain_ended(self, run: LegRun) -> None:
        """Begin the teeth as soon as there is a tree for them; compare the states once all are there."""
        for tooth, unit in run.teeth() if self._bites(run) else ():
            self._pool.add(
                lambda tooth=tooth, unit=unit: run.run_tooth(tooth, unit),  # type: ignore[misc]
                lambda _: None,
            )
        run.left -= 1
        if not run.left:
            run.compare()
