"""What changed since an earlier measurement, and whether that is tolerable."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cmaketool.diagnostics import CmaketoolError, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Collection

    from cmaketool.bench.model import Earlier, Measured, Row, Unit

__all__ = ["Change", "Comparison", "check", "compare"]

_TOLERANCES = {"instructions": 1.0, "nanoseconds": 10.0}  # percent
Verdict = Literal["same", "better", "worse", "new", "gone", "differs"]


@dataclass(frozen=True, slots=True)
class Change:
    """One variant of a case at one size: what a byte took and takes now (None: it was, or is, not there).

    `differs`: both did not do the same work, so that their costs cannot be compared.
    """

    case: str
    variant: str
    size: int
    before: float | None
    now: float | None
    verdict: Verdict

    @property
    def percent(self) -> float | None:
        """By how much it takes more now."""
        if self.before is None or self.now is None:
            return None
        return (self.now / self.before - 1) * 100 if self.before else math.inf if self.now else 0.0

    @property
    def failed(self) -> bool:
        """Whether it is more than is tolerated, or nothing can be said."""
        return self.verdict in {"worse", "gone", "differs"}

    def __str__(self) -> str:
        place = f"{self.case}: {self.variant} at {self.size} bytes"
        if self.verdict == "gone":
            return f"{place} was measured before, and is not now"
        if self.verdict == "differs":
            return f"{place} does not compute what it did: measure anew for a FILE to compare with"
        return f"{place}: {self.before:.4g} became {self.now:.4g} ({self.percent:+.1f} %)"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes, in the order of what is measured now. `leg` and `about` are the earlier one's."""

    file: str
    leg: str
    about: str
    tolerance: float  # percent
    changes: tuple[Change, ...]

    @property
    def failures(self) -> tuple[Change, ...]:
        """What is not tolerable."""
        return tuple(change for change in self.changes if change.failed)


def check(earlier: Earlier, leg: str, configuration: str, unit: Unit) -> None:
    """Raise CmaketoolError if `earlier` cannot be compared with what is measured so, in `unit` on `leg`."""
    file, before = earlier.file, earlier.measured
    if before.unit != unit:
        message = f"{file} is in {before.unit} per byte, on {before.leg}; here {unit} are measured"
        remedy = f"compare with a FILE of {leg}"
        raise CmaketoolError(Diagnostic(message, "other-unit", str(file), remedy=remedy))
    if before.configuration != configuration:
        message = f"{file} is of the configuration {before.configuration}; here it is {configuration}"
        remedy = f"measure with --config {before.configuration}, or compare with a FILE of {configuration}"
        raise CmaketoolError(Diagnostic(message, "other-configuration", str(file), remedy=remedy))


def compare(now: Measured, earlier: Earlier, asked: Collection[str], sizes: Collection[int]) -> Comparison:
    """Compare what is measured `now` with what there was `earlier`.

    What more there was counts as gone if it is of a family or case that is `asked` for (none: all), at one of
    the `sizes` in bytes that are. Raises CmaketoolError as `check`.
    """
    check(earlier, now.leg, now.configuration, now.unit)
    before = earlier.measured
    tolerance = _TOLERANCES[now.unit] if earlier.tolerance is None else earlier.tolerance
    left = {(row.case, row.variant, row.size): row for row in before.rows}
    changes = [_change(left.pop((row.case, row.variant, row.size), None), row, tolerance) for row in now.rows]
    changes += [
        Change(row.case, row.variant, row.size, row.per_byte, None, "gone")
        for row in left.values()
        if row.size in sizes and (not asked or {row.case, row.case.partition("/")[0]} & set(asked))
    ]
    return Comparison(str(earlier.file), before.leg, before.about, tolerance, tuple(changes))


def _change(before: Row | None, now: Row, tolerance: float) -> Change:
    earlier = before.per_byte if before is not None else None
    return Change(now.case, now.variant, now.size, earlier, now.per_byte, _verdict(before, now, tolerance))


def _verdict(before: Row | None, now: Row, tolerance: float) -> Verdict:
    if before is None:
        return "new"
    if now.checksum != before.checksum:
        return "differs"
    if now.per_call > before.per_call * (1 + tolerance / 100):
        return "worse"
    return "better" if now.per_call < before.per_call else "same"
