"""What came of it, for people (80 columns) and for programs (JSON, schema 1)."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

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
    """Return the report: a table for each leg, then what did not pass, then the summary.

    `style` may colour a cell, its width kept.
    """
    lines: list[str] = []
    for leg in outcome.legs:
        lines += [*_leg(outcome, leg, style), ""]
    if any(
        verdict is Verdict.NOT_RUN
        for leg in outcome.legs
        for k in leg.kernels
        for verdict in k.rungs.values()
    ):
        lines += ["N/R: NOT RUN", ""]
    for finding in _grouped(outcome.findings):
        lines += [*_finding(*finding, style), ""]
    verdict = {0: Verdict.PASS, 1: Verdict.FAIL}.get(int(outcome.code), Verdict.NOT_RUN)
    lines += _wrapped(outcome.summary)
    lines[-1] = style(lines[-1], verdict)
    return "\n".join(lines) + "\n"


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
    yield f"{leg.name}: {style(leg.verdict.value, leg.verdict)}"
    if leg.missing:
        yield from _wrapped(leg.missing, "  ", "  ")
        yield from _wrapped(leg.remedy, "  ", "  ")
        return
    yield from _wrapped(leg.about, "  ", "  ")
    rungs = RUNGS_UNTIL[outcome.request.until]
    shown = rungs[1:] or rungs  # where there is more, a configure that failed is told below the table
    heads = {rung: f"{_HEADS.get(rung, rung):<4}" for rung in shown}
    yield f"  {'':{_NAME}}" + " ".join(heads.values()).rstrip()
    for kernel in leg.kernels:
        if not kernel.built and kernel.verdict is Verdict.PASS:
            yield from _refusal(kernel, style)
            continue
        cells = [_cell(kernel, rung, style, len(head)) for rung, head in heads.items()]
        yield f"  {_clipped(kernel.name):{_NAME}}" + " ".join(cells).rstrip()
    for note in leg.notes:
        yield from _wrapped(note, "  ", "    ")


def _refusal(kernel: KernelReport, style: Style) -> Iterator[str]:
    """Say of a kernel that the leg cannot build that it was refused, and why."""
    first, *rest = _wrapped(kernel.reasons["configured"], " " * (_NAME + 7), " " * (_NAME + 7))
    yield f"  {_clipped(kernel.name):{_NAME}}{style('PASS', Verdict.PASS)} {first.strip()}"
    yield from rest


def _clipped(name: str) -> str:
    return name if len(name) < _NAME else name[: _NAME - 2] + "~"


def _cell(kernel: KernelReport, rung: Any, style: Style, width: int) -> str:
    verdict: Verdict = kernel.rungs.get(rung, Verdict.NOT_SHOWN)
    text = _SHORT.get(verdict, verdict.value)
    return style(text, verdict) + " " * (width - len(text))


def _grouped(findings: Sequence[Finding]) -> Iterator[tuple[Finding, list[str]]]:
    """Yield each fault once, with the states in which it was found; FAIL first."""
    groups: dict[tuple[Any, ...], tuple[Finding, list[str]]] = {}
    for finding in findings:
        if finding.verdict is Verdict.FAIL:
            key = (finding.leg, finding.kernel, finding.rung, finding.reason)
            groups.setdefault(key, (finding, []))[1].append(finding.state)
    yield from groups.values()


def _finding(finding: Finding, states: list[str], style: Style) -> Iterator[str]:
    subject = finding.kernel or "the tree"
    head = f"{finding.verdict.value} {finding.rung}: {subject} on {finding.leg}"
    where = ", ".join(dict.fromkeys(states))
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
    return {
        "leg": leg.name,
        "verdict": leg.verdict.value,
        "about": leg.about,
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
                "rungs": {
                    rung: {"verdict": verdict.value, "reason": kernel.reasons.get(rung, "")}
                    for rung, verdict in kernel.rungs.items()
                },
            }
            for kernel in leg.kernels
        ],
        "notes": leg.notes,
    }
