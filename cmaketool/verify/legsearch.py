"""Looks for a leg's tools, and makes a run of it in each setup that can have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import toolchains
from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.locate import too_old
from cmaketool.verify.legrun import LegRun
from cmaketool.verify.model import LegReport

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.toolchains import Leg, Missing
    from cmaketool.toolchains.model import LegFile
    from cmaketool.verify.job import Job
    from cmaketool.verify.model import VerifyRequest
    from cmaketool.verify.setups import Setup

__all__ = ["is_named", "look"]


def is_named(file: LegFile, request: VerifyRequest) -> bool:
    """Say whether the leg must run: it is asked for, by its name or with all others."""
    return bool(request.toolchains) or file.name in (request.teeth or ()) or _is_file(file, request)


def _is_file(file: LegFile, request: VerifyRequest) -> bool:
    return file.toolchain_file in {str(path.absolute()) for path in request.toolchain_files}


def look(job: Job, file: LegFile, setups: Sequence[Setup], folder: Path) -> list[LegRun | LegReport]:
    """Return, for each setup, a run of the leg or a report of what it lacks.

    A stand-in is made and a compiler asked once for all setups; CMake itself, where it tells what a toolchain
    file means, once for each CMake. Raises CmaketoolError where a leg that is named alone cannot be used; of
    another it is reported.
    """
    knowing = [setup for setup in setups if too_old(file, setup.tools) is None]
    named = is_named(file, job.request)
    place = folder / file.name
    found: dict[Path | None, Leg | Missing] = {}

    def leg(setup: Setup) -> Leg | Missing:
        lacking = setup.missing or too_old(file, setup.tools)
        if lacking is not None:
            return lacking
        asked = setup.tools.cmake if file.toolchain_file is not None else None
        if asked not in found:
            found[asked] = _found(job.request, file, setup, place / (f"cmake{len(found)}" if found else ""))
        return found[asked]

    def line(setup: Setup) -> LegRun | LegReport:
        here = leg(setup)
        if isinstance(here, toolchains.Leg):
            run = LegRun(job, here, setup, place / setup.folder, named=named)
            return (_beyond(run, job.request) if file.only_refuses else None) or run
        # Make is missing only where it was asked for; of several CMakes one that is new enough will do.
        must = setup.missing is not None or (named and (setup in knowing or not knowing))
        limits = file.limits or ""
        return LegReport(file.name, must, setup, limits=limits, missing=here.what, remedy=here.remedy)

    return [line(setup) for setup in setups]


def _beyond(run: LegRun, request: VerifyRequest) -> LegReport | None:
    """Return why a leg that is there to refuse kernels is not run: some of the manifest's can be had."""
    built = {name for chain in run.chains for state in chain.states for name in state.expected.built}
    if not built:
        return None
    missing = f"it is there to refuse kernels, and cannot build {', '.join(sorted(built))}"
    remedy = "leave it out: others show these kernels"
    must = run.name in request.toolchains  # of all legs it is none that shows anything of them
    return LegReport(run.name, must, run.setup, limits=run.report.limits, missing=missing, remedy=remedy)


def _found(request: VerifyRequest, file: LegFile, setup: Setup, folder: Path) -> Leg | Missing:
    try:
        return toolchains.find(file, folder, setup.tools)
    except CmaketoolError as error:
        if file.name in (*request.toolchains, *(request.teeth or ())) or _is_file(file, request):
            raise
        first = error.diagnostics[0]
        return toolchains.Missing(file, f"unusable: {first.message}", first.remedy or file.packages)
