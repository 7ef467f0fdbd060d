"""What refers to a manifest's kernels: the variants of its families, and its teeth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool import names, prototypes

if TYPE_CHECKING:
    from cmaketool.manifest.context import Context, Key
    from cmaketool.manifest.model import Family, Tooth, Variant

__all__ = ["check_families", "check_teeth"]


def check_families(context: Context) -> None:
    """Check that functions and variants are each there once, and that variants supply what they must."""
    functions: dict[str, str] = {}
    for name, family in context.manifest.families.items():
        keys: tuple[Key, ...] = ("families", name, "functions")
        named = [prototypes.name_of(function) for function in family.functions]
        context.no_repetition(keys, named)
        for index, function in enumerate(named):
            first = functions.setdefault(function, name)
            if first != name and function:
                message = f"function '{function}' belongs to family '{first}' already"
                context.add((*keys, index), "duplicate-function", message)
        _check_variants(context, name, family, named)


def _check_variants(context: Context, name: str, family: Family, functions: list[str]) -> None:
    seen: set[str] = set()
    for index, variant in enumerate(family.variants):
        keys: tuple[Key, ...] = ("families", name, "variants", index)
        if variant.name in seen and variant.name:
            context.add((*keys, "name"), "duplicate", f"family '{name}' has two variants '{variant.name}'")
        if variant.name == names.DISPATCH:
            message = f"'{names.DISPATCH}' names what the dispatchers choose, and no variant"
            context.add((*keys, "name"), "reserved-name", message, "choose another name")
        seen.add(variant.name)
        if bool(variant.kernel) == bool(variant.sources):
            found = "both" if variant.kernel else "neither"
            message = f"variant '{variant.name}' needs either 'kernel' or 'sources', and has {found}"
            context.add(keys, "variant", message)
        elif variant.kernel:
            _check_kernel_variant(context, (*keys, "kernel"), functions, variant)
        else:
            _check_portable_variant(context, keys, functions, variant)


def _check_kernel_variant(
    context: Context, keys: tuple[Key, ...], functions: list[str], variant: Variant
) -> None:
    kernels = context.manifest.kernels
    if not context.knows(keys, "kernel", variant.kernel or "", kernels):
        return
    supplied = kernels[variant.kernel or ""].symbols
    for function in functions:
        symbol = names.symbol(function, variant.name)
        if function and variant.name and symbol not in supplied:
            message = f"kernel '{variant.kernel}' does not list the symbol '{symbol}' of this variant"
            context.add(keys, "missing-symbol", message, f"add '{symbol}' to its symbols")


def _check_portable_variant(
    context: Context, keys: tuple[Key, ...], functions: list[str], variant: Variant
) -> None:
    context.check_files((*keys, "sources"), variant.sources)
    for index, source in enumerate(variant.sources):
        # One owner for all of them: a portable source may serve several families.
        context.claim(context.sources, (*keys, "sources", index), source, "the portable variants")
    for function in filter(None, functions):
        owner = f"variant '{variant.name}' of function '{function}'"
        context.claim(context.symbols, (*keys, "name"), names.symbol(function, variant.name), owner)


def check_teeth(context: Context) -> None:
    """Check that each tooth names what there is, and text that stands in its file exactly once."""
    for name, tooth in context.manifest.teeth.items():
        _check_tooth(context, name, tooth)


def _check_tooth(context: Context, name: str, tooth: Tooth) -> None:
    keys: tuple[Key, ...] = ("teeth", name)
    context.knows((*keys, "kernel"), "kernel", tooth.kernel, context.manifest.kernels)
    context.knows((*keys, "test"), "test", tooth.test, context.manifest.tests)
    if tooth.search and tooth.search == tooth.replace:
        context.add((*keys, "replace"), "tooth", f"tooth '{name}' replaces its text by the same text")
    if not tooth.file or not context.path_is_fine((*keys, "file"), tooth.file):
        return
    if not context.check_file((*keys, "file"), tooth.file) or not tooth.search:
        return
    try:
        text = (context.root / tooth.file).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        context.add((*keys, "file"), "missing-file", f"'{tooth.file}' cannot be read: {error.strerror}")
        return
    count = text.count(tooth.search)
    if count != 1:
        found = f"{count} times" if count else "nowhere"
        message = f"the text of tooth '{name}' stands {found} in '{tooth.file}'"
        context.add((*keys, "search"), "tooth", message, "it must stand there exactly once")
