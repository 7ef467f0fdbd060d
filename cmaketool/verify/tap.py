"""Reads what a test program prints: TAP, one line a check, strictly.

    1..2
    ok 1 - aes_ctr arm64 378 vectors
    not ok 2 - sha256 arm64 65 vectors
    #   got  E3B0C442
    #   want 27AE41E4

Lines that begin neither with `ok`, `not ok`, a plan nor `Bail out!` are the program's own talk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

__all__ = ["Check", "TapResult", "evaluate", "parse"]

_PLAN = re.compile(r"1\.\.(0|[1-9][0-9]*)(?: +#.*)?")
_CHECK = re.compile(r"(not )?ok ([1-9][0-9]*) - (\S+) (\S+) ([0-9]+) vectors?")
_VALUE = re.compile(r"# +(got|want) +(\S+)")


@dataclass(frozen=True, slots=True)
class Check:
    """One line: `algorithm` in `variant`, held against `vectors` known answers; the values if it failed."""

    number: int
    ok: bool
    algorithm: str
    variant: str
    vectors: int
    got: str | None = None
    want: str | None = None


@dataclass(frozen=True, slots=True)
class TapResult:
    """What was printed: the plan (None without one), the checks, and lines that are wrong in themselves.

    Whether all of it proves anything is for `evaluate` to say.
    """

    plan: int | None
    checks: tuple[Check, ...]
    problems: tuple[str, ...]


def parse(text: str) -> TapResult:
    """Read the whole output of a test program."""
    plan: int | None = None
    checks: list[Check] = []
    problems: list[str] = []
    for line in text.splitlines():
        if match := _PLAN.fullmatch(line.rstrip()):
            if plan is not None:
                problems.append("the test printed two plans")
            plan = int(match[1])
        elif match := _CHECK.fullmatch(line.rstrip()):
            number = int(match[2])
            if any(check.number == number for check in checks):
                problems.append(f"check {number} was printed twice")
            checks.append(Check(number, match[1] is None, match[3], match[4], int(match[5])))
        elif (match := _VALUE.fullmatch(line.rstrip())) and checks:
            last = checks[-1]
            got, want = (match[2], last.want) if match[1] == "got" else (last.got, match[2])
            checks[-1] = replace(last, got=got, want=want)
        elif line.startswith("Bail out!"):
            problems.append(
                f"the test gave up: {line.removeprefix('Bail out!').strip() or 'no reason given'}"
            )
        elif re.match(r"(not )?ok\b|1\.\.", line):
            problems.append(f"the test printed a line that is no check: {line.rstrip()!r}")
    return TapResult(plan, tuple(checks), tuple(problems))


def evaluate(result: TapResult, variant: str) -> list[str]:
    """Return all that keeps `result` from proving `variant` right; empty if it does."""
    problems = list(result.problems)
    if result.plan is None:
        problems.append("the test printed no plan")
    if not result.checks:
        problems.append("the test made no check")
    elif result.plan is not None:
        if result.plan != len(result.checks):
            problems.append(f"the test planned {result.plan} checks and made {len(result.checks)}")
        problems += [
            f"check {check.number} is outside the plan 1..{result.plan}"
            for check in result.checks
            if check.number > result.plan
        ]
    for check in result.checks:
        if check.variant != variant:
            problems.append(f"check {check.number} is of variant {check.variant}, not {variant}")
        elif not check.ok:
            values = f": got {check.got}, want {check.want}" if check.got and check.want else ""
            problems.append(f"wrong answer: {check.algorithm} {check.variant}{values}")
        elif check.vectors < 1:
            problems.append(f"{check.algorithm} {check.variant} was held against no vector")
    return problems
