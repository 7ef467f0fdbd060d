"""The capability word by manifest and catalogue: what implies what, and what an override leaves.

Pure, and written from the documented meaning: the generated C is on trial.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import Plan, PlannedPolicy

__all__ = ["Capabilities"]

_ASIMD = 0b11  # AT_HWCAP on Linux: floating point and Advanced SIMD, which every 64-bit Arm CPU has there


class Capabilities:
    """The features and policies of one slice; it has none where `architecture` is not in the catalogue."""

    def __init__(self, plan: Plan, catalogue: Catalogue, architecture: str) -> None:
        known = catalogue.architectures.get(architecture)
        self._catalogue = catalogue
        isa = self.isa = known.isa if known is not None else ""
        every = catalogue.isas[isa].features if isa else {}
        self._closures = {name: frozenset(catalogue.closure(isa, [name])) for name in every}
        self._every = every
        self.known = frozenset(plan.cpu.names(isa)) if plan.cpu else frozenset()
        self.unasked = frozenset(name for name in self.known if every[name].detection.always)
        policies = plan.cpu.policies if plan.cpu else ()
        self.policies: tuple[PlannedPolicy, ...] = tuple(one for one in policies if one.isa == isa)

    def ordered(self, features: Iterable[str]) -> tuple[str, ...]:
        """Return `features` in the catalogue's order."""
        chosen = frozenset(features)
        return tuple(name for name in self._closures if name in chosen)

    def falling(self, features: Iterable[str]) -> frozenset[str]:
        """Return `features` and all that imply one of them."""
        gone = frozenset(features)
        return frozenset(name for name, closure in self._closures.items() if closure & gone)

    def overridden(
        self, items: Iterable[str], detected: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return the features and policies that stand under an override's `items` on a CPU with `detected`.

        Policies that depend on the core are taken not to hold without being asked for.
        """
        given = frozenset(items)
        plain = [item for item in given if item[0] not in "+-"]
        features = detected - self.falling(item[1:] for item in given if item[1:] in self._closures)
        if plain:
            features &= frozenset[str]().union(*(self._closures.get(name, frozenset()) for name in plain))
        standing = (
            policy.name
            for policy in self.policies
            if (policy.always or f"+{policy.name}" in given) and f"-{policy.name}" not in given
            if features.issuperset(policy.features)
        )
        return features, frozenset(standing)

    def hwcap(self, features: Iterable[str]) -> int:
        """Return the AT_HWCAP of a CPU with `features`."""
        bits = {self._every[name].detection.hwcap for name in features} - {None}
        return _ASIMD | sum(1 << bit for bit in bits if bit is not None)

    def mnemonics(self, features: Iterable[str]) -> tuple[str, ...]:
        """Return the instructions that `features` have and no other feature of the catalogue has."""
        return self._catalogue.own_mnemonics(self.isa, features) if self.isa else ()
