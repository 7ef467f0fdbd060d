"""A whole benchmark: the leg found, the program built, and then the campaign."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from cmaketool import catalogue, toolchains
from cmaketool import manifest as manifests
from cmaketool import plan as plans
from cmaketool.bench import project
from cmaketool.bench.campaign import Campaign
from cmaketool.bench.compare import check, compare
from cmaketool.bench.program import BenchProgram, clock_of, unit_of
from cmaketool.diagnostics import CmaketoolError, Diagnostic, ExitCode, near_miss
from cmaketool.toolchains.programs import Missing
from cmaketool.verify.model import VerifyRequest
from cmaketool.verify.setups import setups
from cmaketool.verify.steps import Steps
from cmaketool.verify.workfolder import work_folder

if TYPE_CHECKING:
    from cmaketool.bench.model import BenchRequest, Outcome
    from cmaketool.bench.progress import Progress
    from cmaketool.plan import Plan
    from cmaketool.toolchains import Leg
    from cmaketool.toolchains.model import LegFile
    from cmaketool.verify.setups import Setup

__all__ = ["bench"]


def bench(request: BenchRequest, progress: Progress) -> Outcome:
    """Do all that `request` asks for.

    Raises CmaketoolError for input that cannot be used, an earlier measurement with it, for a leg that is not
    here, and for a program that cannot be built or run. On Ctrl-C every process is ended, and
    KeyboardInterrupt goes on.
    """
    plan = plans.resolve(manifests.load(request.manifest), catalogue.load())
    _check(plan, request)
    file = _leg_file(request)
    earlier = request.earlier
    if earlier is not None:
        check(earlier, file.name, request.configuration, unit_of(file))
    outcome = _measured(plan, request, file, progress)
    if earlier is None:
        return outcome
    comparison = compare(outcome.measured, earlier, request.families, request.sizes)
    return dataclasses.replace(outcome, comparison=comparison)


def _measured(plan: Plan, request: BenchRequest, file: LegFile, progress: Progress) -> Outcome:
    setup = _setup(request)
    with work_folder("bench", request.manifest, request.keep) as folder:
        leg = _there(toolchains.find(file, folder / file.name, setup.tools), file)
        clock = clock_of(leg)
        if isinstance(clock, Missing):
            raise _missing(clock, file)
        leg.start_warming(progress.say)
        progress.say(f"{file.name}: building the benchmarks")
        steps = Steps(folder / file.name)
        built = project.build(plan, request.jobs, leg, setup, steps)
        program = BenchProgram(built.path, clock, steps)
        return Campaign(plan, request, leg, program, built.kernels).run(progress, setup.about)


def _check(plan: Plan, request: BenchRequest) -> None:
    if not plan.benchmarks:
        remedy = "name C sources under benchmarks: see docs/bench.md"
        message = "the manifest has no benchmarks"
        raise CmaketoolError(Diagnostic(message, "no-benchmarks", str(request.manifest), remedy=remedy))
    known = [family.name for family in plan.families]
    faults = [
        Diagnostic(
            f"there is no family '{name}'",
            "unknown-family",
            remedy=near_miss(name, known) or f"known: {', '.join(known)}",
        )
        for name in request.families
        if name.partition("/")[0] not in known
    ]
    if faults:
        raise CmaketoolError(*faults)


# --- with what


def _leg_file(request: BenchRequest) -> LegFile:
    if request.toolchain_file is not None:
        (file,) = toolchains.select(toolchain_files=[request.toolchain_file])
        return file
    if request.toolchain is None:
        return next(file for file in toolchains.legs() if file.embedded)
    chosen = toolchains.select([request.toolchain], manifest=request.manifest)
    if len(chosen) != 1:
        message = f"'{request.toolchain}' is not one leg: counts of several cannot stand in one table"
        raise CmaketoolError(Diagnostic(message, "several-legs", remedy="name one"))
    return chosen[0]


def _setup(request: BenchRequest) -> Setup:
    found = setups(VerifyRequest(manifest=request.manifest, configurations=(request.configuration,)))
    if isinstance(found, Missing):
        raise _missing(found, None)
    return found[0]


def _there(found: Leg | Missing, file: LegFile) -> Leg:
    if isinstance(found, Missing):
        raise _missing(found, file)
    return found


def _missing(missing: Missing, file: LegFile | None) -> CmaketoolError:
    where = f"leg {file.name}: " if file else "not found: "
    diagnostic = Diagnostic(f"{where}{missing.what}", "missing-tool", remedy=missing.remedy)
    return CmaketoolError(diagnostic, code=ExitCode.NOT_SHOWN)
