"""From findings to an exit code: nothing failed, and every kernel passed on a leg that builds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.diagnostics import ExitCode
from cmaketool.verify.model import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        findings += run.findings
    code, summary = _code(request, plan, reports, sum(f.verdict is Verdict.FAIL for f in findings))
    return Outcome(request, list(reports), findings, code, summary)


def _code(
    request: VerifyRequest, plan: Plan, reports: Sequence[LegReport], failures: int
) -> tuple[ExitCode, str]:
    ran = [leg for leg in reports if not leg.missing]
    lacking = [leg.name for leg in reports if leg.missing and leg.named]
    if failures:
        return ExitCode.FAILED, f"FAIL: {failures} finding{'s' if failures > 1 else ''}"
    if not ran:
        return ExitCode.NOT_SHOWN, "NOT RUN: no leg could run"
    if lacking:
        return ExitCode.NOT_SHOWN, f"NOT RUN: {', '.join(lacking)}, asked for by name"
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
    passed = {
        kernel.name
        for leg in ran
        for kernel in leg.kernels
        if kernel.kernel and kernel.built and kernel.verdict is Verdict.PASS
    }
    unshown = [kernel.name for kernel in plan.kernels if kernel.name not in passed]
    if unshown:
        return (
            ExitCode.NOT_SHOWN,
            f"NOT RUN: {', '.join(unshown)} passed on no leg that builds it{_why(ran, unshown)}",
        )
    gaps = [
        f"{kernel.name}: {rung} on {leg.name}"
        for leg in ran
        for kernel in leg.kernels
        for rung, verdict in kernel.rungs.items()
        if verdict is Verdict.NOT_RUN
    ]
    if request.require and gaps:
        return ExitCode.NOT_SHOWN, f"NOT RUN, and --require: {'; '.join(gaps)}"
    number = len(passed)
    return ExitCode.OK, f"PASS: {number} kernel{'s' if number > 1 else ''} on {_legs(ran)}"


def _why(ran: Sequence[LegReport], unshown: Sequence[str]) -> str:
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
    return ", ".join(leg.name for leg in ran)
