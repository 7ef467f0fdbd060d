"""What a well-formed manifest may still get wrong: names, paths, features and what refers to what.

Every check adds to the same faults and goes on. A check passes over blanks, which reader.py has reported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.diagnostics import near_miss
from cmaketool.manifest.naming import check_names
from cmaketool.manifest.paths import problem
from cmaketool.manifest.references import check_families, check_teeth

if TYPE_CHECKING:
    from cmaketool.manifest.context import Context, Key
    from cmaketool.manifest.model import Kernel, Option

__all__ = ["check"]


def check(context: Context) -> None:
    """Report everything that is wrong with the manifest of `context`."""
    manifest = context.manifest
    check_names(context)
    _check_root(context)
    _check_includes(context)
    for name, kernel in manifest.kernels.items():
        _check_kernel(context, name, kernel)
    _check_options(context)
    check_families(context)
    _check_run_time(context)
    for name, test in manifest.tests.items():
        context.check_files(("tests", name, "sources"), test.sources)
    _check_benchmarks(context)
    check_teeth(context)


def _check_run_time(context: Context) -> None:
    """Check what is decided at run time; a manifest without it starts without the modules for it."""
    manifest = context.manifest
    if manifest.cpu:
        from cmaketool.manifest.policies import check_policies  # noqa: PLC0415

        check_policies(context, manifest.cpu.policies)
    if any(family.concerns_dispatch for family in manifest.families.values()):
        from cmaketool.manifest.dispatch import check_dispatch  # noqa: PLC0415

        for name, family in manifest.families.items():
            check_dispatch(context, name, family)


def _check_benchmarks(context: Context) -> None:
    manifest = context.manifest
    if manifest.benchmarks is None:
        return
    if not manifest.families:
        message = "benchmarks compare the variants of families, and there is no family"
        context.add(("benchmarks",), "unused-benchmarks", message, "list the functions under families")
    context.check_files(("benchmarks", "sources"), manifest.benchmarks.sources)


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
    known = context.catalogue.architectures
    all_isas = {kernel.architecture for kernel in kernels.values()}
    isas = all_isas & context.catalogue.isas.keys()  # others are told of where they stand
    for index, architecture in enumerate(wanted):
        if isas == all_isas and architecture in known and known[architecture].isa not in isas:
            message = f"no kernel of option '{name}' is for {architecture}"
            context.add(
                ("options", name, "requires", "architectures", index), "unserved-architecture", message,
                f"its kernels are for {', '.join(sorted(isas))}",
            )  # fmt: skip
    served = {known[architecture].isa for architecture in wanted if architecture in known}
    for key, kernel in kernels.items():
        if served and kernel.architecture in isas and kernel.architecture not in served:
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
    isa = kernel.architecture
    if context.check_features(("kernels", name, "features"), isa, kernel.features):
        _check_mnemonics(context, name, kernel, set(context.catalogue.closure(isa, kernel.features)))


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
