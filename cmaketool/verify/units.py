"""What is proven one by one: kernels, and the variants that are no kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool.verify.fileapi import settled

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan, PlannedKernel, PlannedOption
    from cmaketool.toolchains.model import Rung

__all__ = ["Unit", "units"]

_PORTABLE_RUNGS: tuple[Rung, ...] = ("sources", "compiled", "leak", "answers")


@dataclass(frozen=True, slots=True)
class Unit:
    """A kernel, or a portable variant (`kernel` is None).

    `sources` are as `fileapi.settled` gives them. `tried_as` maps the variant name that a test is asked for
    to the symbols whose use shows that a test does try it.
    """

    name: str
    sources: tuple[Path, ...]
    symbols: tuple[str, ...]
    tried_as: dict[str, frozenset[str]]
    families: frozenset[str]
    kernel: PlannedKernel | None = None
    option: PlannedOption | None = None

    def has(self, rung: Rung) -> bool:
        """Say whether the rung says anything about such a unit."""
        return self.kernel is not None or rung in _PORTABLE_RUNGS


def _settled(plan: Plan, sources: tuple[str, ...]) -> tuple[Path, ...]:
    return tuple(settled(plan.root / source) for source in sources)


def units(plan: Plan) -> tuple[Unit, ...]:
    """Return the kernels of `plan`, then its portable variants."""
    options = {option.name: option for option in plan.options}
    found = []
    for kernel in plan.kernels:
        tried: dict[str, set[str]] = {}
        families = set()
        for family in plan.families:
            for variant in family.variants:
                if variant.kernel == kernel.name:
                    tried.setdefault(variant.name, set()).update(variant.symbols)
                    families.add(family.name)
        if not tried:
            tried[kernel.name] = set(kernel.symbols)
        sources = _settled(plan, kernel.sources)
        names = {name: frozenset(symbols) for name, symbols in tried.items()}
        option = options[kernel.option]
        found.append(Unit(kernel.name, sources, kernel.symbols, names, frozenset(families), kernel, option))
    for family in plan.families:
        for variant in family.variants:
            if variant.kernel is None:
                sources = _settled(plan, variant.sources)
                tried_as = {variant.name: frozenset(variant.symbols)}
                name = f"{family.name}/{variant.name}"
                found.append(Unit(name, sources, variant.symbols, tried_as, frozenset({family.name})))
    return tuple(found)
