"""The measurement as SVG: a panel for each case, sizes along a logarithmic axis, a line for each variant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from cmaketool.bench.model import cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from cmaketool.bench.model import Measured, Row

    Lines: TypeAlias = Mapping[str, Mapping[int, Row]]  # rows of a case by variant and size

__all__ = ["as_svg"]

_WIDTH, _HEIGHT = 330, 230  # of a panel
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 44, 40  # around its axes
_ABREAST = 3
_HEAD = 58
_UNITS = {"instructions": "instructions per byte", "nanoseconds": "nanoseconds per byte"}
# Told apart by all kinds of eyes (Okabe and Ito).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_STYLE = """\
<style>
text { font: 11px system-ui, sans-serif; fill: #333 }
.title { font-size: 17px; font-weight: 600; fill: #111 }
.case { font-size: 13px; font-weight: 600; fill: #111 }
.grid { stroke: #ddd; fill: none }
.axis { stroke: #888; fill: none }
.line { stroke-width: 2; fill: none }
</style>
"""


def as_svg(measured: Measured) -> str:
    """Return a whole SVG document; the same measurement gives the same bytes."""
    found = cases(measured.rows)
    names = dict.fromkeys(name for variants in found.values() for name in variants)
    colours = dict(zip(names, cycle(_COLOURS), strict=False))
    columns = max(1, min(_ABREAST, len(found)))
    width, height = max(columns, 2) * _WIDTH, _HEAD + math.ceil(len(found) / columns) * _HEIGHT
    title = f"{_UNITS[measured.unit].capitalize()}, {measured.leg}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n',
        f"<title>{escape(title)}</title>\n",
        _STYLE,
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n',
        f'<text class="title" x="14" y="26">{escape(title)}</text>\n',
        f'<text x="14" y="44">{escape(measured.about)}; both axes are logarithmic, less is better</text>\n',
    ]
    for at, (case, variants) in enumerate(found.items()):
        row, column = divmod(at, columns)
        parts.append(f'<g transform="translate({column * _WIDTH} {_HEAD + row * _HEIGHT})">\n')
        parts += _panel(case, variants, colours)
        parts.append("</g>\n")
    return "".join([*parts, "</svg>\n"])


@dataclass(frozen=True, slots=True)
class _Scale:
    """A logarithmic axis: values from `low` to `high` on the points from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        if self.high == self.low:
            return (self.start + self.end) / 2
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def _panel(case: str, variants: Lines, colours: Mapping[str, str]) -> Iterator[str]:
    sizes = sorted({size for by_size in variants.values() for size in by_size})
    values = [max(row.per_byte, 1e-3) for by_size in variants.values() for row in by_size.values()]
    ticks = _ticks(min(values), max(values))
    across = _Scale(sizes[0], sizes[-1], _LEFT, _WIDTH - _RIGHT)
    up = _Scale(ticks[0], ticks[-1], _HEIGHT - _BOTTOM, _TOP)
    yield f'<text class="case" x="{_LEFT}" y="16">{escape(case)}</text>\n'
    yield from _legend(variants, colours)
    yield from _axes(sizes, ticks, across, up)
    for variant, by_size in variants.items():
        colour = colours[variant]
        points = [
            (across.at(size), up.at(max(row.per_byte, 1e-3)), row) for size, row in sorted(by_size.items())
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        dashes = ' stroke-dasharray="5 3"' if any(row.reference for _, _, row in points) else ""
        yield f'<polyline class="line" stroke="{colour}"{dashes} points="{path}"/>\n'
        for x, y, row in points:
            said = escape(f"{variant}, {row.size} bytes: {row.per_byte:.2f}")
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{said}</title></circle>\n'


def _legend(variants: Iterable[str], colours: Mapping[str, str]) -> Iterator[str]:
    x = float(_LEFT)
    for name in variants:
        yield f'<circle cx="{x + 4:.0f}" cy="29" r="4" fill="{colours[name]}"/>\n'
        yield f'<text x="{x + 12:.0f}" y="33">{escape(name)}</text>\n'
        x += 26 + 6.5 * len(name)


def _axes(sizes: Sequence[int], ticks: Sequence[float], across: _Scale, up: _Scale) -> Iterator[str]:
    for tick in ticks:
        y = up.at(tick)
        yield f'<path class="grid" d="M{across.start} {y:.1f}H{across.end}"/>\n'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>\n'
    free = -math.inf  # so that names of sizes do not stand in one another
    for size in sizes:
        x = across.at(size)
        yield f'<path class="axis" d="M{x:.1f} {up.start}v4"/>\n'
        name = f"{size // 1024}K" if size % 1024 == 0 else str(size)
        half = 3.4 * len(name)
        if x - half > free:
            yield f'<text x="{x:.1f}" y="{up.start + 16:.0f}" text-anchor="middle">{name}</text>\n'
            free = x + half + 2
    middle = (across.start + across.end) / 2
    yield f'<path class="axis" d="M{across.start} {up.start}H{across.end}"/>\n'
    yield f'<text x="{middle:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">bytes of a message</text>\n'


def _ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten that hold both between them; powers alone over more than two."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1,) if last - first > 3 else (1, 2, 5)
    every = [factor * 10.0**power for power in range(first, last + 1) for factor in factors]
    begin = max(at for at, tick in enumerate(every) if tick <= low * (1 + 1e-9))
    end = min(at for at, tick in enumerate(every) if tick >= high * (1 - 1e-9))
    return every[begin : max(end, begin + 1) + 1]
