"""What must be taken at run time, and the runs of a test that show it. Pure.

All of it follows from the manifest, from the kernels that a state builds and from the leg's own facts: never
from what the generated C says, which is on trial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names
from cmaketool.verify.capabilities import Capabilities
from cmaketool.verify.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cmaketool.catalogue import Catalogue
    from cmaketool.plan import Plan, PlannedFamily, PlannedKernel, PlannedPolicy, PlannedVariant
    from cmaketool.toolchains.model import Processor

__all__ = ["Absence", "Circumstances", "Ground", "Selection", "Trial"]

_NAMELESS = frozenset({"unicorn", "unicorn-windows"})  # their core says of itself nothing that counts


class Ground(NamedTuple):
    """What the programs of a leg run on: the slice, its CPUs (the first is the usual one), the emulator.

    `kind` is the emulator's; `any_hwcap`: it answers any capability word; `can_forbid`: a program in it ends
    where it executes an instruction that it must not.
    """

    architecture: str
    processors: tuple[Processor, ...]
    kind: str
    any_hwcap: bool
    can_forbid: bool


class Circumstances(NamedTuple):
    """How a program is run: on which CPU, with which text for the override, with which capability word."""

    processor: str | None = None  # the leg's first
    override: str | None = None  # not set
    hwcap: int | None = None  # the processor's
    forbid: tuple[str, ...] = ()  # mnemonics that must not be executed


@dataclass(frozen=True, slots=True)
class Trial:
    """One run and what it must come to. `name` says which (`with CMK_CPU_FEATURES=-aes`).

    `detected` and `features`, which are what an override leaves of them, are in the catalogue's order;
    `masked` are the features that the CPU has and that were taken away by either way; `chosen` maps each
    family with a dispatcher to its variant.
    """

    name: str
    circumstances: Circumstances
    detected: tuple[str, ...]
    features: tuple[str, ...]
    policies: tuple[str, ...]
    masked: frozenset[str]
    chosen: Mapping[str, str]


class Absence(NamedTuple):
    """Why a variant is chosen in no trial, and what that makes of it."""

    verdict: Verdict
    reason: str


class Selection:
    """What is chosen on one leg. `overridable`: the environment variable was not compiled out."""

    def __init__(self, plan: Plan, catalogue: Catalogue, ground: Ground, *, overridable: bool = True) -> None:
        self._plan, self._ground = plan, ground
        self._able = Capabilities(plan, catalogue, ground.architecture)
        self.overridable = overridable
        self._variable = names.override_variable(plan.prefix)
        self._unsure = [policy.name for policy in self._able.policies if self._is_unsure(policy)]

    def _is_unsure(self, policy: PlannedPolicy) -> bool:
        """Say whether the core decides, and no fact tells how: then every trial says it instead."""
        if self._able.isa != "arm64" or self._ground.kind in _NAMELESS:
            return False
        return bool(policy.midr or policy.unless or (policy.apple and self._ground.kind == "native"))

    @property
    def unknown(self) -> str:
        """Why nothing can be expected here; empty where something can."""
        silent = [one.name for one in self._ground.processors if one.features is None]
        if self._able.known and silent:
            return f"what features {', '.join(silent)} has is not known"
        if self._unsure and not self.overridable:
            macro = names.no_override_macro(self._plan.prefix)
            return f"whether {', '.join(self._unsure)} holds is not known, and cannot be said with {macro}"
        return ""

    def compiled(self, built: Iterable[str]) -> tuple[PlannedKernel, ...]:
        """Return the kernels among `built` that are compiled for the leg's slice, in the manifest's order."""
        chosen = frozenset(built)
        return tuple(
            kernel
            for kernel in self._plan.kernels
            if kernel.name in chosen and self._ground.architecture in kernel.architectures
        )

    # --- trials

    def trials(self, built: Iterable[str], *, full: bool) -> tuple[Trial, ...]:
        """Return the runs for a state that builds the kernels `built`: one on each CPU.

        `full`: also, on the first CPU, one without each feature and one without any, by the environment and
        by the capability word where that can be had, and one for each variant that none of these chooses.
        """
        kernels = self.compiled(built)
        trials = [self._trial(kernels, one) for one in self._ground.processors]
        if full:
            trials += self._masking(kernels, self._ground.processors[0])
            trials += self._constructed(kernels, trials)
        return tuple(trials)

    def _masking(self, kernels: Sequence[PlannedKernel], processor: Processor) -> Iterator[Trial]:
        served = {variant.kernel for family in self._plan.dispatched for variant in family.variants}
        wanted = {name for one in kernels if one.name in served for name in one.closure}
        masked = self._able.ordered(wanted & self._features(processor))
        if not masked:
            return
        if self.overridable:
            for item in (*(f"-{name}" for name in masked), "none"):
                yield self._trial(kernels, processor, (item,))
        asked = [name for name in masked if name not in self._able.unasked]
        if self._ground.any_hwcap and asked:
            for hidden in (*({name} for name in asked), self._able.known - self._able.unasked):
                yield self._trial(kernels, processor, hidden=frozenset(hidden))

    def _constructed(self, kernels: Sequence[PlannedKernel], trials: Iterable[Trial]) -> Iterator[Trial]:
        """Yield, for each variant that was chosen nowhere, a trial that chooses it, if there is one."""
        found = list(trials)
        for family in self._plan.dispatched if self.overridable else ():
            for variant in family.variants:
                if not _is_there(variant, kernels) or _is_chosen(family, variant, found):
                    continue
                asked = self._asking_for(variant)
                tried = (self._trial(kernels, one, asked) for one in self._ground.processors)
                hit = [trial for trial in tried if _is_chosen(family, variant, [trial])][:1]
                found += hit
                yield from hit

    def _asking_for(self, variant: PlannedVariant) -> tuple[str, ...]:
        """Return an override under which nothing stands but what the variant needs."""
        features = [name for name in variant.needs if name != variant.policy] or ["none"]
        signs = {policy.name: "+" if policy.name == variant.policy else "-" for policy in self._able.policies}
        return (*features, *(f"{sign}{name}" for name, sign in signs.items()))

    def _features(self, processor: Processor) -> frozenset[str]:
        """Return those of a CPU's features that have a bit in the word."""
        return (processor.features or frozenset()) & self._able.known | self._able.unasked

    def _trial(
        self,
        kernels: Sequence[PlannedKernel],
        processor: Processor,
        items: tuple[str, ...] = (),
        hidden: frozenset[str] = frozenset(),
    ) -> Trial:
        """Return the run on `processor` with an override's `items`, or with `hidden` features."""
        said = {item[1:] for item in items}
        items = (*items, *(f"-{policy}" for policy in self._unsure if policy not in said))
        detected = self._features(processor) - self._able.falling(hidden)
        features, policies = self._able.overridden(items, detected)
        all_of_it = (processor.features or frozenset()) | self._able.unasked
        masked = self._able.falling(self._features(processor) - features) & all_of_it
        circumstances = Circumstances(
            processor.name,
            ",".join(items) or None,
            self._able.hwcap(all_of_it - masked) if hidden else None,
            self._able.mnemonics(masked) if self._ground.can_forbid else (),
        )
        return Trial(
            self._named(circumstances, masked if hidden else ()),
            circumstances,
            self._able.ordered(detected),
            self._able.ordered(features),
            tuple(policy.name for policy in self._able.policies if policy.name in policies),
            masked,
            {one.name: _choice(one, kernels, features | policies).name for one in self._plan.dispatched},
        )

    def _named(self, circumstances: Circumstances, hidden: Iterable[str]) -> str:
        words = []
        if circumstances.override is not None:
            words.append(f"with {self._variable}={circumstances.override}")
        if hidden:
            words.append(f"without {' '.join(self._able.ordered(hidden))} in the capability word")
        if not words or len(self._ground.processors) > 1:
            words.append(f"on {circumstances.processor}")
        return " ".join(words)

    # --- what no trial shows

    def absence(self, family: str, variant: str, built: Iterable[str]) -> Absence:
        """Say why no trial of a full state chooses `variant` of `family`, which is there."""
        chosen = next(one for one in self._plan.dispatched if one.name == family)
        wanted = next(one for one in chosen.variants if one.name == variant)
        what, kernels = f"{family}: {variant}", self.compiled(built)
        if not _is_there(wanted, kernels):
            return Absence(Verdict.NOT_SHOWN, f"{what} is not in the slice that runs")
        needed = set(wanted.needs) - {wanted.policy}
        able = [one for one in self._ground.processors if needed <= self._features(one)]
        if not able:
            places = ", ".join(one.name for one in self._ground.processors)
            return Absence(
                Verdict.NOT_RUN, f"{what} needs {' '.join(sorted(needed))}, not to be had on {places}"
            )
        if not self.overridable:
            macro = names.no_override_macro(self._plan.prefix)
            return Absence(Verdict.NOT_RUN, f"{what} cannot be asked for, since {macro} is defined")
        features, policies = self._able.overridden(self._asking_for(wanted), self._features(able[0]))
        first = _choice(chosen, kernels, features | policies)
        options = {kernel.name: kernel.option for kernel in self._plan.kernels}
        if first.kernel and options[first.kernel] != options.get(wanted.kernel or ""):
            return Absence(Verdict.NOT_SHOWN, f"{what} gives way to {first.name} wherever it could be chosen")
        why = f"{first.name} comes first and needs no more"
        return Absence(Verdict.FAIL, f"{what} is never chosen, {why}: list it before that, or leave it out")


def _is_there(variant: PlannedVariant, kernels: Iterable[PlannedKernel]) -> bool:
    return variant.kernel is None or any(kernel.name == variant.kernel for kernel in kernels)


def _is_chosen(family: PlannedFamily, variant: PlannedVariant, trials: Iterable[Trial]) -> bool:
    return any(trial.chosen[family.name] == variant.name for trial in trials)


def _choice(family: PlannedFamily, kernels: Sequence[PlannedKernel], word: frozenset[str]) -> PlannedVariant:
    there = (one for one in family.variants if _is_there(one, kernels) and word.issuperset(one.needs))
    return next(there, family.variants[-1])
