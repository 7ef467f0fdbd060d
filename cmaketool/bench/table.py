"""Tables for people: what was measured, and what changed; in 80 columns with six sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.bench.model import cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from cmaketool.bench.compare import Change, Comparison
    from cmaketool.bench.model import Measured, Outcome, Row

    Style: TypeAlias = Callable[[str, str], str]  # a text in one of the colours "red", "green", "dim"

__all__ = ["as_text"]

_CELL, _FEWEST = 9, 24  # columns of a number, and of the names at least
_HEADS = {"instructions": "instructions per byte", "nanoseconds": "ns per byte"}


def as_text(outcome: Outcome, style: Style) -> str:
    """Return everything that is printed: the table, then what changed, notes and faults."""
    measured = outcome.measured
    lines = [f"{measured.leg}: {measured.about}", "", *_measured(measured, style)]
    if outcome.comparison is not None:
        lines += ["", *_compared(outcome.comparison, measured.about, style)]
    lines += [f"note: {note}" for note in outcome.notes]
    lines += [style(f"FAIL {fault}", "red") for fault in outcome.faults]
    return "\n".join(lines) + "\n"


def _measured(measured: Measured, style: Style) -> list[str]:
    found = cases(measured.rows)
    sizes = sorted({row.size for row in measured.rows})
    width = _width(_HEADS[measured.unit], ((case, *variants) for case, variants in found.items()))
    lines = [_line(_HEADS[measured.unit], map(str, sizes), width)]
    for case, variants in found.items():
        lines.append(case)
        last = next((one for one in variants.values() if any(row.reference for row in one.values())), {})
        for variant, by_size in variants.items():
            numbers = [_number(by_size[size].per_byte) if size in by_size else "-" for size in sizes]
            lines.append(_line(f"  {variant}", numbers, width))
        for variant, by_size in variants.items():
            if last and by_size is not last:
                name = next(iter(last.values())).variant
                ratios = [_ratio(last.get(size), by_size.get(size)) for size in sizes]
                lines.append(style(_line(f"  {name} / {variant}", ratios, width), "dim"))
    return lines


def _compared(comparison: Comparison, about: str, style: Style) -> list[str]:
    sizes = sorted({change.size for change in comparison.changes})
    found: dict[tuple[str, str], dict[int, Change]] = {}
    for change in comparison.changes:
        found.setdefault((change.case, change.variant), {})[change.size] = change
    width = _width("change", found)
    other = f": {comparison.about}" if comparison.about != about else ""
    leg = f"{comparison.leg}{other}"
    lines = [f"against {comparison.file} ({leg}), {comparison.tolerance:g} % is tolerated", ""]
    lines.append(_line("change", map(str, sizes), width))
    named = ""
    for (case, variant), by_size in found.items():
        if case != named:
            lines.append(case)
            named = case
        cells = [_change(by_size[size], style) if size in by_size else "-".rjust(_CELL) for size in sizes]
        lines.append(f"  {variant}".ljust(width) + "".join(cells))
    lines += [style(f"FAIL {failure}", "red") for failure in comparison.failures]
    return lines


def _width(head: str, named: Iterable[Sequence[str]]) -> int:
    """Return how wide the names are: those of cases stand alone in their lines."""
    variants = [name for _, *names in named for name in names]
    longest = max(map(len, variants), default=0)
    return max(_FEWEST, len(head) + 1, 2 * longest + 6 if len(set(variants)) > 1 else 0)


def _line(head: str, cells: Iterable[str], width: int) -> str:
    return head.ljust(width) + "".join(cell.rjust(_CELL) for cell in cells)


def _number(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _ratio(reference: Row | None, row: Row | None) -> str:
    if reference is None or row is None or row.per_call <= 0 or row.checksum != reference.checksum:
        return "-"
    ratio = reference.per_call / row.per_call
    return f"{ratio:.1f}x" if ratio < 100 else f"{ratio:.0f}x"


def _change(change: Change, style: Style) -> str:
    colours = {"better": "green", "same": "dim"}
    text = "=" if change.percent == 0 else f"{change.percent:+.1f}%" if change.percent is not None else ""
    text = text if change.verdict in {"better", "same", "worse"} else change.verdict
    return style(text.rjust(_CELL), colours.get(change.verdict, "red" if change.failed else "dim"))
