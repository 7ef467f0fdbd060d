"""Manifest and catalogue resolved: the one input of rendering and of verification's expectations.

Paths in a plan are POSIX strings relative to `Plan.root`. Everything is sorted as in the manifest, and
everything is text, so that equal manifests give equal plans. These are NamedTuples because Python makes such
a class five times faster than a dataclass, and each start of the program makes them all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cmaketool import names, prototypes
from cmaketool.catalogue import PROBE_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cmaketool.catalogue import Catalogue, Detection
    from cmaketool.manifest import LoadedManifest
    from cmaketool.manifest.model import Family, Kernel, Manifest, Midr, Option, Policy, Variant
    from cmaketool.prototypes import Prototype

__all__ = [
    "Plan",
    "PlannedCpu",
    "PlannedFamily",
    "PlannedFeature",
    "PlannedKernel",
    "PlannedMidr",
    "PlannedOption",
    "PlannedPolicy",
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
    """One variant: the symbols it supplies, and either its kernel or its own (portable) sources.

    `needs` are the features and the policy that must be in the capability word: those of its kernel without
    what others of them imply, and `policy`.
    """

    name: str
    symbols: tuple[str, ...]
    kernel: str | None
    sources: tuple[str, ...]
    needs: tuple[str, ...] = ()
    policy: str | None = None


class PlannedFamily(NamedTuple):
    """What callers see, and its variants in order of preference.

    With `prototypes`, one for each of `functions`, dispatchers are generated.
    """

    name: str
    functions: tuple[str, ...]
    variants: tuple[PlannedVariant, ...]
    prototypes: tuple[Prototype, ...] = ()
    headers: tuple[str, ...] = ()


class PlannedFeature(NamedTuple):
    """A feature that the capability word has a bit for. `implies` is all of it, not only the next."""

    isa: str
    name: str
    bit: int  # of the word; those of other instruction sets may have the same
    macro: str  # CMK_CPU_AES
    implies: tuple[str, ...]
    detection: Detection


class PlannedMidr(NamedTuple):
    """Arm cores: an implementer and its parts, none for all of them."""

    implementer: int
    parts: tuple[int, ...]


class PlannedPolicy(NamedTuple):
    """A bit of what is worth using. It stands only beside `features`, what those imply among them."""

    isa: str
    name: str
    bit: int
    macro: str  # CMK_CPU_FAST_SHA3
    help: str
    features: tuple[str, ...]
    always: bool
    apple: bool
    midr: tuple[PlannedMidr, ...]
    unless: tuple[PlannedMidr, ...]


class PlannedCpu(NamedTuple):
    """What is decided at run time. Bit 0 of the word says that it is filled."""

    features: tuple[PlannedFeature, ...]  # by instruction set, what is implied first
    policies: tuple[PlannedPolicy, ...]
    unknown_system: str  # error, none

    def names(self, isa: str) -> tuple[str, ...]:
        """Return the names of the instruction set's features."""
        return tuple(feature.name for feature in self.features if feature.isa == isa)


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
    benchmarks: tuple[str, ...] = ()  # C sources
    portable_sources: tuple[str, ...] = ()  # of all families, each once
    root_from_folder: str = "."  # the manifest's `root`: the way from `folder` to `root` with links kept
    cpu: PlannedCpu | None = None  # None: nothing is generated for run time

    @property
    def dispatched(self) -> tuple[PlannedFamily, ...]:
        """The families that get dispatchers."""
        return tuple(family for family in self.families if family.prototypes)

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
    families = tuple(_family(name, family, model, catalogue) for name, family in model.families.items())
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
        benchmarks=model.benchmarks.sources if model.benchmarks else (),
        portable_sources=tuple(dict.fromkeys(portable)),
        root_from_folder=model.root,
        cpu=_cpu(model, prefix, catalogue),
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


def _family(name: str, family: Family, model: Manifest, catalogue: Catalogue) -> PlannedFamily:
    functions = tuple(prototypes.name_of(function) for function in family.functions)
    return PlannedFamily(
        name=name,
        functions=functions,
        variants=tuple(_variant(functions, one, model, catalogue) for one in family.variants),
        prototypes=tuple(prototypes.parse(one) for one in family.functions if prototypes.is_prototype(one)),
        headers=family.headers,
    )


def _variant(
    functions: tuple[str, ...], variant: Variant, model: Manifest, catalogue: Catalogue
) -> PlannedVariant:
    needs: tuple[str, ...] = ()
    if variant.kernel is not None:
        kernel = model.kernels[variant.kernel]
        needs = catalogue.reduced(kernel.architecture, kernel.features)
    return PlannedVariant(
        name=variant.name,
        symbols=tuple(names.symbol(function, variant.name) for function in functions),
        kernel=variant.kernel,
        sources=variant.sources,
        needs=(*needs, *((variant.policy,) if variant.policy else ())),
        policy=variant.policy,
    )


def _cpu(model: Manifest, prefix: str, catalogue: Catalogue) -> PlannedCpu | None:
    if not model.decides:
        return None
    given = model.cpu.policies if model.cpu else {}
    features: list[PlannedFeature] = []
    policies: list[PlannedPolicy] = []
    for isa in catalogue.isas:
        listed = {name for one in model.kernels.values() if one.architecture == isa for name in one.features}
        listed |= {name for one in given.values() if one.architecture == isa for name in one.features}
        closure = catalogue.closure(isa, listed)
        found = _features(isa, closure, prefix, catalogue)
        features += found
        own = {name: one for name, one in given.items() if one.architecture == isa}
        for bit, (name, policy) in enumerate(own.items(), 1 + len(found)):
            policies.append(_policy(name, policy, bit, prefix, catalogue))
    unknown_system = model.cpu.unknown_system if model.cpu else "error"
    return PlannedCpu(tuple(features), tuple(policies), unknown_system)


def _features(isa: str, closure: tuple[str, ...], prefix: str, catalogue: Catalogue) -> list[PlannedFeature]:
    # In the catalogue's order, in which what is implied stands first.
    known = [name for name in catalogue.features(isa) if name in closure]
    return [
        PlannedFeature(
            isa=isa,
            name=name,
            bit=bit,
            macro=names.cpu_macro(prefix, name),
            implies=tuple(one for one in known if one != name and one in catalogue.closure(isa, [name])),
            detection=catalogue.feature(isa, name).detection,
        )
        for bit, name in enumerate(known, 1)
    ]


def _policy(name: str, policy: Policy, bit: int, prefix: str, catalogue: Catalogue) -> PlannedPolicy:
    return PlannedPolicy(
        isa=policy.architecture,
        name=name,
        bit=bit,
        macro=names.cpu_macro(prefix, name),
        help=policy.help,
        features=catalogue.closure(policy.architecture, policy.features),
        always=policy.when.always,
        apple=policy.when.apple,
        midr=_midrs(policy.when.midr),
        unless=_midrs(policy.unless),
    )


def _midrs(given: Iterable[Midr]) -> tuple[PlannedMidr, ...]:
    return tuple(
        PlannedMidr(int(one.implementer, 16), tuple(int(part, 16) for part in one.parts)) for one in given
    )
