"""What a well-formed manifest may still get wrong: names, paths, features and what refers to what.

Every check adds to the same faults and goes on. A check passes over blanks, which reader.py has reported.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.diagnostics import near_miss
from cmaketool.manifest.paths import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cmaketool.catalogue import Catalogue
    from cmaketool.manifest.faults import Faults, Place
    from cmaketool.manifest.model import Family, Kernel, Manifest, Option, Tooth, Variant

    Key = str | int
    Position = Callable[..., Place]

__all__ = ["check"]


class _Context:
    """What every check needs."""

    def __init__(
        self, manifest: Manifest, root: Path, catalogue: Catalogue, faults: Faults, position: Position
    ) -> None:
        self.manifest = manifest
        self.root = root
        self.catalogue = catalogue
        self.position = position
        self.sources: dict[str, str] = {}  # source -> who has it
        self.symbols: dict[str, str] = {}  # symbol -> who supplies it
        self._faults = faults
        self._told = faults.places()  # where reading the file found something: enough said there

    def add(self, keys: tuple[Key, ...], rule: str, message: str, remedy: str | None = None) -> None:
        place = self.position(*keys)
        if place not in self._told:
            self._faults.add(place, rule, message, remedy)


def check(manifest: Manifest, root: Path, catalogue: Catalogue, faults: Faults, position: Position) -> None:
    """Add what is wrong with `manifest` to `faults`; `position(*keys)` says where a part of it stands."""
    context = _Context(manifest, root, catalogue, faults, position)
    _check_names(context)
    if _check_root(context):
        _check_includes(context)
    for name, kernel in manifest.kernels.items():
        _check_kernel(context, name, kernel)
    _check_options(context)
    _check_families(context)
    for name, test in manifest.tests.items():
        _check_files(context, ("tests", name, "sources"), test.sources)
    for name, tooth in manifest.teeth.items():
        _check_tooth(context, name, tooth)


def _unknown(context: _Context, keys: tuple[Key, ...], what: str, name: str, known: Iterable[str]) -> bool:
    """Report `name` unless it is known or blank; say whether it is known."""
    known = list(known)
    if name and name not in known:
        hint = near_miss(name, known) or (f"known: {', '.join(known[:20])}" if known else "there is none")
        context.add(keys, f"unknown-{what}", f"there is no {what} '{name}'", hint)
    return name in known


def _repeated(context: _Context, keys: tuple[Key, ...], entries: Iterable[str]) -> None:
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if entry in seen and entry:
            context.add((*keys, index), "duplicate", f"'{entry}' stands twice in '{keys[-1]}'")
        seen.add(entry)


# Names


def _check_names(context: _Context) -> None:
    """Every generated name must be the name of one thing."""
    manifest = context.manifest
    prefix = manifest.prefix or manifest.name
    if not prefix:
        return
    owners = dict.fromkeys(names.reserved(prefix), "a name that every manifest gets")
    for keys, what, name in _generated(manifest, prefix):
        if name in owners:
            message = f"{what} would be called '{name}', as is {owners[name]}"
            context.add(keys, "name-collision", message, "choose another name")
        owners[name] = what


def _generated(manifest: Manifest, prefix: str) -> Iterator[tuple[tuple[Key, ...], str, str]]:
    for option in manifest.options:
        yield ("options", option), f"the variable of option '{option}'", names.variable(prefix, option)
    for kernel in manifest.kernels:
        keys = "kernels", kernel
        yield keys, f"the definition of kernel '{kernel}'", names.definition(prefix, kernel)
        yield keys, f"the build macro of kernel '{kernel}'", names.build_macro(prefix, kernel)
        yield keys, f"the target macro of kernel '{kernel}'", names.target_macro(prefix, kernel)


# Paths


def _check_root(context: _Context) -> bool:
    root = context.manifest.root
    if not root:
        return False
    wrong = problem(root)
    if wrong:
        context.add(("root",), "path", *wrong)
    elif not context.root.is_dir():
        context.add(("root",), "missing-file", f"root '{root}' is not a folder")
    return not wrong and context.root.is_dir()


def _path_is_fine(context: _Context, keys: tuple[Key, ...], path: str) -> bool:
    wrong = problem(path)
    if wrong is None and path.startswith(".."):
        wrong = f"path '{path}' leaves the root", "move 'root' up, or the file below it"
    if wrong:
        context.add(keys, "path", *wrong)
    return wrong is None


def _check_files(context: _Context, keys: tuple[Key, ...], paths: tuple[str, ...]) -> None:
    """Check a list of source files: each a file below the root, each once."""
    _repeated(context, keys, paths)
    for index, path in enumerate(paths):
        if path and _path_is_fine(context, (*keys, index), path):
            _check_file(context, (*keys, index), path)


def _check_file(context: _Context, keys: tuple[Key, ...], path: str) -> bool:
    full = f"{context.root}/{path}"
    if os.path.isfile(full):  # noqa: PTH113  a thousand Path objects are a tenth of the time there is
        return True
    if Path(full).is_dir():
        context.add(keys, "missing-file", f"'{path}' is a folder", "name its files")
    else:
        hint = near_miss(Path(path).name, _beside(str(Path(full).parent)))
        context.add(keys, "missing-file", f"there is no file '{path}' under the root", hint)
    return False


@functools.lru_cache(maxsize=64)
def _beside(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  names are all that is wanted
    except OSError:
        return []


def _check_includes(context: _Context) -> None:
    for kind, folders in (
        ("public", context.manifest.include.public), ("private", context.manifest.include.private)
    ):  # fmt: skip
        keys = "include", kind
        _repeated(context, keys, folders)
        for index, folder in enumerate(folders):
            if not folder or not _path_is_fine(context, (*keys, index), folder):
                continue
            if not (context.root / folder).is_dir():
                context.add((*keys, index), "missing-file", f"there is no folder '{folder}' under the root")


# Options and kernels


def _check_options(context: _Context) -> None:
    kernels: dict[str, dict[str, Kernel]] = {}
    for name, kernel in context.manifest.kernels.items():
        kernels.setdefault(kernel.option, {})[name] = kernel
    for name, option in context.manifest.options.items():
        _check_option(context, name, option, kernels.get(name, {}))


def _check_option(context: _Context, name: str, option: Option, kernels: dict[str, Kernel]) -> None:
    keys = "options", name
    if not kernels:
        context.add(keys, "unused-option", f"option '{name}' has no kernel", "give it one, or remove it")
        return
    requires = option.requires
    _repeated(context, (*keys, "requires", "compilers"), requires.compilers or ())
    _repeated(context, (*keys, "requires", "architectures"), requires.architectures or ())
    _check_architectures(context, name, option, kernels)
    prefix = context.manifest.prefix or context.manifest.name
    for index, conflict in enumerate(option.conflicts):
        if conflict == names.variable(prefix, name):
            context.add((*keys, "conflicts", index), "conflict", f"option '{name}' conflicts with itself")


def _check_architectures(context: _Context, name: str, option: Option, kernels: dict[str, Kernel]) -> None:
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


def _check_kernel(context: _Context, name: str, kernel: Kernel) -> None:
    keys: tuple[Key, ...] = ("kernels", name)
    owner = f"kernel '{name}'"
    if _unknown(context, (*keys, "option"), "option", kernel.option, context.manifest.options):
        _check_compilers(context, name, kernel)
    if kernel.architecture in context.catalogue.isas:
        _check_features(context, name, kernel)
    _check_files(context, (*keys, "sources"), kernel.sources)
    _repeated(context, (*keys, "symbols"), kernel.symbols)
    for index, source in enumerate(kernel.sources):
        _claim(context, context.sources, (*keys, "sources", index), source, owner)
    for index, symbol in enumerate(kernel.symbols):
        _claim(context, context.symbols, (*keys, "symbols", index), symbol, owner)


def _claim(context: _Context, claimed: dict[str, str], keys: tuple[Key, ...], name: str, owner: str) -> None:
    """Enter a source or symbol under its one owner."""
    first = claimed.setdefault(name, owner)
    if first != owner and name:
        what = "source" if claimed is context.sources else "symbol"
        message = f"{what} '{name}' belongs to {first} already"
        context.add(keys, f"duplicate-{what}", message, f"each {what} has one owner")


def _check_compilers(context: _Context, name: str, kernel: Kernel) -> None:
    allowed = context.manifest.options[kernel.option].requires.compilers
    if not allowed:
        return
    remedy = f"it allows {', '.join(allowed)}"
    message = f"option '{kernel.option}' does not allow {{}}"
    entries = [("minimum", one) for one in kernel.minimum] + [
        ("flags", "extra", one) for one in kernel.flags.extra
    ]
    for keys in entries:
        if keys[-1] in context.catalogue.compilers and keys[-1] not in allowed:
            context.add(("kernels", name, *keys), "unused-compiler", message.format(keys[-1]), remedy)


def _check_features(context: _Context, name: str, kernel: Kernel) -> None:
    catalogue, isa = context.catalogue, kernel.architecture
    keys: tuple[Key, ...] = ("kernels", name, "features")
    known = catalogue.features(isa)
    _repeated(context, keys, kernel.features)
    for index, feature in enumerate(kernel.features):
        if feature and feature not in known:
            elsewhere = [other for other in catalogue.isas if feature in catalogue.features(other)]
            message = f"{isa} has no feature '{feature}'" + (f"; {elsewhere[0]} has" if elsewhere else "")
            hint = near_miss(feature, list(known)) or f"known: {', '.join(known)}"
            context.add((*keys, index), "unknown-feature", message, hint)
    listed = [feature for feature in kernel.features if feature in known]
    if len(listed) == len(kernel.features):
        _check_mnemonics(context, name, kernel, set(catalogue.closure(isa, listed)))


def _check_mnemonics(context: _Context, name: str, kernel: Kernel, closure: set[str]) -> None:
    """Each listed instruction must belong to a listed feature, or to none that the catalogue knows."""
    for symbol, mnemonics in kernel.mnemonics.items():
        keys: tuple[Key, ...] = ("kernels", name, "mnemonics", symbol)
        if symbol and symbol not in kernel.symbols:
            message = f"'{symbol}' is not among the symbols of kernel '{name}'"
            context.add(keys, "unknown-symbol", message, near_miss(symbol, list(kernel.symbols)))
        _repeated(context, keys, mnemonics)
        for index, mnemonic in enumerate(mnemonics):
            owners = context.catalogue.providers(mnemonic)
            here = [feature for isa, feature in owners if isa == kernel.architecture]
            if here and not closure.intersection(here):
                message = f"'{mnemonic}' needs feature '{here[0]}', which kernel '{name}' does not list"
                context.add((*keys, index), "undeclared-feature", message, f"add '{here[0]}' to its features")
            elif owners and not here:
                message = f"'{mnemonic}' is an instruction of {owners[0][0]}, not of {kernel.architecture}"
                context.add((*keys, index), "undeclared-feature", message)


# Families


def _check_families(context: _Context) -> None:
    functions: dict[str, str] = {}
    for name, family in context.manifest.families.items():
        keys: tuple[Key, ...] = ("families", name, "functions")
        _repeated(context, keys, family.functions)
        for index, function in enumerate(family.functions):
            first = functions.setdefault(function, name)
            if first != name and function:
                message = f"function '{function}' belongs to family '{first}' already"
                context.add((*keys, index), "duplicate-function", message)
        _check_variants(context, name, family)


def _check_variants(context: _Context, name: str, family: Family) -> None:
    seen: set[str] = set()
    for index, variant in enumerate(family.variants):
        keys: tuple[Key, ...] = ("families", name, "variants", index)
        if variant.name in seen and variant.name:
            context.add((*keys, "name"), "duplicate", f"family '{name}' has two variants '{variant.name}'")
        seen.add(variant.name)
        if bool(variant.kernel) == bool(variant.sources):
            found = "both" if variant.kernel else "neither"
            message = f"variant '{variant.name}' needs either 'kernel' or 'sources', and has {found}"
            context.add(keys, "variant", message)
        elif variant.kernel:
            _check_kernel_variant(context, (*keys, "kernel"), family, variant)
        else:
            _check_portable_variant(context, keys, family, variant)


def _check_kernel_variant(context: _Context, keys: tuple[Key, ...], family: Family, variant: Variant) -> None:
    kernels = context.manifest.kernels
    if not _unknown(context, keys, "kernel", variant.kernel or "", kernels):
        return
    supplied = kernels[variant.kernel or ""].symbols
    for function in family.functions:
        symbol = names.symbol(function, variant.name)
        if function and variant.name and symbol not in supplied:
            message = f"kernel '{variant.kernel}' does not list the symbol '{symbol}' of this variant"
            hint = near_miss(symbol, list(supplied)) or f"add '{symbol}' to its symbols"
            context.add(keys, "missing-symbol", message, hint)


def _check_portable_variant(
    context: _Context, keys: tuple[Key, ...], family: Family, variant: Variant
) -> None:
    _check_files(context, (*keys, "sources"), variant.sources)
    for index, source in enumerate(variant.sources):
        first = context.sources.setdefault(source, "a family")
        if first != "a family" and source:
            message = f"source '{source}' belongs to {first} already"
            remedy = "portable sources are no kernel's"
            context.add((*keys, "sources", index), "duplicate-source", message, remedy)
    for function in family.functions:
        symbol = names.symbol(function, variant.name)
        owner = context.symbols.setdefault(symbol, f"the family function '{function}'")
        if owner != f"the family function '{function}'":
            message = f"symbol '{symbol}' belongs to {owner} already"
            context.add((*keys, "name"), "duplicate-symbol", message, "each symbol has one owner")


# Teeth


def _check_tooth(context: _Context, name: str, tooth: Tooth) -> None:
    keys: tuple[Key, ...] = ("teeth", name)
    _unknown(context, (*keys, "kernel"), "kernel", tooth.kernel, context.manifest.kernels)
    _unknown(context, (*keys, "test"), "test", tooth.test, context.manifest.tests)
    if tooth.search and tooth.search == tooth.replace:
        context.add((*keys, "replace"), "tooth", f"tooth '{name}' replaces its text by the same text")
    if not tooth.file or not _path_is_fine(context, (*keys, "file"), tooth.file):
        return
    if not _check_file(context, (*keys, "file"), tooth.file) or not tooth.search:
        return
    text = (context.root / tooth.file).read_text(encoding="utf-8", errors="replace")
    count = text.count(tooth.search)
    if count != 1:
        found = f"{count} times" if count else "nowhere"
        message = f"the text of tooth '{name}' stands {found} in '{tooth.file}'"
        context.add((*keys, "search"), "tooth", message, "it must stand there exactly once")
