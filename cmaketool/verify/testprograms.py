"""Known answers: runs test programs under the leg's emulator and says what is wrong with what they printed.

A program of the same code and data, with the same libraries, asked for the same variant in the same
circumstances, is not run twice on a leg.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cmaketool.verify import digests, tap
from cmaketool.verify.selection import Circumstances

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TypeAlias

    from cmaketool.process import Result
    from cmaketool.toolchains import Invocation, Leg
    from cmaketool.verify.selection import Trial
    from cmaketool.verify.steps import Steps
    from cmaketool.verify.tap import Check

    Key: TypeAlias = tuple[tuple[str, ...], str, Circumstances]

__all__ = ["Answer", "Answers"]

RUN_LIMIT = 300.0  # seconds
_USUAL = Circumstances()


@dataclass(frozen=True, slots=True)
class Answer:
    """What one program said about one variant."""

    variant: str
    result: Result
    tap: tap.TapResult
    command: str

    def faults(self, concerned: frozenset[str], families: frozenset[str]) -> list[str]:
        """Return everything that keeps it from proving a unit of the families `concerned` right.

        A check whose algorithm begins with the name of another of the `families`, up to a slash, is that
        family's alone.
        """
        if self.result.timed_out:
            return [f"the test did not end within {RUN_LIMIT:.0f} s"]
        foreign = families - concerned
        checks = tuple(
            replace(check, ok=True, variant=self.variant, vectors=1)
            if check.algorithm.partition("/")[0] in foreign
            else check
            for check in self.tap.checks
        )
        faults = tap.evaluate(replace(self.tap, checks=checks), self.variant)
        if checks and not self._own(foreign):
            faults.append(f"the test made no check of {', '.join(sorted(concerned)) or 'it'}, only of others")
        code = self.result.returncode
        if not self.ended or (code == 1 and all(check.ok for check in self.tap.checks) and not faults):
            faults.insert(0, f"the test ended with {code}")
        return faults

    @property
    def ended(self) -> bool:
        """Whether the program came to its end by itself: with or without a wrong answer."""
        return not self.result.timed_out and self.result.returncode in {0, 1}

    def _own(self, foreign: frozenset[str]) -> list[Check]:
        return [check for check in self.tap.checks if check.algorithm.partition("/")[0] not in foreign]

    @property
    def detail(self) -> str:
        """The end of what the program printed: its failed checks and what it said on its error stream."""
        lines = self.result.output.splitlines()
        failed = [at for at, text in enumerate(lines) if text.startswith("not ok")]
        shown = [text for at in failed[:3] for text in lines[at : at + 3]] or lines[-3:]
        return "\n".join(shown + self.result.errors.splitlines()[-3:])

    def numbers(self, concerned: frozenset[str], families: frozenset[str]) -> str:
        """Say how much was checked of a unit of the families `concerned`."""
        own = self._own(families - concerned)
        return f"{len(own)} checks, {sum(check.vectors for check in own)} vectors"


class Answers:
    """Runs the programs of one leg. Safe to use from several threads.

    `variable` is the environment variable by which the tests' library can be told what to choose: a program
    finds there what its circumstances say, never what the user has set.
    """

    def __init__(self, leg: Leg, steps: Steps, variable: str) -> None:
        self._leg, self._steps, self._variable = leg, steps, variable
        self._known: dict[Key, Answer] = {}
        self._turns: dict[Key, threading.Lock] = {}
        self._lock = threading.Lock()

    def call(self, program: Path, variant: str, how: Circumstances = _USUAL) -> Invocation:
        """Return the command that runs `program` for `variant`."""
        return self._leg.invoke(
            program,
            ["--variant", variant],
            processor=how.processor,
            hwcap=how.hwcap,
            forbid=how.forbid,
            environment={self._variable: how.override},
        )

    def run(
        self,
        name: str,
        program: Path,
        variant: str,
        trial: Trial | None = None,
        *,
        libraries: Sequence[Path] = (),
    ) -> Answer:
        """Run `program`, which may load `libraries`, for `variant`, as `trial` says.

        Raises what process.run does.
        """
        how = _USUAL if trial is None else trial.circumstances
        files = (program, *(file for file in libraries if file.is_file()))
        key = (tuple(map(digests.of_program, files)), variant, how)
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:  # who comes second waits for the first one's answer
            if key not in self._known:
                call = self.call(program, variant, how)
                step = f"{name} --variant {variant}" + (f" {trial.name}" if trial is not None else "")
                result = self._steps.run(step, call.words, timeout=RUN_LIMIT, environment=call.environment)
                self._known[key] = Answer(variant, result, tap.parse(result.output), call.line)
            return self._known[key]
