"""Every generated name must be the name of one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import names, prototypes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cmaketool.manifest.context import Context, Key
    from cmaketool.manifest.model import Manifest

    Named = tuple[tuple[Key, ...], str, str]  # where it stands, what it is, its name

__all__ = ["check_names"]

_REMEDY = "choose another name"


def check_names(context: Context) -> None:
    """Check options, kernels, policies, definitions and C functions against all that is generated."""
    manifest = context.manifest
    prefix = manifest.prefix or manifest.name
    if not prefix:
        return
    owners = dict.fromkeys(names.reserved(prefix), "a name that every manifest gets")
    if context.decides:
        owners |= _owned_at_run_time(context, prefix)
    for keys, what, name in _generated(context, prefix):
        if name in owners:
            message = f"'{name}' would be both {owners[name]} and {what}"
            context.add(keys, "name-collision", message, _REMEDY)
        owners.setdefault(name, what)
    owners |= {
        names.slice_macro(prefix, name): f"the macro of slice {name}"
        for name in context.catalogue.architectures
    }
    values: dict[str, str] = {}
    for option, given in manifest.options.items():
        keys = "options", option, "definitions"
        _check_definitions(context, (*keys, "public"), given.definitions.public, owners, values)
        _check_definitions(context, (*keys, "private"), given.definitions.private, owners, values)
    if context.decides:
        for named in _functions(manifest):
            _check_free(context, named, owners)


def _owned_at_run_time(context: Context, prefix: str) -> dict[str, str]:
    owners = dict.fromkeys(names.cpu_reserved(prefix), "a name generated for run time")
    for isa in context.catalogue.isas:  # used or not: a new kernel must not take a policy its name
        for feature in context.catalogue.features(isa):
            owners[names.cpu_macro(prefix, feature)] = f"the bit of feature '{feature}'"
    for name, family in context.manifest.families.items():
        if family.dispatched:
            owners[names.select_function(prefix, name)] = f"what selects for family '{name}'"
    return owners


def _check_definitions(
    context: Context,
    keys: tuple[Key, ...],
    definitions: tuple[str, ...],
    owners: dict[str, str],
    values: dict[str, str],
) -> None:
    """A definition is no generated name, and has one value: else a target and its users differ."""
    for index, definition in enumerate(definitions):
        name, equals, text = definition.partition("=")
        value = text if equals else "1"
        if not _check_free(context, ((*keys, index), "a definition", name), owners):
            continue
        if values.setdefault(name, value) != value:
            message = f"'{name}' is defined as '{values[name]}' already"
            context.add((*keys, index), "duplicate-definition", message, "one name has one value")


def _check_free(context: Context, named: Named, owners: dict[str, str]) -> bool:
    """Say whether nothing generated has, or in a later version may have, the name of a user's thing."""
    keys, what, name = named
    if name in owners:
        message = f"'{name}' would be both {owners[name]} and {what}"
        context.add(keys, "name-collision", message, _REMEDY)
        return False
    prefix = context.manifest.prefix or context.manifest.name
    begin = names.cpu_beginning(prefix)
    reserved = context.decides and name.lower().startswith(begin.lower())
    if reserved and not name.startswith(names.cpu_switches(prefix)):
        message = f"'{name}' begins as what is generated for run time does, and is {what}"
        context.add(keys, "name-collision", message, _REMEDY)
        return False
    return True


def _generated(context: Context, prefix: str) -> Iterator[Named]:
    manifest = context.manifest
    for option in manifest.options:
        yield ("options", option), f"the variable of option '{option}'", names.variable(prefix, option)
    for kernel in manifest.kernels:
        keys: tuple[Key, ...] = ("kernels", kernel)
        yield keys, f"the definition of kernel '{kernel}'", names.definition(prefix, kernel)
        yield keys, f"the build macro of kernel '{kernel}'", names.build_macro(prefix, kernel)
        yield keys, f"the target macro of kernel '{kernel}'", names.target_macro(prefix, kernel)
        if context.decides:
            yield keys, f"the mask of kernel '{kernel}'", names.needs_macro(prefix, kernel)
    for policy in manifest.cpu.policies if manifest.cpu else ():
        if names.is_policy_name(policy):  # else it is reported where policies are
            keys = "cpu", "policies", policy
            yield keys, f"the bit of policy '{policy}'", names.cpu_macro(prefix, policy)


def _functions(manifest: Manifest) -> Iterator[Named]:
    """Give every C function that the manifest names or that follows from it."""
    for name, kernel in manifest.kernels.items():
        for index, symbol in enumerate(kernel.symbols):
            yield ("kernels", name, "symbols", index), "a symbol", symbol
    for name, family in manifest.families.items():
        functions = [prototypes.name_of(function) for function in family.functions]
        for index, function in enumerate(functions):
            yield ("families", name, "functions", index), "a function", function
        for index, variant in enumerate(family.variants):
            for function in functions if variant.sources else ():
                keys = "families", name, "variants", index, "name"
                yield keys, f"a function of variant '{variant.name}'", names.symbol(function, variant.name)
