"""Runs the benchmark program: what it lists, and what its clock says of each case."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic, ExitCode
from cmaketool.toolchains.programs import Missing, has_module

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.bench.model import Unit
    from cmaketool.process import Result
    from cmaketool.toolchains import Leg
    from cmaketool.toolchains.model import LegFile
    from cmaketool.verify.steps import Steps

__all__ = ["Answer", "BenchProgram", "Clock", "clock_of", "unit_of"]

RUN_LIMIT = 300.0  # seconds
_COUNTER = "cmaketool.toolchains.unicorn_aarch64"
_LISTED = re.compile(r"([A-Za-z0-9_]+(?:/[^\s/]+)*) (\S+)")
_ANSWER = re.compile(r"(\d+) (\d+) (?:([0-9a-f]{16}) (\d+)|cannot (-?\d+))")


@dataclass(frozen=True, slots=True)
class Clock:
    """What the program's clock counts, and the words before the program that make it so."""

    unit: Unit
    words: tuple[str, ...]


def unit_of(file: LegFile) -> Unit:
    """Return what is measured on the leg of `file`, if anything can be."""
    return "nanoseconds" if file.emulator.kind == "native" else "instructions"


def clock_of(leg: Leg) -> Clock | Missing:
    """Return how programs of `leg` are measured, or what is missing for it.

    By instructions wherever our own emulator can run them, also in the place of another, whose instructions
    nobody counts; by time on this machine. Raises CmaketoolError for a leg on which neither can be had.
    """
    unit, kind = unit_of(leg.file), leg.file.emulator.kind
    if unit == "nanoseconds":
        return Clock(unit, ())
    if kind in {"unicorn", "command"} and leg.facts.architectures == ("arm64",):
        if not has_module("unicorn"):
            return Missing(leg.file, "unicorn is not installed", "pip install 'cmaketool[verify]'")
        return Clock(unit, (sys.executable, "-m", _COUNTER, "--count"))
    message = f"on {leg.file.name} nothing can be measured: no emulator of it counts instructions"
    remedy = "take a leg for arm64 Linux, whose programs are static, or native"
    raise CmaketoolError(Diagnostic(message, "no-clock", remedy=remedy))


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program said of one size and number of repeats; `refusal`: that it cannot be done, and how."""

    size: int
    repeats: int
    checksum: str
    clock: int  # in the clock's unit, for all repeats
    refusal: str = ""


class BenchProgram:
    """The program of one leg. Safe to use from several threads."""

    def __init__(self, path: Path, clock: Clock, steps: Steps) -> None:
        self._path, self._words, self._steps = path, clock.words, steps
        self.unit = clock.unit

    def cases(self, variants: Sequence[str]) -> list[tuple[str, str]]:
        """Return the cases that there are for each of `variants`, each with the variant.

        Raises CmaketoolError where the program does not list them, and what process.run does.
        """
        lines = self._run("list", *variants).output.splitlines()
        found = [_LISTED.fullmatch(line) for line in lines]
        pairs = [(match[1], match[2]) for match in found if match]
        if len(pairs) < len(lines):
            wrong = next(line for line, match in zip(lines, found, strict=True) if not match)
            raise _fault(f"'{wrong}' is no case: a family of the manifest, or one and more behind a slash")
        twice = next((pair for at, pair in enumerate(pairs) if pair in pairs[:at]), None)
        if twice is not None:
            raise _fault(f"the case {twice[0]} of {twice[1]} is there twice")
        if not pairs:
            raise _fault(f"there is no case of {' or '.join(variants)}")
        return pairs

    def run(self, case: str, variant: str, pairs: Sequence[tuple[int, int]]) -> list[Answer]:
        """Return an answer for each of `pairs`, a size and a number of repeats. Raises as `cases`."""
        result = self._run("run", case, variant, *(f"{size}:{repeats}" for size, repeats in pairs))
        lines = result.output.splitlines()
        found = [_ANSWER.fullmatch(line) for line in lines]
        answers = [
            Answer(int(match[1]), int(match[2]), match[3] or "", int(match[4] or 0), match[5] or "")
            for match in found
            if match
        ]
        if [(one.size, one.repeats) for one in answers] != list(pairs) or len(found) != len(answers):
            raise _fault(f"{case} of {variant} printed what no benchmark prints", result)
        return answers

    def _run(self, verb: str, *words: str) -> Result:
        name = " ".join([verb, *words[:2]])
        command = [*self._words, str(self._path), verb, *words]
        result = self._steps.run(name, command, timeout=RUN_LIMIT)
        if result.timed_out:
            raise _fault(f"{name} was not done within {RUN_LIMIT:.0f} s")
        if result.returncode != 0:
            raise _fault(f"{name} ended with {result.returncode}", result)
        return result


def _fault(message: str, result: Result | None = None) -> CmaketoolError:
    said = (result.errors or result.output).splitlines()[-3:] if result else []
    text = "\n  ".join([f"the benchmark program: {message}", *said])
    return CmaketoolError(Diagnostic(text, "benchmark-program"), code=ExitCode.FAILED)
