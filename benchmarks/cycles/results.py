"""What was found for a kernel, beside its yardsticks: which it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.cycles.yardsticks import Row

__all__ = ["Measured", "as_json", "table"]

OUTSIDE, WITHIN, TARGET = "OUTSIDE", "within", "at target"


class Measured(NamedTuple):
    """A row by one compiler: instructions per byte, and cycles per byte by column (None: no such CPU)."""

    row: Row
    compiler: str
    columns: tuple[str, ...]
    instructions: float
    cycles: tuple[float | None, ...]
    share: float  # of the instructions, that are in the loops modelled

    @property
    def misses(self) -> list[str]:
        """What is outside of what is accepted, in words."""
        accept, cycles = self.row.accept, self.row.cycles
        if accept.instructions is not None:
            limit = accept.instructions * (self.row.instructions.target or 0)
            pairs = [("instructions", self.instructions, limit)]
        else:
            columns = zip(self.columns, self.cycles, cycles.assembly, strict=True)
            pairs = [
                (f"cycles on {cpu}", here, (accept.cycles or 0) * assembly)
                for cpu, here, assembly in columns
                if here is not None and assembly is not None
            ]
        return [f"{what}: {here:.2f} > {limit:.2f}" for what, here, limit in pairs if _above(here, limit)]

    @property
    def state(self) -> str:
        """OUTSIDE of what is accepted, within it, or at the target in instructions and every column."""
        if self.misses:
            return OUTSIDE
        aim = self.row.instructions.target
        counted = aim is None or not _above(self.instructions, aim)
        return TARGET if counted and all(self._hits()) else WITHIN

    @property
    def passes(self) -> list[str]:
        """The columns in which it takes fewer cycles than the best assembly."""
        columns = zip(self.columns, self.cycles, self.row.cycles.assembly, strict=True)
        return [
            cpu
            for cpu, here, assembly in columns
            if here is not None and assembly is not None and _above(assembly, here)
        ]

    def _hits(self) -> Iterable[bool]:
        target = self.row.cycles.target
        for cpu, here, assembly in zip(self.columns, self.cycles, self.row.cycles.assembly, strict=True):
            if here is not None and assembly is not None:
                yield cpu in self.passes if target == "better" else not _above(here, target * assembly)


def _above(number: float, limit: float) -> bool:
    """Compare as yardsticks are written: to two decimals."""
    return round(number, 2) > round(limit, 2)


def _show(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def _target(row: Row, column: int) -> str:
    assembly = row.cycles.assembly[column]
    if assembly is None:
        return "-"
    return f"<{assembly:.2f}" if row.cycles.target == "better" else f"{row.cycles.target * assembly:.2f}"


def table(measured: Sequence[Measured], columns: Sequence[str]) -> str:
    """Return all as text: for each number what it is measured against."""
    lines = [
        "Instructions per byte: here (portable C, best assembly, target).",
        "Modelled cycles per byte: here (lower bound, best assembly, target).",
        "",
    ]
    head = ["kernel", "compiler", "instructions", *columns, "state", "passes assembly on"]
    cells = [head, *map(_cells, measured)]
    widths = [max(len(line[number]) for line in cells) for number in range(len(head))]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in cells]
    lines += ["  ".join(line).rstrip() for line in padded]
    return "\n".join(lines)


def _cells(one: Measured) -> list[str]:
    known = one.row.instructions
    against = ", ".join(_show(number) for number in (known.portable_c, known.assembly, known.target))
    cells = [one.row.name, one.compiler, f"{one.instructions:.2f} ({against})"]
    for number, here in enumerate(one.cycles):
        bound, assembly = one.row.cycles.bound[number], one.row.cycles.assembly[number]
        text = f"{_show(here)} ({_show(bound)}, {_show(assembly)}, {_target(one.row, number)})"
        cells.append("-" if here is None else text)
    return [*cells, one.state, ", ".join(one.passes) or "-"]


def as_json(measured: Sequence[Measured], columns: Sequence[str]) -> dict[str, Any]:
    """Return the same as data for json.dumps."""
    rows = [
        {
            "row": one.row.name,
            **one.row.run.model_dump(),
            "compiler": one.compiler,
            "instructions": {"here": round(one.instructions, 4), **one.row.instructions.model_dump()},
            "cycles": {
                column: {
                    "here": None if here is None else round(here, 4),
                    "bound": one.row.cycles.bound[number],
                    "assembly": one.row.cycles.assembly[number],
                }
                for number, (column, here) in enumerate(zip(columns, one.cycles, strict=True))
            },
            "share": round(one.share, 4),
            "state": one.state,
            "passes_assembly": one.passes,
            "misses": one.misses,
        }
        for one in measured
    ]
    return {"columns": list(columns), "rows": rows}
