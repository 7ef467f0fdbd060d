"""What the `cpu` section of a manifest may get wrong: policies, and how many bits they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names
from cmaketool.catalogue import APPLE_IMPLEMENTER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cmaketool.manifest.context import Context, Key
    from cmaketool.manifest.model import Midr, Policy

__all__ = ["check_policies"]

_BITS = 31  # of 32; the first says that the word is filled
_IMPLEMENTER, _PART = 0xFF, 0xFFF  # the largest: MIDR_EL1 has eight bits for one, twelve for the other


class _Core(NamedTuple):
    """An implementer with one part, or with all (None), and where the manifest has it."""

    keys: tuple[Key, ...]
    implementer: int
    part: int | None

    @property
    def text(self) -> str:
        named = f"implementer {self.implementer:#04x}"
        return named if self.part is None else f"part {self.part:#05x} of {named}"

    def among(self, cores: set[tuple[int, int | None]]) -> bool:
        return (self.implementer, self.part) in cores or (self.implementer, None) in cores


def check_policies(context: Context, policies: Mapping[str, Policy]) -> None:
    """Check each policy, and that the capability word has bits for all."""
    for name, policy in policies.items():
        keys: tuple[Key, ...] = ("cpu", "policies", name)
        if name and not names.is_policy_name(name):
            message = f"a policy cannot be named '{name}', which has a meaning of its own"
            context.add(keys, "reserved-name", message, "choose another name")
        if "*/" in policy.help or "/*" in policy.help:
            message = f"the help of policy '{name}' becomes a comment in C, and cannot hold '/*' or '*/'"
            context.add((*keys, "help"), "comment", message)
        if policy.architecture in context.catalogue.isas:
            context.check_features((*keys, "features"), policy.architecture, policy.features)
        _check_when(context, name, policy)
    for isa in context.catalogue.isas:
        _check_bits(context, isa, {name: one for name, one in policies.items() if one.architecture == isa})


def _check_bits(context: Context, isa: str, policies: dict[str, Policy]) -> None:
    catalogue = context.catalogue
    if not policies:
        return
    used = {feature for policy in policies.values() for feature in policy.features}
    for kernel in context.manifest.kernels.values():
        if kernel.architecture == isa:
            used.update(kernel.features)
    features = catalogue.closure(isa, used.intersection(catalogue.features(isa)))
    left = max(_BITS - len(features), 0)
    for name in [*policies][left : left + 1]:  # the first that gets none
        message = f"the {len(features)} features used and {len(policies)} policies of {isa} are too many"
        context.add(
            ("cpu", "policies", name), "too-many-bits", message, f"there are bits for {_BITS} of both"
        )


def _check_when(context: Context, name: str, policy: Policy) -> None:
    keys: tuple[Key, ...] = ("cpu", "policies", name)
    when = policy.when
    cores = list(_cores(context, (*keys, "when", "midr"), when.midr))
    denied = list(_cores(context, (*keys, "unless"), policy.unless))
    asked: list[tuple[Key, ...]] = []
    if when.apple is True:
        asked.append((*keys, "when", "apple"))
    if when.midr:
        asked.append((*keys, "when", "midr"))
    arm = [*asked, (*keys, "unless")] if policy.unless else asked
    if policy.architecture == "x86_64":
        for one in arm:
            message = f"'{one[-1]}' is about Arm cores, and policy '{name}' is for {policy.architecture}"
            context.add(one, "policy-condition", message)
        return
    if when.always is True:
        for one in asked:
            message = f"'{one[-1]}' adds nothing to 'always'"
            context.add(one, "policy-condition", message, "leave one of them out")
    elif policy.unless and not asked:
        message = f"nothing but the override turns policy '{name}' on, and that does not heed 'unless'"
        context.add((*keys, "unless"), "policy-condition", message, "say under 'when' where it holds")
    _check_cores(context, policy, cores, denied)


def _check_cores(context: Context, policy: Policy, cores: list[_Core], denied: list[_Core]) -> None:
    """No core may be listed twice, or listed to no effect."""
    _check_repeated(context, cores)
    _check_repeated(context, denied)
    never = {(core.implementer, core.part) for core in denied}
    if policy.when.apple is True and (APPLE_IMPLEMENTER, None) in never:
        core = next(core for core in denied if core.implementer == APPLE_IMPLEMENTER)
        context.add(core.keys, "policy-condition", "'unless' denies every core that 'apple' allows")
    for core in cores:
        if core.among(never):
            context.add(core.keys, "policy-condition", f"'unless' denies {core.text}")
        elif core.implementer == APPLE_IMPLEMENTER and policy.when.apple is True:
            context.add(core.keys, "policy-condition", f"'apple' allows {core.text} already")


def _check_repeated(context: Context, cores: list[_Core]) -> None:
    every: set[tuple[int, int | None]] = {(core.implementer, None) for core in cores if core.part is None}
    seen: set[tuple[int, int | None]] = set()
    for core in cores:
        pair = core.implementer, core.part
        if pair in seen or (core.part is not None and core.among(every)):
            context.add(core.keys, "duplicate", f"{core.text} is listed already")
        seen.add(pair)


def _cores(context: Context, keys: tuple[Key, ...], midrs: tuple[Midr, ...]) -> Iterator[_Core]:
    """Give the cores of a list, and report numbers that no register holds."""
    for index, midr in enumerate(midrs):
        place = (*keys, index, "implementer")
        implementer = _number(context, place, midr.implementer, _IMPLEMENTER)
        if implementer is not None and not midr.parts:
            yield _Core(place, implementer, None)
        for at, text in enumerate(midr.parts):
            part = _number(context, (*keys, index, "parts", at), text, _PART)
            if implementer is not None and part is not None:
                yield _Core((*keys, index, "parts", at), implementer, part)


def _number(context: Context, keys: tuple[Key, ...], text: str, largest: int) -> int | None:
    """Return the number; None after reporting what is none, in hexadecimal, of so many bits."""
    if text.isdecimal():
        message = f"'{text}' is decimal, and ID registers are given in hexadecimal"
        context.add(keys, "midr", message, f"write 0x{text}, if that is meant")
        return None
    try:
        number = int(text, 16)
    except ValueError:
        return None  # reported by the reader
    if number > largest:
        context.add(keys, "midr", f"'{text}' is too large: the register has room for {largest:#x}")
        return None
    return number
