"""Measures one case of one variant: exact counts of instructions, or the best of several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool.bench.model import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cmaketool.bench.program import Answer, BenchProgram

__all__ = ["Measurement", "measure"]

# What comes before and after the repeats is in both, and gone from the difference.
_FEW, _MANY = 1, 9
_SAMPLES = 9  # of which the fastest counts: whatever else the machine does only adds
_SAMPLE_TIME = 3_000_000  # nanoseconds that a sample should take, so that its clock and set-up do not matter
_MOST_REPEATS = 1 << 20


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came of one case of one variant: a row for each size, but for those that it refuses."""

    rows: tuple[Row, ...]
    refusals: tuple[str, ...]


def measure(
    program: BenchProgram, case: str, variant: str, sizes: Sequence[int], *, reference: bool
) -> Measurement:
    """Measure `case` of `variant` at `sizes` bytes. Raises what BenchProgram.run does."""
    answers = program.run(case, variant, [(size, n) for size in sizes for n in (_FEW, _MANY)])
    pairs = list(zip(answers[::2], answers[1::2], strict=True))
    able = [few.size for few, many in pairs if not few.refusal and not many.refusal]
    costs = _counted(pairs) if program.unit == "instructions" else _timed(program, case, variant, pairs, able)
    rows = tuple(
        Row(case, variant, few.size, costs[few.size], few.checksum + many.checksum, reference)
        for few, many in pairs
        if few.size in able
    )
    refusals = tuple(
        f"{case}: {variant} cannot do {few.size} bytes (it answered {few.refusal or many.refusal})"
        for few, many in pairs
        if few.size not in able
    )
    return Measurement(rows, refusals)


def _counted(pairs: Sequence[tuple[Answer, Answer]]) -> dict[int, float]:
    return {few.size: (many.clock - few.clock) / (_MANY - _FEW) for few, many in pairs}


def _timed(
    program: BenchProgram,
    case: str,
    variant: str,
    pairs: Sequence[tuple[Answer, Answer]],
    able: Sequence[int],
) -> dict[int, float]:
    repeats = {many.size: _enough(many) for _, many in pairs}
    asked = [(size, repeats[size]) for _ in range(_SAMPLES) for size in able]
    best: dict[int, float] = {}
    for answer in program.run(case, variant, asked) if asked else ():
        time = answer.clock / answer.repeats
        best[answer.size] = min(time, best.get(answer.size, time))
    return best


def _enough(first: Answer) -> int:
    """Return how often to repeat what took so long the first time."""
    each = max(first.clock / first.repeats, 1.0)
    return min(max(round(_SAMPLE_TIME / each), _MANY), _MOST_REPEATS)
