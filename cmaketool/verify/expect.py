"""What a leg should show: from the manifest's `requires` and the leg's own facts, nothing else.

Never from anything the fragment says or does: it is the fragment that is on trial.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cmaketool.versions import is_older

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cmaketool.plan import Plan, PlannedKernel, PlannedOption
    from cmaketool.toolchains.model import Facts

__all__ = ["Expectation", "Obstacle", "Surroundings", "expect", "true_variables"]

_FALSE = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides beside the manifest: the leg's facts, and CMake variables that are true."""

    facts: Facts
    true: frozenset[str] = frozenset()


def true_variables(defines: Iterable[str]) -> frozenset[str]:
    """Return the variables that CMake holds for true among VAR[:TYPE]=VALUE."""
    pairs = (define.partition("=") for define in defines)
    return frozenset(name.partition(":")[0] for name, _, value in pairs if value.upper() not in _FALSE)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a kernel cannot be had. A message that gives the reason holds one of `words`."""

    kernel: str
    reason: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one state should come to.

    `built` are kernels. `refused` is empty where the configure must succeed; else it says, for each option
    that must make it abort, what stands against each of its kernels.
    """

    built: frozenset[str]
    refused: Mapping[str, tuple[Obstacle, ...]]

    @property
    def text(self) -> str:
        """Say it in one line."""
        if self.refused:
            return "refused: " + ", ".join(self.refused)
        return "builds " + (", ".join(sorted(self.built)) or "no kernel")


def _obstacle(
    option: PlannedOption, kernel: PlannedKernel, architecture: str, around: Surroundings
) -> Obstacle | None:
    """Return what stands against `kernel` in the slice `architecture`, if anything does."""
    facts = around.facts
    reasons: list[str] = []
    words: list[str] = []
    if facts.family not in option.compilers:
        reasons.append(f"the compiler is {facts.family}; allowed: {', '.join(option.compilers)}")
        words += [facts.family, *option.compilers]
    if architecture not in kernel.architectures:
        reasons.append(f"the target is {architecture}; allowed: {', '.join(kernel.architectures) or 'none'}")
        words += [architecture, *kernel.architectures]
    minimum = kernel.minimum.get(facts.family)
    if minimum is not None and facts.version is not None and is_older(facts.version, minimum):
        reasons.append(f"{facts.family} {facts.version} is older than {minimum}")
        words.append(minimum)
    for variable in option.conflicts:
        if variable in around.true:
            reasons.append(f"it excludes {variable}")
            words.append(variable)
    return Obstacle(kernel.name, "; ".join(reasons), tuple(dict.fromkeys(words))) if reasons else None


def _kernels(plan: Plan, option: PlannedOption) -> tuple[PlannedKernel, ...]:
    return tuple(kernel for kernel in plan.kernels if kernel.option == option.name)


def _available(plan: Plan, option: PlannedOption, around: Surroundings) -> frozenset[str]:
    """Return the option's kernels that can be had for one slice at least."""
    return frozenset(
        kernel.name
        for kernel in _kernels(plan, option)
        for architecture in around.facts.architectures
        if _obstacle(option, kernel, architecture, around) is None
    )


def _obstacles(plan: Plan, option: PlannedOption, around: Surroundings) -> tuple[Obstacle, ...]:
    """Return why the option cannot be ON.

    It can, and nothing is returned, when there is a slice that it has kernels for, and every kernel of it can
    be had for each such slice.
    """
    kernels = _kernels(plan, option)
    found: dict[str, Obstacle] = {}
    slices = [name for name in around.facts.architectures if name in option.architectures]
    for architecture in slices or around.facts.architectures:
        for kernel in kernels:
            if slices and architecture not in kernel.architectures:
                continue  # another kernel of the option serves this slice
            obstacle = _obstacle(option, kernel, architecture, around)
            if obstacle is not None:
                found.setdefault(kernel.name, obstacle)
    return tuple(found.values())


def expect(plan: Plan, around: Surroundings, values: Mapping[str, str]) -> Expectation:
    """Return what configuring with `values` (option variable -> OFF, ON or AUTO) should come to."""
    on = {variable for variable, value in values.items() if value != "OFF"}
    around = replace(around, true=around.true | on)  # an option may exclude another of the manifest
    built: set[str] = set()
    refused: dict[str, tuple[Obstacle, ...]] = {}
    for option in plan.options:
        value = values[option.variable]
        if value == "OFF":
            continue
        against = _obstacles(plan, option, around)
        if value == "ON" and against:
            refused[option.variable] = against
        built |= _available(plan, option, around)
    return Expectation(frozenset() if refused else frozenset(built), refused)
