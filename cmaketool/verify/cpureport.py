"""Reads what a counting build prints at its end, and holds it against what a trial must come to. Pure.

The lines are `# cmk: compiled: aes_arm64 sha256_arm64`, then `detected: aes sha1 sha2`, `override: applied
"-sha2"`, `features: aes sha1`, `policy: none`, `selected: aes_ctr=arm64 sha256=portable` and `calls:
cmk_aes_ctr_arm64=378 cmk_aes_ctr_portable=0`; `none` is an empty list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cmaketool.verify.selection import Trial

__all__ = ["CpuReport", "Discrepancy", "discrepancies", "parse"]

_LINES = ("compiled", "detected", "override", "features", "policy", "selected", "calls")
_SHOWN = 60  # characters of an override's text that are printed


class CpuReport(NamedTuple):
    """The report's lines by what they begin with, the choice by family, and calls by symbol."""

    lines: Mapping[str, str]
    selected: Mapping[str, str]
    calls: Mapping[str, int]

    @property
    def missing(self) -> tuple[str, ...]:
        """The lines that are not there."""
        return tuple(name for name in _LINES if name not in self.lines)

    @property
    def text(self) -> str:
        """All of it, a line each."""
        return "\n".join(f"{name}: {text}" for name, text in self.lines.items())


class Discrepancy(NamedTuple):
    """A line that is not as it should be: how, and the kernels, features and policies that it is about."""

    reason: str
    about: frozenset[str]


def parse(output: str, name: str) -> CpuReport | None:
    """Return the report of the manifest `name` in a program's output; None if no line of it is there."""
    found = re.findall(rf"^# {re.escape(name)}: ([a-z]+): ?(.*?)\r?$", output, re.MULTILINE)
    lines = {key: text for key, text in found if key in _LINES}
    if not lines:
        return None
    calls = _pairs(lines.get("calls", ""))
    return CpuReport(
        lines,
        _pairs(lines.get("selected", "")),
        {symbol: int(count) for symbol, count in calls.items() if count.isascii() and count.isdigit()},
    )


def _pairs(text: str) -> dict[str, str]:
    cut = (word.partition("=") for word in text.split())
    return {name: value for name, equals, value in cut if equals}


def discrepancies(
    report: CpuReport, trial: Trial, compiled: Iterable[str], *, overridable: bool
) -> list[Discrepancy]:
    """Return what the report says of the word and not as the trial has it; choice and calls are left out."""
    expected = {
        "compiled": tuple(compiled),
        "detected": trial.detected,
        "features": trial.features,
        "policy": trial.policies,
    }
    found = []
    for line, words in expected.items():
        said, wanted = report.lines.get(line), " ".join(words) or "none"
        if said is not None and said != wanted:
            reason = f"{line} is said to be '{said}', not '{wanted}'"
            differing = set(said.split()) ^ set(wanted.split())
            found.append(Discrepancy(reason, frozenset(differing - {"none"})))
    said, asked = report.lines.get("override"), trial.circumstances.override
    wanted = _override(asked) if overridable else "unavailable"
    if said is not None and said != wanted:
        about = frozenset(item.lstrip("+-") for item in (asked or "").split(","))
        found.append(Discrepancy(f"override is said to be {said}, not {wanted}", about))
    return found


def _override(text: str | None) -> str:
    if text is None:
        return "unset"
    return f'applied "{text if len(text) <= _SHOWN else text[:_SHOWN] + "..."}"'
