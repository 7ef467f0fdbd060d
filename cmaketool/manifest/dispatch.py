"""What a family with prototypes may get wrong, for which dispatchers are generated."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names, prototypes
from cmaketool.diagnostics import near_miss
from cmaketool.prototypes import PrototypeError

if TYPE_CHECKING:
    from cmaketool.manifest.context import Context, Key
    from cmaketool.manifest.model import Family, Kernel, Variant
    from cmaketool.prototypes import Prototype

__all__ = ["check_dispatch"]

_STANDARD = {  # of C11; found in no folder of the project
    f"{name}.h"
    for name in (
        "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale",
        "math", "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio",
        "stdlib", "stdnoreturn", "string", "tgmath", "threads", "time", "uchar", "wchar", "wctype",
    )
}  # fmt: skip


def check_dispatch(context: Context, name: str, family: Family) -> None:
    """Check all that dispatchers depend on; in a family without, that nothing is said to them."""
    _check_policies(context, name, family)
    keys: tuple[Key, ...] = ("families", name)
    if not family.dispatched:
        said = [(*keys, "headers")] if family.headers else []
        said += [(*keys, "variants", at, "policy") for at, one in enumerate(family.variants) if one.policy]
        for place in said:
            message = f"'{place[-1]}' has no effect: family '{name}' has no dispatchers"
            context.add(place, "no-dispatcher", message, "give its functions as prototypes")
        return
    for index, function in enumerate(family.functions):
        _check_function(context, name, (*keys, "functions", index), function, family)
    if not family.headers:
        message = f"family '{name}' has prototypes and no 'headers'"
        remedy = "list the headers that declare its functions, their types and their variants"
        context.add((*keys, "functions"), "missing-headers", message, remedy)
    _check_headers(context, (*keys, "headers"), family.headers)
    _check_order(context, name, family)


def _check_function(
    context: Context, name: str, keys: tuple[Key, ...], function: str, family: Family
) -> None:
    """A dispatcher's prototype must be readable, and no other function may have its name."""
    if function and not prototypes.is_prototype(function):
        message = f"function '{function}' of family '{name}' has no prototype, and others have"
        context.add(keys, "mixed-functions", message, "all get dispatchers, or none")
    elif function:
        try:
            found = prototypes.parse(function)
        except PrototypeError as error:
            context.add(keys, "bad-prototype", f"'{function}': {error}", error.remedy)
        else:
            _check_parameters(context, name, keys, found, family)
            # One owner for all: two of one name are reported as functions of two families.
            context.claim(context.symbols, keys, found.name, "a dispatcher")


def _check_parameters(
    context: Context, name: str, keys: tuple[Key, ...], function: Prototype, family: Family
) -> None:
    """No parameter may hide what a dispatcher calls or asks."""
    prefix = context.manifest.prefix or context.manifest.name
    used = {names.symbol(function.name, variant.name) for variant in family.variants}
    used |= {function.name, names.select_function(prefix, name)}
    for argument in function.arguments:
        if argument in used or argument.lower().startswith(names.cpu_beginning(prefix).lower()):
            message = f"parameter '{argument}' of '{function.name}' hides what its dispatcher uses"
            context.add(keys, "bad-prototype", message, "choose another name")


# Headers


def _check_headers(context: Context, keys: tuple[Key, ...], headers: tuple[str, ...]) -> None:
    """Check that each can be found, unless the target, of which we know nothing, has all the folders."""
    context.no_repetition(keys, headers)
    listed = (*context.manifest.include.public, *context.manifest.include.private)
    folders = [str(context.folder), *(f"{context.root}/{one}" for one in (".", *listed) if one)]
    for index, header in enumerate(headers):
        if not header or header in _STANDARD or header in context.headers:
            continue
        if not context.path_is_fine((*keys, index), header) or not context.root_is_fine or not listed:
            continue
        if any(os.path.isfile(f"{folder}/{header}") for folder in folders):  # noqa: PTH113
            context.headers.add(header)
            continue
        message = f"there is no header '{header}' in an include folder or the root"
        hint = _similar(header, folders) or "list its folder under 'include'"
        context.add((*keys, index), "missing-file", message, hint)


