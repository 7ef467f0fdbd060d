"""The instructions of a program: which stand where.

Only what is executable when the program is loaded is looked at; code that it would write for itself is not.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cmaketool import disassembly

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cmaketool.toolchains.aarch64_image import Segment

__all__ = ["instructions", "places", "spans"]

_SIZE = 4


def instructions(segments: Iterable[Segment]) -> Iterator[tuple[int, str]]:
    """Yield the address and the normalised mnemonic of every instruction; an empty one for data."""
    for segment in segments:
        if segment.is_executable:
            skipped = -segment.address % _SIZE  # instructions are aligned, a segment need not be
            names = disassembly.arm64_names(segment.data[skipped:])
            begin = segment.address + skipped
            yield from zip(range(begin, begin + _SIZE * len(names), _SIZE), names, strict=True)


def places(segments: Iterable[Segment], mnemonics: Collection[str]) -> dict[int, str]:
    """Return address -> normalised mnemonic, by address, of all that the catalogue's `mnemonics` mean."""
    wanted = {disassembly.canonical(mnemonic) for mnemonic in mnemonics} - {""}
    return dict(sorted(pair for pair in instructions(segments) if pair[1] in wanted))


def spans(addresses: Collection[int], limit: int) -> list[tuple[int, int]]:
    """Return at most `limit` ranges (first, last) that hold all of the sorted `addresses`, and little else.

    Neighbours always share one; where there are too many, so do those that are closest to each other.
    """
    listed = list(addresses)
    gaps = [(after - before, at) for at, (before, after) in enumerate(pairwise(listed))]
    kept = sorted(gaps, reverse=True)[: limit - 1]
    cuts = sorted(at + 1 for gap, at in kept if gap > _SIZE)
    edges = [0, *cuts, len(listed)]
    return [(listed[a], listed[b - 1]) for a, b in pairwise(edges) if a < b]
