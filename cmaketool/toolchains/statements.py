"""What a leg file states against what its compiler says, and both in one line for people."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.programs import has_module

if TYPE_CHECKING:
    from cmaketool.toolchains.model import Facts, LegFile

__all__ = ["agreed", "describe"]

_MODELS = {"msvc-model", "macos"}  # stand-ins for a compiler, not only for a system


def agreed(file: LegFile, program: str, said: Facts) -> Facts:
    """Return what the compiler `program` says, if the leg file says the same.

    A version may be stated as how it begins. Raises CmaketoolError where they differ.
    """
    stated = file.facts
    if stated == "from-compiler":
        return said
    begins = stated.version is None or f"{said.version}.".startswith(f"{stated.version}.")
    if stated.model_copy(update={"version": said.version}) != said or not begins:
        message = f"{program} is {_told(said)}; the leg {file.name} says {_told(stated)}"
        raise CmaketoolError(Diagnostic(message, "leg-facts", remedy="correct the leg's file"))
    return said


def _told(facts: Facts) -> str:
    """Return facts in words: the compiler, and each slice with the features that need no flag there."""
    slices = (
        f"{name} ({', '.join(facts.allowed(name)) or 'no feature'} without a flag)"
        for name in facts.architectures
    )
    return f"{facts.family} {facts.version or ''}".strip() + f" for {', '.join(slices)}"


def describe(file: LegFile, facts: Facts) -> str:
    """Return the compiler, its version and what it targets, for people; a stand-in is called one."""
    name = f"{facts.family} {facts.version}"
    if facts.family == "zig" and has_module("ziglang"):
        name = f"zig {version('ziglang')} (clang {facts.version})"
    if file.stand_in is not None and file.stand_in.name in _MODELS:
        name = f"a stand-in for {name}"
    slices = ["another architecture" if slice_ == "other" else slice_ for slice_ in facts.architectures]
    return f"{name}, {', '.join(slices)}"
