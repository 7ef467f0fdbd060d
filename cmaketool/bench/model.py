"""The words of a benchmark: what is asked, what was measured, and what came of it all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cmaketool.diagnostics import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.bench.compare import Comparison

__all__ = ["SIZES", "BenchRequest", "Earlier", "Measured", "Outcome", "Row", "Unit", "cases"]

Unit = Literal["instructions", "nanoseconds"]
SIZES = (16, 64, 256, 1024, 8192, 16384)


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """What the user asked for. `jobs` is the number of commands run at the same time."""

    manifest: Path
    families: tuple[str, ...] = ()  # families and cases; empty: all
    toolchain: str | None = None  # a leg; None: the embedded one
    toolchain_file: Path | None = None  # a CMake toolchain file, which is the leg
    configuration: str = "Release"
    sizes: tuple[int, ...] = SIZES
    jobs: int = 2
    keep: Path | None = None
    earlier: Earlier | None = None  # to compare with


@dataclass(frozen=True, slots=True)
class Row:
    """What one variant takes for one call with a message of `size` bytes.

    `case` is a family's name, or that and more behind a slash. `per_call` is in the measurement's unit.
    `checksum` is of what was computed, the same for every variant of a case that does the same work. The
    `reference` is the variant that others are compared with: the last one of its family.
    """

    case: str
    variant: str
    size: int
    per_call: float
    checksum: str
    reference: bool = False

    @property
    def per_byte(self) -> float:
        """What a byte of the message takes."""
        return self.per_call / self.size


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was measured on a leg, in the order of the manifest's benchmarks."""

    manifest: str
    leg: str
    about: str  # of the leg: compiler, CMake
    configuration: str
    unit: Unit
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What `file` held, and how many percent more are tolerated (None: as usual for the unit)."""

    file: Path
    measured: Measured
    tolerance: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it. `faults` are why it is no success, `notes` what was left out and why."""

    measured: Measured
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    comparison: Comparison | None = None

    @property
    def code(self) -> ExitCode:
        """What the program returns."""
        failed = self.faults or (self.comparison is not None and self.comparison.failures)
        return ExitCode.FAILED if failed else ExitCode.OK


def cases(rows: Sequence[Row]) -> dict[str, dict[str, dict[int, Row]]]:
    """Return `rows` by case, variant and size, each in the order in which it comes first."""
    found: dict[str, dict[str, dict[int, Row]]] = {}
    for row in rows:
        found.setdefault(row.case, {}).setdefault(row.variant, {})[row.size] = row
    return found
