"""Manifest and catalogue resolved: the one input of rendering and of verification's expectations.

Paths in a plan are POSIX strings relative to `Plan.root`. Everything is sorted as in the manifest, and
everything is text, so that equal manifests give equal plans. These are NamedTuples because Python makes such
a class five times faster than a dataclass, and each start of the program makes them all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names
from cmaketool.catalogue import PROBE_PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cmaketool.catalogue import Catalogue
    from cmaketool.manifest import LoadedManifest
    from cmaketool.manifest.model import Family, Kernel, Manifest, Option, Variant

__all__ = [
    "Plan",
    "PlannedFamily",
    "PlannedKernel",
    "PlannedOption",
    "PlannedTest",
    "PlannedTooth",
    "PlannedVariant",
    "resolve",
]


class PlannedOption(NamedTuple):
    """An option: `name` without prefix (AES), `variable` with it (CMK_AES)."""

    name: str
    variable: str
    help: str
    default: str  # OFF, ON or AUTO
    compilers: tuple[str, ...]  # families allowed; every known one when the manifest is silent
    architectures: tuple[str, ...]  # slices on which at least one of its kernels may be built
    conflicts: tuple[str, ...]
    public_definitions: tuple[str, ...]
    private_definitions: tuple[str, ...]


class PlannedKernel(NamedTuple):
    """A kernel with every name that is generated for it."""

    name: str  # aes_arm64
    option: str  # AES
    isa: str  # arm64, x86_64: which catalogue file its features come from
    architectures: tuple[str, ...]  # slices that may build it: arm64, arm64ec, x86_64
    features: tuple[str, ...]  # as listed, without implications
    closure: tuple[str, ...]  # with implications, sorted
    sources: tuple[str, ...]
    symbols: tuple[str, ...]
    mnemonics: Mapping[str, tuple[str, ...]]  # symbol -> instructions
    minimum: Mapping[str, str]  # compiler family -> version
    flags: Mapping[
        str, tuple[str, ...]
    ]  # compiler family -> per-source flags; empty: sources have attributes
    attribute: Mapping[str, str]  # "gcc" | "clang" -> text of target("...") for the features
    probe: str  # C at file scope using every feature's intrinsics in functions with external linkage
    definition: str  # CMK_KERNEL_AES_ARM64: given to the whole target when the kernel is built
    build_macro: str  # CMK_BUILD_AES_ARM64: 0 or 1 in the generated header
    target_macro: str  # CMK_TARGET_AES_ARM64: pushes the target attribute


class PlannedVariant(NamedTuple):
    """One variant: the symbols it supplies, and either its kernel or its own (portable) sources."""

    name: str
    symbols: tuple[str, ...]
    kernel: str | None
    sources: tuple[str, ...]


class PlannedFamily(NamedTuple):
    """What callers see, and its variants in order of preference."""

    name: str
    functions: tuple[str, ...]
    variants: tuple[PlannedVariant, ...]


class PlannedTest(NamedTuple):
    """A test program."""

    name: str
    sources: tuple[str, ...]


class PlannedTooth(NamedTuple):
    """A kernel broken on purpose."""

    name: str
    kernel: str
    file: str
    search: str
    replace: str
    test: str
    check: str


class Plan(NamedTuple):
    """All that is generated and all that is expected."""

    name: str  # cmk: files and functions
    prefix: str  # cmk: C symbols; upper case (CMK) for macros and cache variables
    manifest: str  # the manifest's file name, for "generated from" lines
    root: Path  # absolute folder that source paths are relative to, symbolic links resolved
    folder: Path  # absolute folder of the manifest, links kept: where generated files go by default
    public_includes: tuple[str, ...]
    private_includes: tuple[str, ...]
    options: tuple[PlannedOption, ...]
    kernels: tuple[PlannedKernel, ...]
    families: tuple[PlannedFamily, ...] = ()
    tests: tuple[PlannedTest, ...] = ()
    teeth: tuple[PlannedTooth, ...] = ()
    portable_sources: tuple[str, ...] = ()  # of all families, each once
    root_from_folder: str = "."  # the manifest's `root`: the way from `folder` to `root` with links kept

    @property
    def upper(self) -> str:
        """The prefix of macros and cache variables."""
        return self.prefix.upper()


class _Spelt(NamedTuple):
    """What a set of features comes to, the same for every kernel that lists it."""

    architectures: tuple[str, ...]  # all of the ISA
    closure: tuple[str, ...]
    probe: str
    minimum: Mapping[str, tuple[str, ...]]
    flags: Mapping[str, tuple[str, ...]]
    attribute: Mapping[str, str]


def resolve(manifest: LoadedManifest, catalogue: Catalogue) -> Plan:
    """Return the plan of a loaded, and so faultless, manifest. Reads no file and nothing of this machine."""
    model = manifest.model
    prefix = model.prefix or model.name
    isas: dict[str, set[str]] = {}
    for kernel in model.kernels.values():
        isas.setdefault(kernel.option, set()).add(kernel.architecture)
    options = {name: _option(name, one, isas[name], prefix, catalogue) for name, one in model.options.items()}
    families = tuple(_family(name, family) for name, family in model.families.items())
    portable = (source for family in families for one in family.variants for source in one.sources)
    return Plan(
        name=model.name,
        prefix=prefix,
        manifest=manifest.path.name,
        root=manifest.root,
        folder=Path(os.path.abspath(manifest.path)).parent,  # noqa: PTH100  resolve() would follow links
        public_includes=model.include.public,
        private_includes=model.include.private,
        options=tuple(options.values()),
        kernels=_kernels(model, options, prefix, catalogue),
        families=families,
        tests=tuple(PlannedTest(name, test.sources) for name, test in model.tests.items()),
        teeth=tuple(
            PlannedTooth(name, one.kernel, one.file, one.search, one.replace, one.test, one.check)
            for name, one in model.teeth.items()
        ),
        portable_sources=tuple(dict.fromkeys(portable)),
        root_from_folder=model.root,
    )


def _option(name: str, option: Option, isas: set[str], prefix: str, catalogue: Catalogue) -> PlannedOption:
    allowed = option.requires.architectures
    return PlannedOption(
        name=name,
        variable=names.variable(prefix, name),
        help=option.help,
        default=option.default,
        compilers=option.requires.compilers or tuple(catalogue.compilers),
        architectures=tuple(
            one.name
            for one in catalogue.architectures.values()
            if one.isa in isas and (allowed is None or one.name in allowed)
        ),
        conflicts=option.conflicts,
        public_definitions=option.definitions.public,
        private_definitions=option.definitions.private,
    )


def _kernels(
    model: Manifest, options: Mapping[str, PlannedOption], prefix: str, catalogue: Catalogue
) -> tuple[PlannedKernel, ...]:
    spelt: dict[tuple[str, tuple[str, ...]], _Spelt] = {}
    planned = []
    for name, kernel in model.kernels.items():
        key = kernel.architecture, kernel.features
        if key not in spelt:
            spelt[key] = _spell(*key, catalogue)
        planned.append(_kernel(name, kernel, options[kernel.option], spelt[key], prefix))
    return tuple(planned)


def _spell(isa: str, features: tuple[str, ...], catalogue: Catalogue) -> _Spelt:
    flags = {compiler: catalogue.flags(isa, compiler, features) for compiler in catalogue.compilers}
    attributes = {frontend: catalogue.attribute(isa, frontend, features) for frontend in ("gcc", "clang")}
    return _Spelt(
        architectures=tuple(one.name for one in catalogue.architectures.values() if one.isa == isa),
        probe="\n".join(catalogue.feature(isa, feature).probe for feature in features),
        closure=catalogue.closure(isa, features),
        minimum=catalogue.minimum(isa, features),
        flags={compiler: given for compiler, given in flags.items() if given},
        attribute={frontend: text for frontend, text in attributes.items() if text is not None},
    )


def _kernel(name: str, kernel: Kernel, option: PlannedOption, spelt: _Spelt, prefix: str) -> PlannedKernel:
    return PlannedKernel(
        name=name,
        option=kernel.option,
        isa=kernel.architecture,
        architectures=tuple(one for one in spelt.architectures if one in option.architectures),
        features=kernel.features,
        closure=spelt.closure,
        sources=kernel.sources,
        symbols=kernel.symbols,
        mnemonics=kernel.mnemonics,
        minimum=_minimum(kernel, option, spelt),
        flags=_flags(kernel, option, spelt),
        attribute=spelt.attribute,
        probe=_probe(name, kernel, spelt, prefix),
        definition=names.definition(prefix, name),
        build_macro=names.build_macro(prefix, name),
        target_macro=names.target_macro(prefix, name),
    )


def _minimum(kernel: Kernel, option: PlannedOption, spelt: _Spelt) -> dict[str, str]:
    """Return, by compiler, the newest of the versions that the manifest and the features ask for."""
    own: Mapping[str, str] = {str(name): version for name, version in kernel.minimum.items()}
    found = {}
    for compiler in option.compilers:
        versions = (*spelt.minimum.get(compiler, ()), *((own[compiler],) if compiler in own else ()))
        if versions:
            found[compiler] = max(versions, key=lambda text: [int(part) for part in text.split(".")])
    return found


def _flags(kernel: Kernel, option: PlannedOption, spelt: _Spelt) -> dict[str, tuple[str, ...]]:
    given = spelt.flags if kernel.flags.features else {}
    extra: Mapping[str, tuple[str, ...]] = {str(name): more for name, more in kernel.flags.extra.items()}
    if not given and not extra:
        return {}
    every = {compiler: (*given.get(compiler, ()), *extra.get(compiler, ())) for compiler in option.compilers}
    return {compiler: flags for compiler, flags in every.items() if flags}


def _probe(name: str, kernel: Kernel, spelt: _Spelt, prefix: str) -> str:
    """Return the features' probes, under names that no other kernel's probe has, and the kernel's own."""
    text = spelt.probe.replace(PROBE_PREFIX, names.probe_function(prefix, name))
    return f"{text}\n{kernel.probe.rstrip()}\n" if kernel.probe else text


def _family(name: str, family: Family) -> PlannedFamily:
    return PlannedFamily(name, family.functions, tuple(_variant(family, one) for one in family.variants))


def _variant(family: Family, variant: Variant) -> PlannedVariant:
    symbols = tuple(names.symbol(function, variant.name) for function in family.functions)
    return PlannedVariant(variant.name, symbols, variant.kernel, variant.sources)
