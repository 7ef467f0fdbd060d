"""What the world knows of features and compilers, typed."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "APPLE_IMPLEMENTER",
    "PROBE_PREFIX",
    "Architecture",
    "Catalogue",
    "Compiler",
    "Detection",
    "Feature",
    "Isa",
    "Spelling",
]

_NONE: Mapping[str, str] = MappingProxyType({})
PROBE_PREFIX = "cmaketool_probe_"  # begins the name of every function in a feature's probe
APPLE_IMPLEMENTER = 0x61  # of its cores, in MIDR_EL1


class Architecture(NamedTuple):
    """One slice: `condition` is the C preprocessor expression, in parentheses, that is true in it alone."""

    name: str
    isa: str
    condition: str


class Compiler(NamedTuple):
    """A compiler family; `frontend` ("gcc", "clang", "msvc") says which pragmas it reads."""

    name: str
    frontend: str


class Detection(NamedTuple):
    """How each operating system, or the CPU, says that it has a feature. None or empty: it cannot say."""

    cpuinfo: str  # the word of /proc/cpuinfo on Linux
    always: bool = False  # every CPU of the instruction set has it, so that nothing is asked
    hwcap: int | None = None  # the bit of AT_HWCAP on Linux, FreeBSD and OpenBSD
    apple: tuple[str, ...] = ()  # names for sysctlbyname, any of which may say 1
    apple_always: bool = False  # every 64-bit Arm CPU of Apple's has it
    windows: tuple[int, ...] = ()  # numbers for IsProcessorFeaturePresent, all of which must hold
    cpuid: tuple[int, str, int] | None = None  # x86-64: leaf (sub-leaf 0), register, bit
    ymm: bool = False  # x86-64: needs AVX, and an operating system that keeps the ymm registers


class Feature(NamedTuple):
    """One ISA extension."""

    name: str
    summary: str
    macros: tuple[str, ...]  # predefined by GCC and Clang when the feature is allowed
    names: Mapping[str, tuple[str, ...]]  # vocabulary -> what flags and attributes call it
    mnemonics: frozenset[str]  # as capstone prints them; none: compilers use its instructions unasked
    probe: str  # C at file scope, after the prologue: functions named PROBE_PREFIX..., external linkage
    detection: Detection
    implies: tuple[str, ...] = ()
    base: Mapping[str, str] = _NONE  # vocabulary -> base architecture it needs
    minimum: Mapping[str, str] = _NONE  # compiler -> oldest version that knows it


class Spelling(NamedTuple):
    """How a set of names becomes the text of flags or of an attribute."""

    names: str  # the vocabulary
    text: str  # with {name}: one text a name; with {names}: one text in all
    base: str = ""
    separator: str = ""
    text_with_base: str = ""  # where a base other than the usual one must be said

    def spell(self, features: Iterable[Feature]) -> tuple[str, ...]:
        """Return the texts for `features`, none if none of them has a name here."""
        words: dict[str, None] = {}
        base = ""
        for feature in features:
            words.update(dict.fromkeys(feature.names.get(self.names, ())))
            base = max(base, feature.base.get(self.names, ""))
        if not words:
            return ()
        if "{name}" in self.text:
            return tuple(self.text.format(name=word) for word in words)
        text = self.text_with_base if base and self.text_with_base else self.text
        return (text.format(names=self.separator.join(words), base=base or self.base),)


class Isa(NamedTuple):
    """One instruction set: its features and how compilers are asked for them."""

    name: str
    prologue: str
    flags: Mapping[str, Spelling]  # compiler -> spelling; left out: needs no flags
    attributes: Mapping[str, Spelling]  # front end -> spelling; left out: has no attributes
    features: Mapping[str, Feature]


class Catalogue(NamedTuple):
    """All of it. Names that are not in it raise KeyError: manifests are checked before they get here."""

    architectures: Mapping[str, Architecture]  # in the order in which they are to be tested
    compilers: Mapping[str, Compiler]
    isas: Mapping[str, Isa]
    instructions: Mapping[str, tuple[tuple[str, str], ...]]  # mnemonic -> (ISA, feature) of each that has it

    def features(self, isa: str) -> tuple[str, ...]:
        """Return the names of an ISA's features."""
        return tuple(self.isas[isa].features)

    def feature(self, isa: str, name: str) -> Feature:
        """Return one feature."""
        return self.isas[isa].features[name]

    def closure(self, isa: str, names: Iterable[str]) -> tuple[str, ...]:
        """Return `names` and all that they imply, sorted."""
        known = self.isas[isa].features
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(known[name].implies)
        return tuple(sorted(found))

    def reduced(self, isa: str, names: Iterable[str]) -> tuple[str, ...]:
        """Return `names` without those that another of them implies."""
        listed = list(dict.fromkeys(names))
        return tuple(
            name
            for name in listed
            if not any(name in self.closure(isa, [other]) for other in listed if other != name)
        )

    def providers(self, mnemonic: str) -> tuple[tuple[str, str], ...]:
        """Return (ISA, feature) for every feature that has this instruction."""
        return self.instructions.get(mnemonic, ())

    def own_mnemonics(self, isa: str, names: Iterable[str]) -> tuple[str, ...]:
        """Return the instructions that features `names` have and no other feature of the ISA has, sorted."""
        known, own = self.isas[isa].features, frozenset(names)
        others = {word for name in known.keys() - own for word in known[name].mnemonics}
        return tuple(sorted({word for name in own for word in known[name].mnemonics} - others))

    def flags(self, isa: str, compiler: str, features: Iterable[str]) -> tuple[str, ...]:
        """Return the command-line flags by which `compiler` allows `features` and what they imply."""
        spelling = self.isas[isa].flags.get(compiler)
        return spelling.spell(self._spelled(isa, features)) if spelling else ()

    def attribute(self, isa: str, frontend: str, features: Iterable[str]) -> str | None:
        """Return the text of target("...") for `features`; None if the front end needs none."""
        spelling = self.isas[isa].attributes.get(frontend)
        texts = spelling.spell(self._spelled(isa, features)) if spelling else ()
        return texts[0] if texts else None

    def minimum(self, isa: str, features: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return, by compiler, the versions below which some of `features` is unknown."""
        found: dict[str, tuple[str, ...]] = {}
        for feature in self._spelled(isa, features):
            for compiler, version in feature.minimum.items():
                found[compiler] = (*found.get(compiler, ()), version)
        return found

    def prologue(self, isa: str) -> str:
        """Return the C text that includes the header with the ISA's intrinsics, for probes."""
        return self.isas[isa].prologue

    def _spelled(self, isa: str, names: Iterable[str]) -> list[Feature]:
        known = self.isas[isa].features
        return [known[name] for name in self.closure(isa, names)]
