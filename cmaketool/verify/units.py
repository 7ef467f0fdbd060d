"""What is proven one by one: kernels, and the variants that are no kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.verify.fileapi import settled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cmaketool.plan import Plan, PlannedFamily, PlannedKernel, PlannedOption, PlannedVariant

__all__ = ["Unit", "units"]

_GENERATED = ("cpu.c", "dispatch.c", "report.c")


@dataclass(frozen=True, slots=True)
class Unit:
    """A kernel, or a portable variant (`kernel` is None).

    `sources` are as `fileapi.settled` gives them. `tried_as` maps the variant name that a test is asked for
    to the symbols whose use shows that a test does try it. `chosen_as` are the families with dispatchers,
    each with the variant that the unit is there; `runtime_names` what the run-time report knows of it: itself
    as a kernel, its features and policies; `generated` are the files of generated C that choose it.
    """

    name: str
    sources: tuple[Path, ...]
    symbols: tuple[str, ...]
    tried_as: dict[str, frozenset[str]]
    families: frozenset[str]
    chosen_as: tuple[tuple[str, str], ...]
    runtime_names: frozenset[str]
    generated: tuple[str, ...] = ()
    kernel: PlannedKernel | None = None
    option: PlannedOption | None = None


def units(plan: Plan) -> tuple[Unit, ...]:
    """Return the kernels of `plan`, then its portable variants."""
    options = {option.name: option for option in plan.options}
    kernels = [_kernel(plan, kernel, options[kernel.option]) for kernel in plan.kernels]
    portable = [
        _unit(plan, f"{family.name}/{variant.name}", variant.sources, variant.symbols, [(family, variant)])
        for family in plan.families
        for variant in family.variants
        if variant.kernel is None
    ]
    return (*kernels, *portable)


def _kernel(plan: Plan, kernel: PlannedKernel, option: PlannedOption) -> Unit:
    uses = [
        (family, variant)
        for family in plan.families
        for variant in family.variants
        if variant.kernel == kernel.name
    ]
    unit = _unit(plan, kernel.name, kernel.sources, kernel.symbols, uses)
    return replace(
        unit,
        tried_as=unit.tried_as or {kernel.name: frozenset(kernel.symbols)},
        runtime_names=unit.runtime_names | {kernel.name, *kernel.closure},
        kernel=kernel,
        option=option,
    )


def _unit(
    plan: Plan,
    name: str,
    sources: tuple[str, ...],
    symbols: tuple[str, ...],
    uses: Sequence[tuple[PlannedFamily, PlannedVariant]],
) -> Unit:
    tried: dict[str, frozenset[str]] = {}
    for _, variant in uses:
        tried[variant.name] = tried.get(variant.name, frozenset()).union(variant.symbols)
    chosen_as = tuple((family.name, variant.name) for family, variant in uses if family.prototypes)
    return Unit(
        name,
        tuple(settled(plan.root / source) for source in sources),
        symbols,
        tried,
        frozenset(family.name for family, _ in uses),
        chosen_as,
        frozenset(needed for _, variant in uses for needed in variant.needs),
        tuple(names.generated_file(plan.name, part) for part in _GENERATED) if chosen_as else (),
    )
