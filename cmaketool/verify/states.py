"""The states a leg goes through: which option values, in which build tree, in which order.

Tree "toggled" starts with everything off and is configured again and again, as people do; tree "fresh" has
everything on from the start. What both come to must be the same: that finds answers kept from before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cmaketool.verify.expect import Expectation, expect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cmaketool.plan import Plan
    from cmaketool.verify.expect import Surroundings

__all__ = ["Chain", "State", "chains"]


@dataclass(frozen=True, slots=True)
class State:
    """Option variable -> value, under a name for people, and what it should come to.

    `full`: everything is on that is, or that the leg can have.
    """

    name: str
    values: Mapping[str, str]
    expected: Expectation
    full: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """The states of one build tree, in order."""

    tree: str
    states: tuple[State, ...]


def chains(plan: Plan, around: Surroundings) -> tuple[Chain, ...]:
    """Return the build trees of a leg, the longest first."""
    variables = [option.variable for option in plan.options]

    def state(name: str, **changed: str) -> State:
        values = {variable: changed.get(variable, changed.get("every", "OFF")) for variable in variables}
        return State(name, values, expect(plan, around, values))

    single = len(variables) == 1
    # AUTO before each option alone: what the compiler said of all serves for each.
    auto = state("AUTO", every="AUTO")
    toggled = [state("fresh OFF"), auto]
    toggled += [
        state("toggled ON" if single else f"toggled ON {option.name}", **{option.variable: "ON"})
        for option in plan.options
    ]
    toggled.append(state("toggled OFF"))
    fresh = [replace(state("fresh ON", every="ON"), full=True)]
    refused = fresh[0].expected.refused
    trees = [Chain("toggled", tuple(toggled)), Chain("fresh", tuple(fresh))]
    # Of an option that is refused for some of its kernels, AUTO builds the others.
    partly = {kernel.option for kernel in plan.kernels if kernel.name in auto.expected.built}
    possible = {
        option.variable: "AUTO" if option.variable in refused else "ON"
        for option in plan.options
        if option.variable not in refused or option.name in partly
    }
    if refused and possible:
        can = replace(state("fresh ON, what can be had", **possible), full=True)
        trees.append(Chain("possible", (can,)))
    return tuple(trees)
