"""From findings to an exit code: nothing failed, and every kernel passed on a leg that builds it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cmaketool.diagnostics import ExitCode
from cmaketool.verify import unproven
from cmaketool.verify.model import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cmaketool.plan import Plan
    from cmaketool.verify.legrun import LegRun
    from cmaketool.verify.model import LegReport, VerifyRequest

__all__ = ["conclude"]


def conclude(
    request: VerifyRequest, plan: Plan, reports: Sequence[LegReport], runs: Sequence[LegRun]
) -> Outcome:
    """Bring all legs together."""
    findings = []
    for run in runs:
        run.close()
        findings += [replace(finding, setup=run.setup.label) for finding in run.findings]
    code, summary = _code(request, plan, reports, sum(f.verdict is Verdict.FAIL for f in findings))
    return Outcome(request, list(reports), findings, code, summary)


def _code(
    request: VerifyRequest, plan: Plan, reports: Sequence[LegReport], failures: int
) -> tuple[ExitCode, str]:
    ran = [leg for leg in reports if not leg.missing]
    lacking = [leg.title for leg in reports if leg.missing and leg.named]
    if failures:
        return ExitCode.FAILED, f"FAIL: {failures} finding{'s' if failures > 1 else ''}"
    if not ran:
        return ExitCode.NOT_SHOWN, "NOT RUN: no leg could run"
    if lacking:
        return ExitCode.NOT_SHOWN, f"NOT RUN: {', '.join(lacking)}, asked for by name"
    idle = [label for label in _labels(reports) if not any(leg.label == label for leg in ran)]
    if idle:
        return ExitCode.NOT_SHOWN, f"NOT RUN: no leg could run with {'; '.join(idle)}"
    building = {kernel.name for leg in ran for kernel in leg.kernels if kernel.kernel and kernel.built}
    if request.expect_refused or not building:
        return _refusal(request, sorted(building), _legs(ran))
    return _shown(request, plan, ran)


def _refusal(request: VerifyRequest, building: Sequence[str], legs: str) -> tuple[ExitCode, str]:
    """Judge a manifest that is, or should be, refused everywhere."""
    if building:
        return ExitCode.FAILED, f"FAIL: {', '.join(building)} should have been refused on every leg"
    if not request.expect_refused:
        return ExitCode.NOT_SHOWN, f"NOT RUN: every kernel is refused on {legs} (as meant? --expect-refused)"
    return ExitCode.OK, f"PASS: every kernel is refused, as expected, on {legs}"


def _shown(request: VerifyRequest, plan: Plan, ran: Sequence[LegReport]) -> tuple[ExitCode, str]:
    """Look for a leg on which each kernel passed and, with --require, for anything that was not run."""
    unshown = [
        (kernel.name, label)
        for label in _labels(ran)
        for kernel in plan.kernels
        if not any(_passes(leg, kernel.name) for leg in ran if leg.label == label)
    ]
    if unshown:
        which = ", ".join(f"{name} ({label})" if label else name for name, label in unshown)
        why = _why(ran, [name for name, _ in unshown])
        return ExitCode.NOT_SHOWN, f"NOT RUN: {which} passed on no leg that builds it{why}"
    gaps = [
        f"{kernel.name}: {rung} on {leg.title}"
        for leg in ran
        for kernel in leg.kernels
        for rung, verdict in kernel.rungs.items()
        if verdict is Verdict.NOT_RUN
    ]
    gaps += [
        f"{kernel.name}: {said} on {leg.title}"
        for leg in ran
        for kernel in leg.kernels
        if (said := unproven.said(kernel.unproven))
    ]
    if request.require and gaps:
        return ExitCode.NOT_SHOWN, f"NOT RUN, and --require: {'; '.join(gaps)}"
    number = len(plan.kernels)
    summary = f"PASS: {number} kernel{'s' if number > 1 else ''} on {_legs(ran)}"
    names = sorted({name for leg in ran for name in leg.unproven})
    return ExitCode.OK, "; ".join(filter(None, [summary, unproven.said(names)]))


def _labels(reports: Sequence[LegReport]) -> list[str]:
    """Return the labels of the setups: what was asked for must be shown in each."""
    return list(dict.fromkeys(leg.label for leg in reports))


def _passes(leg: LegReport, name: str) -> bool:
    return any(k.name == name and k.kernel and k.built and k.verdict is Verdict.PASS for k in leg.kernels)


def _why(ran: Sequence[LegReport], unshown: Collection[str]) -> str:
    reasons = {
        f"{rung}: {kernel.reasons[rung]}"
        for leg in ran
        for kernel in leg.kernels
        if kernel.name in unshown
        for rung, verdict in kernel.rungs.items()
        if verdict is Verdict.NOT_RUN
    }
    return f" ({'; '.join(sorted(reasons))})" if reasons else ""


def _legs(ran: Sequence[LegReport]) -> str:
    setups = _labels(ran)
    several = f", in {len(setups)} setups" if len(setups) > 1 else ""
    return ", ".join(dict.fromkeys(leg.name for leg in ran)) + several
