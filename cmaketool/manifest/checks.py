"""What a well-formed manifest may still get wrong: names, paths, features and what refers to what.

Every check adds to the same faults and goes on. A check passes over blanks, which reader.py has reported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.diagnostics import near_miss
from cmaketool.manifest.paths import problem
from cmaketool.manifest.references import check_families, check_teeth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cmaketool.manifest.context import Context, Key
    from cmaketool.manifest.model import Kernel, Manifest, Option

__all__ = ["check"]


def check(context: Context) -> None:
    """Report everything that is wrong with the manifest of `context`."""
    manifest = context.manifest
    _check_names(context)
    _check_root(context)
    _check_includes(context)
    for name, kernel in manifest.kernels.items():
        _check_kernel(context, name, kernel)
    _check_options(context)
    check_families(context)
    for name, test in manifest.tests.items():
        context.check_files(("tests", name, "sources"), test.sources)
    check_teeth(context)


# Names


def _check_names(context: Context) -> None:
    """Every generated name must be the name of one thing."""
    manifest = context.manifest
    prefix = manifest.prefix or manifest.name
    if not prefix:
        return
    owners = dict.fromkeys(names.reserved(prefix), "a name that every manifest gets")
    for keys, what, name in _generated(manifest, prefix):
        if name in owners:
            message = f"'{name}' would be both {owners[name]} and {what}"
            context.add(keys, "name-collision", message, "choose another name")
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
        if name in owners:
            message = f"'{name}' would be both {owners[name]} and a definition"
            context.add((*keys, index), "name-collision", message, "choose another name")
        elif values.setdefault(name, value) != value:
            message = f"'{name}' is defined as '{values[name]}' already"
            context.add((*keys, index), "duplicate-definition", message, "one name has one value")


def _generated(manifest: Manifest, prefix: str) -> Iterator[tuple[tuple[Key, ...], str, str]]:
    for option in manifest.options:
        yield ("options", option), f"the variable of option '{option}'", names.variable(prefix, option)
    for kernel in manifest.kernels:
        keys = "kernels", kernel
        yield keys, f"the definition of kernel '{kernel}'", names.definition(prefix, kernel)
        yield keys, f"the build macro of kernel '{kernel}'", names.build_macro(prefix, kernel)
        yield keys, f"the target macro of kernel '{kernel}'", names.target_macro(prefix, kernel)


# Paths


def _check_root(context: Context) -> None:
    root = context.manifest.root
    wrong = problem(root) if root else None
    if wrong:
        context.add(("root",), "path", *wrong)
    elif root and not os.path.isdir(context.root):  # noqa: PTH112
        wrong = f"root '{root}' is not a folder", None
        context.add(("root",), "missing-file", *wrong)
    context.root_is_fine = bool(root) and wrong is None


def _check_includes(context: Context) -> None:
    for kind, folders in (
        ("public", context.manifest.include.public), ("private", context.manifest.include.private)
    ):  # fmt: skip
        keys = "include", kind
        context.no_repetition(keys, folders)
        for index, folder in enumerate(folders):
            fine = bool(folder) and context.path_is_fine((*keys, index), folder) and context.root_is_fine
            if fine and not os.path.isdir(f"{context.root}/{folder}"):  # noqa: PTH112
                context.add((*keys, index), "missing-file", f"there is no folder '{folder}' under the root")


# Options and kernels


def _check_options(context: Context) -> None:
    kernels: dict[str, dict[str, Kernel]] = {}
    for name, kernel in context.manifest.kernels.items():
        kernels.setdefault(kernel.option, {})[name] = kernel
    for name, option in context.manifest.options.items():
        _check_option(context, name, option, kernels.get(name, {}))


def _check_option(context: Context, name: str, option: Option, kernels: dict[str, Kernel]) -> None:
    keys = "options", name
    if not kernels:
        context.add(keys, "unused-option", f"option '{name}' has no kernel", "give it one, or remove it")
        return
    requires = option.requires
    context.no_repetition((*keys, "requires", "compilers"), requires.compilers or ())
    context.no_repetition((*keys, "requires", "architectures"), requires.architectures or ())
    _check_architectures(context, name, option, kernels)
    prefix = context.manifest.prefix or context.manifest.name
    for index, conflict in enumerate(option.conflicts):
        if conflict == names.variable(prefix, name):
            context.add((*keys, "conflicts", index), "conflict", f"option '{name}' conflicts with itself")


def _check_architectures(context: Context, name: str, option: Option, kernels: dict[str, Kernel]) -> None:
    wanted = option.requires.architectures
    if wanted is None:
        return
    isas = {kernel.architecture for kernel in kernels.values()}
    known = context.catalogue.architectures
    for index, architecture in enumerate(wanted):
        if architecture in known and known[architecture].isa not in isas:
            message = f"no kernel of option '{name}' is for {architecture}"
            context.add(
                ("options", name, "requires", "architectures", index), "unserved-architecture", message,
                f"its kernels are for {', '.join(sorted(isas))}",
            )  # fmt: skip
    served = {known[architecture].isa for architecture in wanted if architecture in known}
    for key, kernel in kernels.items():
        if kernel.architecture in context.catalogue.isas and served and kernel.architecture not in served:
            message = f"kernel '{key}' can never be built: option '{name}' requires {', '.join(wanted)}"
            context.add(("kernels", key, "architecture"), "unserved-architecture", message)


def _check_kernel(context: Context, name: str, kernel: Kernel) -> None:
    keys: tuple[Key, ...] = ("kernels", name)
    owner = f"kernel '{name}'"
    if context.knows((*keys, "option"), "option", kernel.option, context.manifest.options):
        _check_compilers(context, name, kernel)
    _check_flags(context, name, kernel)
    if kernel.architecture in context.catalogue.isas:
        _check_features(context, name, kernel)
    context.check_files((*keys, "sources"), kernel.sources)
    context.no_repetition((*keys, "symbols"), kernel.symbols)
    for index, source in enumerate(kernel.sources):
        context.claim(context.sources, (*keys, "sources", index), source, owner)
    for index, symbol in enumerate(kernel.symbols):
        context.claim(context.symbols, (*keys, "symbols", index), symbol, owner)


def _check_compilers(context: Context, name: str, kernel: Kernel) -> None:
    """What is said of a compiler must be of one that may build the kernel."""
    allowed = context.manifest.options[kernel.option].requires.compilers
    if not allowed:
        return
    remedy = f"it allows {', '.join(allowed)}"
    named: list[tuple[str, ...]] = [("minimum", compiler) for compiler in kernel.minimum]
    named += [("flags", "extra", compiler) for compiler in kernel.flags.extra]
    for keys in named:
        if keys[-1] not in allowed:
            message = f"option '{kernel.option}' does not allow {keys[-1]}"
            context.add(("kernels", name, *keys), "unused-compiler", message, remedy)


def _check_flags(context: Context, name: str, kernel: Kernel) -> None:
    for compiler, flags in kernel.flags.extra.items():
        for index, flag in enumerate(flags):
            if flag.endswith("=native"):
                message = f"'{flag}' depends on the machine that builds"
                context.add(("kernels", name, "flags", "extra", compiler, index), "native-flag", message)


def _check_features(context: Context, name: str, kernel: Kernel) -> None:
    catalogue, isa = context.catalogue, kernel.architecture
    keys: tuple[Key, ...] = ("kernels", name, "features")
    known = catalogue.features(isa)
    context.no_repetition(keys, kernel.features)
    for index, feature in enumerate(kernel.features):
        if feature and feature not in known:
            elsewhere = [other for other in catalogue.isas if feature in catalogue.features(other)]
            message = f"{isa} has no feature '{feature}'" + (f"; {elsewhere[0]} has" if elsewhere else "")
            hint = near_miss(feature, list(known)) or f"known: {', '.join(known)}"
            context.add((*keys, index), "unknown-feature", message, hint)
    listed = [feature for feature in kernel.features if feature in known]
    if len(listed) == len(kernel.features):
        _check_mnemonics(context, name, kernel, set(catalogue.closure(isa, listed)))


def _check_mnemonics(context: Context, name: str, kernel: Kernel, closure: set[str]) -> None:
    """Each listed instruction must belong to a listed feature, or to none that the catalogue knows."""
    for symbol, mnemonics in kernel.mnemonics.items():
        keys: tuple[Key, ...] = ("kernels", name, "mnemonics", symbol)
        if symbol and symbol not in kernel.symbols:
            message = f"'{symbol}' is not among the symbols of kernel '{name}'"
            context.add(keys, "unknown-symbol", message, near_miss(symbol, list(kernel.symbols)))
        context.no_repetition(keys, mnemonics)
        for index, mnemonic in enumerate(mnemonics):
            owners = context.catalogue.providers(mnemonic)
            here = [feature for isa, feature in owners if isa == kernel.architecture]
            if here and not closure.intersection(here):
                message = f"'{mnemonic}' needs feature '{here[0]}', which kernel '{name}' does not list"
                context.add((*keys, index), "undeclared-feature", message, f"add '{here[0]}' to its features")
            elif owners and not here:
                message = f"'{mnemonic}' is an instruction of {owners[0][0]}, not of {kernel.architecture}"
                context.add((*keys, index), "undeclared-feature", message)
