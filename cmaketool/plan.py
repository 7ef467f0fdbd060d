"""Manifest and catalogue resolved: the one input of rendering and of verification's expectations.

Paths in a plan are POSIX strings relative to `Plan.root`. Everything is sorted as in the manifest, and
everything is text, so that equal manifests give equal plans.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cmaketool import names
from cmaketool.catalogue import PROBE_PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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


@dataclass(frozen=True, slots=True)
class PlannedOption:
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


@dataclass(frozen=True, slots=True)
class PlannedKernel:
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


@dataclass(frozen=True, slots=True)
class PlannedVariant:
    """One variant: the symbols it supplies, and either its kernel or its own (portable) sources."""

    name: str
    symbols: tuple[str, ...]
    kernel: str | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannedFamily:
    """What callers see, and its variants in order of preference."""

    name: str
    functions: tuple[str, ...]
    variants: tuple[PlannedVariant, ...]


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """A test program."""

    name: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannedTooth:
    """A kernel broken on purpose."""

    name: str
    kernel: str
    file: str
    search: str
    replace: str
    test: str
    check: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is generated and all that is expected."""

    name: str  # cmk: files and functions
    prefix: str  # cmk: C symbols; upper case (CMK) for macros and cache variables
    manifest: str  # the manifest's file name, for "generated from" lines
    root: Path  # absolute folder that source paths are relative to
    folder: Path  # absolute folder of the manifest: where generated files go by default
    public_includes: tuple[str, ...]
    private_includes: tuple[str, ...]
    options: tuple[PlannedOption, ...]
    kernels: tuple[PlannedKernel, ...]
    families: tuple[PlannedFamily, ...] = ()
    tests: tuple[PlannedTest, ...] = ()
    teeth: tuple[PlannedTooth, ...] = ()
    portable_sources: tuple[str, ...] = field(default=())  # of all families, each once

    @property
    def upper(self) -> str:
        """The prefix of macros and cache variables."""
        return self.prefix.upper()


def resolve(manifest: LoadedManifest, catalogue: Catalogue) -> Plan:
    """Return the plan of a loaded, and so faultless, manifest. Reads no file and nothing of this machine."""
    model = manifest.model
    prefix = model.prefix or model.name
    options = {name: _option(name, one, model, prefix, catalogue) for name, one in model.options.items()}
    families = tuple(_family(name, family) for name, family in model.families.items())
    portable = (source for family in families for one in family.variants for source in one.sources)
    return Plan(
        name=model.name,
        prefix=prefix,
        manifest=manifest.path.name,
        root=manifest.root,
        folder=manifest.path.absolute().parent,
        public_includes=model.include.public,
        private_includes=model.include.private,
        options=tuple(options.values()),
        kernels=tuple(
            _kernel(name, kernel, options[kernel.option], prefix, catalogue)
            for name, kernel in model.kernels.items()
        ),
        families=families,
        tests=tuple(PlannedTest(name, test.sources) for name, test in model.tests.items()),
        teeth=tuple(
            PlannedTooth(name, one.kernel, one.file, one.search, one.replace, one.test, one.check)
            for name, one in model.teeth.items()
        ),
        portable_sources=tuple(dict.fromkeys(portable)),
    )


def _option(name: str, option: Option, model: Manifest, prefix: str, catalogue: Catalogue) -> PlannedOption:
    isas = {kernel.architecture for kernel in model.kernels.values() if kernel.option == name}
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


def _kernel(
    name: str, kernel: Kernel, option: PlannedOption, prefix: str, catalogue: Catalogue
) -> PlannedKernel:
    isa = kernel.architecture
    attributes = {
        frontend: catalogue.attribute(isa, frontend, kernel.features) for frontend in ("gcc", "clang")
    }
    return PlannedKernel(
        name=name,
        option=kernel.option,
        isa=isa,
        architectures=tuple(one for one in option.architectures if catalogue.architectures[one].isa == isa),
        features=kernel.features,
        closure=catalogue.closure(isa, kernel.features),
        sources=kernel.sources,
        symbols=kernel.symbols,
        mnemonics=dict(kernel.mnemonics),
        minimum=_minimum(kernel, option, catalogue),
        flags=_flags(kernel, option, catalogue),
        attribute={frontend: text for frontend, text in attributes.items() if text is not None},
        probe=_probe(name, kernel, prefix, catalogue),
        definition=names.definition(prefix, name),
        build_macro=names.build_macro(prefix, name),
        target_macro=names.target_macro(prefix, name),
    )


def _minimum(kernel: Kernel, option: PlannedOption, catalogue: Catalogue) -> dict[str, str]:
    """Return, by compiler, the newest of the versions that the manifest and the features ask for."""
    asked = catalogue.minimum(kernel.architecture, kernel.features)
    own: Mapping[str, str] = {str(name): version for name, version in kernel.minimum.items()}
    found = {}
    for compiler in option.compilers:
        versions = (*asked.get(compiler, ()), *((own[compiler],) if compiler in own else ()))
        if versions:
            found[compiler] = max(versions, key=lambda text: [int(part) for part in text.split(".")])
    return found


def _flags(kernel: Kernel, option: PlannedOption, catalogue: Catalogue) -> dict[str, tuple[str, ...]]:
    features = kernel.features if kernel.flags.features else ()
    extra: Mapping[str, tuple[str, ...]] = {str(name): more for name, more in kernel.flags.extra.items()}
    flags = {}
    for compiler in option.compilers:
        every = (*catalogue.flags(kernel.architecture, compiler, features), *extra.get(compiler, ()))
        if every:
            flags[compiler] = every
    return flags


def _probe(name: str, kernel: Kernel, prefix: str, catalogue: Catalogue) -> str:
    """Join the probes of the features, under names that no other kernel's probe has."""
    probes = [catalogue.feature(kernel.architecture, feature).probe for feature in kernel.features]
    text = "\n".join(probes).replace(PROBE_PREFIX, names.probe_function(prefix, name))
    return f"{text}\n{kernel.probe.rstrip()}\n" if kernel.probe else text


def _family(name: str, family: Family) -> PlannedFamily:
    return PlannedFamily(name, family.functions, tuple(_variant(family, one) for one in family.variants))


def _variant(family: Family, variant: Variant) -> PlannedVariant:
    symbols = tuple(names.symbol(function, variant.name) for function in family.functions)
    return PlannedVariant(variant.name, symbols, variant.kernel, variant.sources)
