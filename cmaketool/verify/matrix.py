"""The table at the end of a report: legs by setups, or by what the options were set to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cmaketool.verify import unproven
from cmaketool.verify.model import Verdict, worst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cmaketool.verify.model import LegReport, Outcome

__all__ = ["matrix"]

_GAP = "  "
_SHORTEST = 4  # a verdict
_MARK = "*"


class _Entry(NamedTuple):
    """What a cell says: `mark` stands behind the verdict and is explained below the table."""

    verdict: Verdict
    mark: str = ""


def matrix(outcome: Outcome, cell: Callable[[Verdict, int, str], str], width: int) -> list[str]:
    """Return the lines of the table, none for a single leg in a single setup.

    `cell` gives the text of a verdict with a mark behind it, filled to a width. Legs with kernels that are
    unproven on cl are marked where these are built.
    """
    labels = list(dict.fromkeys(leg.label for leg in outcome.legs))
    names = list(dict.fromkeys(leg.name for leg in outcome.legs))
    if len(labels) > 1:
        found = {(leg.name, leg.label): _Entry(leg.verdict, _mark(leg)) for leg in outcome.legs}
        rows = {name: [found[name, label] for label in labels] for name in names}
        return [*_table(labels, rows, cell, width), *_explained(outcome)]
    if len(names) > 1 and not all(leg.missing for leg in outcome.legs):
        heads = ("OFF", "AUTO", "ON")
        rows = {leg.name: [_of_values(outcome, leg, head) for head in heads] for leg in outcome.legs}
        return [*_table(heads, rows, cell, width), *_explained(outcome)]
    return []


def _mark(leg: LegReport) -> str:
    return _MARK if leg.unproven else ""


def _explained(outcome: Outcome) -> Iterator[str]:
    """Say what the mark means, if it is there; which names it is about stands with the legs."""
    if any(leg.unproven for leg in outcome.legs):
        yield ""
        yield f"{_MARK} with kernels that are {unproven.WORDS}"


def _of_values(outcome: Outcome, leg: LegReport, head: str) -> _Entry:
    """Return what the states came to in which all options are off, all are AUTO, or some are ON."""
    if leg.missing:
        return _Entry(Verdict.NOT_RUN)
    states = {state.name: state.verdict for state in leg.states if _head(state.values) == head}
    said = (f.verdict for f in outcome.findings if f.leg == leg.name and f.state in states)
    return _Entry(worst([*states.values(), *said]), "" if head == "OFF" else _mark(leg))


def _head(values: Mapping[str, str]) -> str:
    different = set(values.values())
    return "ON" if "ON" in different or len(different) > 1 else next(iter(different), "OFF")


def _table(
    heads: Sequence[str],
    rows: Mapping[str, Sequence[_Entry]],
    cell: Callable[[Verdict, int, str], str],
    width: int,
) -> Iterator[str]:
    """Yield the table; columns whose heads do not fit beside one another are numbered."""
    first = max(map(len, rows))
    shortest = _SHORTEST + max(len(entry.mark) for entries in rows.values() for entry in entries)
    if first + sum(len(_GAP) + max(len(head), shortest) for head in heads) > width:
        digits = len(str(len(heads)))
        yield from (f"{number:{digits}}: {head}" for number, head in enumerate(heads, 1))
        yield ""
        heads = [str(number) for number in range(1, len(heads) + 1)]
    wide = max(*map(len, heads), shortest)
    several = max((width - first) // (wide + len(_GAP)), 1)
    for begin in range(0, len(heads), several):
        part = slice(begin, begin + several)
        if begin:
            yield ""
        yield (" " * first + "".join(f"{_GAP}{head:{wide}}" for head in heads[part])).rstrip()
        for name, entries in rows.items():
            cells = "".join(_GAP + cell(verdict, wide, mark) for verdict, mark in entries[part])
            yield f"{name:{first}}{cells}".rstrip()
