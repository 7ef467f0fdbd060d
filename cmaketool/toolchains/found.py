"""A leg whose tools are all there, and how its programs are run."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from cmaketool import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from cmaketool.toolchains.model import Facts, LegFile, Processor
    from cmaketool.toolchains.warming import FirstLink

__all__ = ["Invocation", "Leg"]

_NOTHING: Mapping[str, str | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command: its words, and what to change of our environment for it (None: that is not to be set)."""

    words: list[str]
    environment: Mapping[str, str | None]

    @property
    def line(self) -> str:
        """The command as one line for a POSIX shell; it says what is set, not what is not."""
        set_here = ((name, value) for name, value in self.environment.items() if value is not None)
        settings = [f"{name}={shlex.quote(value)}" for name, value in set_here]
        return " ".join([*settings, shlex.join(self.words)])


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg whose tools are all there."""

    file: LegFile
    facts: Facts  # complete: with the version
    version: str  # for people
    toolchain_file: Path | None
    configure_arguments: tuple[str, ...]  # for every cmake configure
    compiler: Path  # that the tree must come to use for C
    emulator: tuple[str, ...]  # the command that comes before a processor's words and the program
    processors: tuple[Processor, ...]  # the first is taken if none is asked for; none: nothing can be run
    first_link: FirstLink | None = field(default=None, repr=False)
    stand_in: Path | None = None  # the folder of what was made for it

    @property
    def any_hwcap(self) -> bool:
        """Whether `invoke` takes a capability word."""
        return self.file.emulator.kind == "unicorn"

    @property
    def can_forbid(self) -> bool:
        """Whether `invoke` takes mnemonics to forbid: where programs run in a process of our own."""
        return self.file.emulator.kind in {"unicorn", "unicorn-windows"}

    def invoke(
        self,
        program: Path,
        arguments: Sequence[str] = (),
        *,
        processor: str | None = None,
        hwcap: int | None = None,
        forbid: Sequence[str] = (),
        environment: Mapping[str, str | None] = _NOTHING,
    ) -> Invocation:
        """Return how `program` is run with `arguments`, on the `processor` of that name (None: the first).

        `hwcap` is the Linux AT_HWCAP word that the program is to see; a program that executes one of the
        mnemonics in `forbid` (as the catalogue lists them), or one that the processor does not have, ends
        with exit code 125. What the `environment` holds is set for the program; None: it is not to be set.
        An emulator may give more, or nothing, of ours. Raises ValueError for a processor that the leg does
        not have, and for `hwcap` and `forbid` where they cannot be had (ask `any_hwcap`, `can_forbid`).
        """
        chosen = self._processor(processor)
        if (hwcap is not None and not self.any_hwcap) or (forbid and not self.can_forbid):
            raise ValueError(f"{self.file.name} can neither answer a capability word nor forbid instructions")
        options = [] if hwcap is None else ["--hwcap", hex(hwcap)]
        if self.can_forbid:  # its CPU has everything, and its programs see nothing of our environment
            forbidden = dict.fromkeys((*forbid, *_lacking(self.facts.architectures, chosen)))
            options += ["--forbid", ",".join(forbidden)] if forbidden else []
            for name, value in environment.items():
                options += [] if value is None else ["--env", f"{name}={value}"]
            environment = _NOTHING
        words = [*self.emulator, *chosen.words, *options, str(program), *arguments]
        return Invocation(words, environment)

    def _processor(self, name: str | None) -> Processor:
        known = {one.name: one for one in self.processors}
        chosen = next(iter(self.processors), None) if name is None else known.get(name)
        if chosen is None:
            has = ", ".join(known) or "none"
            raise ValueError(f"{self.file.name} has no processor {name or 'at all'}; it has {has}")
        return chosen

    def start_warming(self, say: Callable[[str], None] | None = None) -> None:
        """Begin, in the background, what the first link of a program would wait for. Returns at once.

        `say` gets one line if that takes a while. A link meanwhile waits for it; compiling goes on.
        """
        if self.first_link is not None:
            self.first_link.start(say)

    def warm(self) -> None:
        """Return once programs link without waiting.

        Raises CmaketoolError when no program can be linked, process.Cancelled.
        """
        if self.first_link is not None:
            self.first_link.wait()


def _lacking(architectures: Sequence[str], processor: Processor) -> tuple[str, ...]:
    """Return the instructions that only features have which the processor does not have."""
    known = catalogue.load()
    architecture = known.architectures.get(architectures[0])
    if processor.features is None or architecture is None:
        return ()
    lacking = frozenset(known.features(architecture.isa)) - processor.features
    return known.own_mnemonics(architecture.isa, lacking)
