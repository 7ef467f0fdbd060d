"""Flags of a kernel's sources, and the slice that each is for.

In a universal build, which compiles for several architectures at once, a flag behind `-Xarch_SLICE` reaches
that slice alone.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cmaketool.plan import PlannedKernel
    from cmaketool.toolchains.model import Facts
    from cmaketool.verify.fileapi import Source

__all__ = ["Flag", "misplaced", "placed", "slices", "tokens", "wanted"]

_BEHIND = "-Xarch_"


class Flag(NamedTuple):
    """A flag and the slice that it is for; "" if it is for all that is compiled."""

    slice: str
    text: str

    def is_among(self, has: frozenset[Flag]) -> bool:
        """Say whether it reaches its slice."""
        return self in has or Flag("", self.text) in has

    def __str__(self) -> str:
        """As it stands on the command line."""
        return f"{_BEHIND}{self.slice} {self.text}" if self.slice else self.text


def tokens(source: Source) -> list[str]:
    """Return the words of the flags that a source is compiled with, one by one."""
    return [token for fragment in source.fragments for token in shlex.split(fragment)]


def placed(source: Source) -> frozenset[Flag]:
    """Return the flags that a source is compiled with."""
    return frozenset(_placed(tokens(source)))


def _placed(words: Sequence[str]) -> Iterator[Flag]:
    behind = ""
    for word in words:
        if word.startswith(_BEHIND) and not behind:
            behind = word.removeprefix(_BEHIND)
        else:
            yield Flag(behind, word)
            behind = ""


def slices(kernel: PlannedKernel, facts: Facts) -> tuple[str, ...]:
    """Return the slices of a leg that the kernel is for."""
    return tuple(name for name in facts.architectures if name in kernel.architectures)


def wanted(kernel: PlannedKernel, facts: Facts) -> tuple[Flag, ...]:
    """Return the flags of a kernel for the leg's compiler: none for features that a slice has anyway."""
    known = catalogue.load()
    every = kernel.flags.get(facts.family, ())
    featured = known.flags(kernel.isa, facts.family, kernel.features)
    universal = len(facts.architectures) > 1
    found = []
    for one in slices(kernel, facts) if universal else facts.architectures:
        mine = [name for name in facts.allowed(one) if name in known.features(kernel.isa)]
        needless = set(kernel.closure) <= set(known.closure(kernel.isa, mine))
        flags = (flag for flag in every if not needless or flag not in featured)
        found += [Flag(one if universal else "", flag) for flag in flags]
    return tuple(found)


def misplaced(has: frozenset[Flag], expected: Sequence[Flag], facts: Facts) -> list[Flag]:
    """Return those of a kernel's flags that reach a slice which they are not for, in a universal build."""
    if len(facts.architectures) < 2:
        return []
    texts = {flag.text for flag in expected}
    return sorted(flag for flag in has if flag.text in texts and flag not in expected)
