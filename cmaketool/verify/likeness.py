"""States compared.

The same set of kernels must give the same sources, flags and definitions, whether a tree was configured so
from the start or came to it by changing an option; and other sources keep their flags in all states.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.verify.sliceflags import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cmaketool.toolchains.model import Rung
    from cmaketool.verify.fileapi import Source
    from cmaketool.verify.states import State
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["Difference", "Likeness", "differences", "take"]

_Text = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a state compiles: source -> flags, and source -> definitions and include folders."""

    state: str
    built: frozenset[str]
    flags: Mapping[Path, _Text]
    rest: Mapping[Path, _Text]


@dataclass(frozen=True, slots=True)
class Difference:
    """A fault of one state, seen against another."""

    state: str
    kernel: str | None
    rung: Rung
    reason: str


def take(state: State, snapshot: Snapshot) -> Likeness:
    """Return what can be compared of a state. Paths in the build tree are made independent of it."""
    folder = snapshot.folder.as_posix()

    def neutral(texts: Sequence[str]) -> _Text:
        return tuple(text.replace(folder, "<build>") for text in texts)

    def place(path: Path) -> Path:  # a unity file's, say, is in the build tree
        inside = path.is_relative_to(snapshot.folder)
        return Path("<build>") / path.relative_to(snapshot.folder) if inside else path

    compiled = [source for source in snapshot.target.sources if source.compiled]
    return Likeness(
        state.name,
        state.expected.built,
        {place(source.path): neutral(tokens(source)) for source in compiled},
        {place(source.path): neutral(_rest(source)) for source in compiled},
    )


def _rest(source: Source) -> list[str]:
    return [*sorted(source.defines), *(str(include) for include in source.includes)]


def differences(likenesses: Sequence[Likeness], units: Sequence[Unit]) -> Iterator[Difference]:
    """Yield what differs and must not."""
    owner = {path: unit.name for unit in units if unit.kernel is not None for path in unit.sources}
    references: dict[frozenset[str], Likeness] = {}
    for one in sorted(likenesses, key=lambda likeness: not likeness.state.startswith("fresh")):
        reference = references.setdefault(one.built, one)
        yield from _unlike(one, reference, owner)
    for one in likenesses[1:]:
        for path in sorted(one.flags.keys() & likenesses[0].flags.keys() - owner.keys()):
            if one.flags[path] != likenesses[0].flags[path]:
                changed = sorted(set(one.flags[path]) ^ set(likenesses[0].flags[path]))
                first = likenesses[0].state
                reason = f"{path.name} is compiled with other flags than in {first}: {' '.join(changed)}"
                concerned: list[str | None] = [*sorted(one.built ^ likenesses[0].built)]
                for kernel in concerned or [None]:
                    yield Difference(one.state, kernel, "flags", reason)


def _unlike(one: Likeness, reference: Likeness, owner: Mapping[Path, str]) -> Iterator[Difference]:
    for path in sorted(one.flags.keys() ^ reference.flags.keys()):
        here, there = (one, reference) if path in one.flags else (reference, one)
        reason = f"{path.name} is compiled in {here.state} and not in {there.state}, which should be the same"
        yield Difference(one.state, owner.get(path), "sources", reason)
    for path in sorted(one.flags.keys() & reference.flags.keys()):
        if one.flags[path] != reference.flags[path] or one.rest[path] != reference.rest[path]:
            mine, its = {*one.flags[path], *one.rest[path]}, {*reference.flags[path], *reference.rest[path]}
            changed = " ".join(sorted(mine ^ its)) or "their order"
            reason = (
                f"{path.name} is not compiled as in {reference.state}, which should be the same: {changed}"
            )
            yield Difference(one.state, owner.get(path), "flags", reason)
