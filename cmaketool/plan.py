"""Manifest and catalogue resolved: the one input of rendering and of verification's expectations.

Paths in a plan are POSIX strings relative to `Plan.root`. Everything is sorted as in the manifest, and
everything is text, so that equal manifests give equal plans.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Plan", "PlannedFamily", "PlannedKernel", "PlannedOption", "PlannedTest", "PlannedTooth", "PlannedVariant"]


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
    flags: Mapping[str, tuple[str, ...]]  # compiler family -> per-source flags; empty: sources carry attributes
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
