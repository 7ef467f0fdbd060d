"""Errors for people: where, what, which rule, what to do; and the one table of exit codes."""

from __future__ import annotations

import enum
from dataclasses import dataclass

__all__ = ["CmaketoolError", "Diagnostic", "ExitCode", "near_miss"]


class ExitCode(enum.IntEnum):
    """What the program's exit code says. Nothing else is ever returned but 130 after Ctrl-C."""

    OK = 0
    FAILED = 1  # a check ran and found a fault: stale output, a failed rung
    BAD_INPUT = 2  # manifest, command line or environment cannot be used as given
    NOT_SHOWN = 3  # nothing failed, but something that was asked for was not shown


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault.

    `file` as the user wrote it, `line` and `column` from 1 (None where a fault has no place),
    `rule` a stable kebab-case name, `message` what is wrong, `remedy` what to do about it.
    """

    message: str
    rule: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    remedy: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place}: " if place else ""
        text += f"error: {self.message} [{self.rule}]"
        return text + (f"\n  {self.remedy}" if self.remedy else "")


class CmaketoolError(Exception):
    """What every anticipated failure raises: one or more diagnostics and an exit code."""

    def __init__(self, *diagnostics: Diagnostic, code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics
        self.code = code


def near_miss(word: str, known: list[str]) -> str | None:
    """Say "did you mean 'x'?" when `word` is close to one of `known`, else None."""
    import difflib  # noqa: PLC0415  only errors pay for it

    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f"did you mean '{close[0]}'?" if close else None
