"""What came of it, for people (80 columns) and for programs (JSON, schema 1)."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

from cmaketool.verify import unproven
from cmaketool.verify.matrix import matrix
from cmaketool.verify.model import RUNGS_UNTIL, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from cmaketool.verify.model import Finding, KernelReport, LegReport, Outcome

    Style: TypeAlias = Callable[[str, Verdict], str]

__all__ = ["as_json", "as_text"]

WIDTH = 80
LONGEST = 400  # of a line that some program printed
_NAME = 17
_SHORT = {Verdict.NOT_RUN: "N/R"}
_HEADS = {"compiled": "comp.", "mnemonics": "mnem."}  # the others as they are


def _plain(text: str, _: Verdict) -> str:
    return text


def as_text(outcome: Outcome, style: Style = _plain) -> str:
    """Return the report: a table for each leg, what did not pass, the table of all legs, the summary.

    `style` may colour a cell, its width kept.
    """
    lines: list[str] = []
    for leg in outcome.legs:
        lines += [*_leg(outcome, leg, style), ""]
    for finding in _grouped(outcome.findings):
        lines += [*_finding(finding, style), ""]
    table = matrix(outcome, lambda verdict, width, mark: _cell(verdict, width, style, mark), WIDTH)
    lines += [*table, ""] if table else []
    short = any(_SHORT[Verdict.NOT_RUN] in line for line in table)
    if short or any(verdict is Verdict.NOT_RUN for leg in outcome.legs for verdict in _rungs(leg)):
        lines += ["N/R: NOT RUN", ""]
    verdict = {0: Verdict.PASS, 1: Verdict.FAIL}.get(int(outcome.code), Verdict.NOT_RUN)
    lines += _wrapped(outcome.summary)
    lines[-1] = style(lines[-1], verdict)
    return "\n".join(lines) + "\n"


def _rungs(leg: LegReport) -> Iterator[Verdict]:
    for kernel in leg.kernels:
        yield from kernel.rungs.values()


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _leg(outcome: Outcome, leg: LegReport, style: Style) -> Iterator[str]:
    yield f"{leg.title}: {_verdict(leg, style)}"
    if leg.missing:
        yield from _wrapped(leg.missing, "  ", "  ")
        yield from _wrapped(leg.remedy, "  ", "  ")
        return
    yield from _wrapped(leg.about, "  ", "  ")
    if leg.limits:
        yield from _wrapped(f"limits: {leg.limits}", "  ", "    ")
    rungs = RUNGS_UNTIL[outcome.request.until]
    shown = rungs[1:] or rungs  # where there is more, a configure that failed is told below the table
    heads = {rung: f"{_HEADS.get(rung, rung):<4}" for rung in shown}
    yield f"  {'':{_NAME}}" + " ".join(heads.values()).rstrip()
    for kernel in leg.kernels:
        if not kernel.built and kernel.verdict is Verdict.PASS:
            yield from _refusal(kernel, style)
            continue
        cells = [
            _cell(kernel.rungs.get(rung, Verdict.NOT_SHOWN), len(head), style) for rung, head in heads.items()
        ]
        yield f"  {_clipped(kernel.name):{_NAME}}" + " ".join(cells).rstrip()
        if kernel.unproven:
            yield f"  {'':{_NAME}}{_verdict(kernel, style)}"
    for note in leg.notes:
        yield from _wrapped(note, "  ", "    ")


def _verdict(report: KernelReport | LegReport, style: Style) -> str:
    text = style(report.verdict.value, report.verdict)
    return ", ".join(filter(None, [text, unproven.said(report.unproven)]))


def _refusal(kernel: KernelReport, style: Style) -> Iterator[str]:
    """Say of a kernel that the leg cannot build that it was refused, and why."""
    first, *rest = _wrapped(kernel.reasons["configured"], " " * (_NAME + 7), " " * (_NAME + 7))
    yield f"  {_clipped(kernel.name):{_NAME}}{style('PASS', Verdict.PASS)} {first.strip()}"
    yield from rest


def _clipped(name: str) -> str:
    return name if len(name) < _NAME else name[: _NAME - 2] + "~"


def _cell(verdict: Verdict, width: int, style: Style, mark: str = "") -> str:
    text = _SHORT.get(verdict, verdict.value)
    return style(text, verdict) + f"{mark:{max(width - len(text), 0)}}"


def _grouped(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """Yield each fault, as often as it was found in states and setups of a leg."""
    groups: dict[tuple[Any, ...], list[Finding]] = {}
    for finding in findings:
        if finding.verdict is Verdict.FAIL:
            key = (finding.leg, finding.kernel, finding.rung, finding.reason)
            groups.setdefault(key, []).append(finding)
    yield from groups.values()


def _places(findings: Sequence[Finding]) -> str:
    """Return where a fault was found: in which states and, where there are several, with which setups."""
    states: dict[str, dict[str, None]] = {}
    for finding in findings:
        states.setdefault(finding.setup, {})[finding.state] = None
    places = [(f"{setup}: " if setup else "") + ", ".join(names) for setup, names in states.items()]
    return "; ".join(places)


def _finding(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    finding, where = findings[0], _places(findings)
    subject = finding.kernel or "the tree"
    head = f"{finding.verdict.value} {finding.rung}: {subject} on {finding.leg}"
    yield style(head, finding.verdict)
    yield from _wrapped(f"{finding.reason} ({where})", "  ", "  ")
    for line in finding.detail.splitlines():
        yield f"  | {line if len(line) <= LONGEST else line[:LONGEST] + ' ...'}"
    if finding.command:
        yield f"  again: {finding.command}"


def as_json(outcome: Outcome) -> str:
    """Return the outcome as one JSON document: every leg, state, kernel and rung, and every FAIL."""
    request = outcome.request
    document = {
        "schema": 1,
        "manifest": str(request.manifest),
        "until": request.until,
        "exit_code": int(outcome.code),
        "summary": outcome.summary,
        "legs": [_leg_data(leg) for leg in outcome.legs],
        "findings": [
            {
                "leg": finding.leg,
                "setup": finding.setup,
                "state": finding.state,
                "kernel": finding.kernel,
                "rung": finding.rung,
                "verdict": finding.verdict.value,
                "reason": finding.reason,
                "detail": finding.detail,
                "command": finding.command,
            }
            for finding in outcome.findings
            if finding.verdict is Verdict.FAIL
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _leg_data(leg: LegReport) -> dict[str, Any]:
    setup = leg.setup
    return {
        "leg": leg.name,
        "setup": leg.label,
        "cmake": setup.tools.cmake_version if setup else "",
        "generator": setup.generator if setup else "",
        "configuration": setup.configuration if setup else "",
        "verdict": leg.verdict.value,
        "about": leg.about,
        "limits": leg.limits,
        "missing": leg.missing,
        "remedy": leg.remedy,
        "states": [
            {
                "state": state.name,
                "values": dict(state.values),
                "expected": state.expected,
                "verdict": state.verdict.value,
                "seconds": round(state.seconds, 3),
            }
            for state in leg.states
        ],
        "kernels": [
            {
                "kernel": kernel.name,
                "verdict": kernel.verdict.value,
                "built": kernel.built,
                "unproven": list(kernel.unproven),
                "rungs": {
                    rung: {"verdict": verdict.value, "reason": kernel.reasons.get(rung, "")}
                    for rung, verdict in kernel.rungs.items()
                },
            }
            for kernel in leg.kernels
        ],
        "notes": leg.notes,
    }