def _similar(header: str, folders: list[str]) -> str | None:
    folder, _ = os.path.split(header)
    known: list[str] = []
    for one in folders:
        with contextlib.suppress(OSError):
            known += (os.path.join(folder, name) for name in os.listdir(f"{one}/{folder}"))  # noqa: PTH118, PTH208
    return near_miss(header, sorted(known))


# The order of variants


def _check_policies(context: Context, name: str, family: Family) -> None:
    """A variant's policy must be there, and for the instruction set of its kernel."""
    policies = context.manifest.cpu.policies if context.manifest.cpu else {}
    for index, variant in enumerate(family.variants):
        keys: tuple[Key, ...] = ("families", name, "variants", index, "policy")
        if not variant.policy or not context.knows(keys, "policy", variant.policy, policies):
            continue
        kernel = context.manifest.kernels.get(variant.kernel or "")
        architecture = policies[variant.policy].architecture
        if kernel and architecture != kernel.architecture:
            message = f"policy '{variant.policy}' is for {architecture}, kernel '{variant.kernel}' is not"
            context.add(keys, "policy-architecture", message)


def _check_order(context: Context, name: str, family: Family) -> None:
    """There must be something to call on every CPU, and a CPU for every variant."""
    if not _ends_well(context, name, family):
        return
    earlier: list[_Reach] = []
    for index, variant in enumerate(family.variants):
        reach = _reach(context, variant)
        if reach is None:
            continue
        first = next((one for one in earlier if one.hides(reach)), None)
        if first:
            message = f"variant '{variant.name}' is never chosen: '{first.name}' before it needs no more"
            remedy = f"put '{first.name}' behind it, or take one of them out"
            context.add(("families", name, "variants", index), "unreachable-variant", message, remedy)
        earlier.append(reach)


def _ends_well(context: Context, name: str, family: Family) -> bool:
    """Report a family whose last variant needs something; say whether the order of the others matters yet."""
    if not family.variants:
        return False
    last = family.variants[-1]
    if _serves_anywhere(last) or bool(last.kernel) == bool(last.sources):  # the latter is reported
        return True
    needs = f"kernel '{last.kernel}'" if last.kernel else f"policy '{last.policy}'"
    message = f"family '{name}' may have nothing to call: its last variant, '{last.name}', needs {needs}"
    portable = next((one.name for one in family.variants if _serves_anywhere(one)), None)
    remedy = f"put '{portable}' last" if portable else "end with a variant of 'sources' and without a policy"
    context.add(("families", name, "variants", len(family.variants) - 1), "last-variant", message, remedy)
    return portable is None


def _serves_anywhere(variant: Variant) -> bool:
    return bool(variant.sources) and not variant.kernel and not variant.policy


class _Reach(NamedTuple):
    """Where a variant can be chosen: on which CPUs, and with which kernel built."""

    name: str
    kernel: Kernel | None
    architecture: str | None
    needs: frozenset[str]  # features and policies, with all that they imply

    def hides(self, later: _Reach) -> bool:
        """Say whether `later` is chosen nowhere because this one is wherever it could be.

        It does not hide a kernel that may be built where its own is not: of another option, or with less
        asked of the compiler.
        """
        if self.architecture not in (None, later.architecture) or not self.needs <= later.needs:
            return False
        if self.kernel is None:
            return True
        return (
            later.kernel is not None
            and self.kernel.option == later.kernel.option
            and self.kernel.minimum.items() <= later.kernel.minimum.items()
            and self.kernel.probe in (None, later.kernel.probe)
        )


def _reach(context: Context, variant: Variant) -> _Reach | None:
    """Return where a variant can be chosen; None if something in it is not known."""
    manifest, isas = context.manifest, context.catalogue.isas
    kernel = manifest.kernels.get(variant.kernel or "")
    policy = manifest.cpu.policies.get(variant.policy or "") if manifest.cpu else None
    if (variant.kernel and not kernel) or (variant.policy and not policy):
        return None
    users = [one for one in (kernel, policy) if one]
    if not users:
        return _Reach(variant.name, None, None, frozenset())
    architecture, *others = {one.architecture for one in users}
    features = {feature for one in users for feature in one.features}
    if others or architecture not in isas or not features.issubset(isas[architecture].features):
        return None
    needs = {*context.catalogue.closure(architecture, features), *filter(None, [variant.policy])}
    return _Reach(variant.name, kernel, architecture, frozenset(needs))
