"""What a call of a function executes in the emulator, instruction by instruction."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import capstone

from cmaketool.toolchains import aarch64_code, aarch64_elf
from cmaketool.toolchains.unicorn_aarch64 import Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["Call", "Step", "addresses", "costs", "paths"]

_CONDITIONAL = {"cbz", "cbnz", "tbz", "tbnz"}


class Step(NamedTuple):
    """One executed instruction, as capstone writes it."""

    address: int
    mnemonic: str
    operands: str


class Call(NamedTuple):
    """One call: what was executed from the entry until another function was entered (None: it returned)."""

    steps: tuple[Step, ...]
    reached: str | None

    @property
    def loads(self) -> list[Step]:
        """The steps that read memory."""
        return [step for step in self.steps if step.mnemonic.startswith("ld")]

    @property
    def branches(self) -> list[Step]:
        """The conditional branches, taken or not."""
        return [
            step for step in self.steps if step.mnemonic in _CONDITIONAL or step.mnemonic.startswith("b.")
        ]


class _Program:
    """A program that is run with every instruction of it seen."""

    def __init__(self, program: Path) -> None:
        self.image = aarch64_elf.load(program)
        self._words = [program.name]
        self.code = [segment for segment in self.image.segments if segment.is_executable]
        self.names = dict(aarch64_code.instructions(self.code))

    def run(self, arguments: Sequence[str], see: Callable[[int], None], **options: Any) -> None:
        """Run it; `options` are those of Machine. It has to end well."""
        tracers = {range(one.address, one.address + len(one.data)): see for one in self.code}
        end = Machine(self.image, [*self._words, *arguments], tracers=tracers, **options).run()
        assert (end.code, end.message) == (0, None)

    def step(self, address: int) -> Step:
        """Return the instruction at `address`."""
        (data,) = (
            one.data[address - one.address :][:4]
            for one in self.code
            if one.address <= address < one.address + len(one.data)
        )
        engine = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
        ((_, _, mnemonic, operands),) = engine.disasm_lite(data, address)
        return Step(address, mnemonic, operands)


@functools.lru_cache(maxsize=4)
def _read(program: Path) -> _Program:
    """Disassembling a program takes longer than running it: it is not to be built again."""
    return _Program(program)


def addresses(program: Path, arguments: Sequence[str] = (), **options: Any) -> list[int]:
    """Run `program` and return the address of every instruction that it executes, one after the other."""
    found: list[int] = []
    _read(program).run(arguments, found.append, **options)
    return found


def paths(program: Path, function: str, arguments: Sequence[str] = (), **options: Any) -> list[Call]:
    """Run `program` and return every call of `function`: its own way to the next function, or back.

    `arguments` come after the program's name, `options` are those of Machine. A call within a call that is
    not over is not told apart.
    """
    whole = _read(program)
    entry = whole.image.addresses(function)[0]
    entries = whole.image.entries
    found: list[Call] = []
    way: list[int] = []

    def end(reached: str | None) -> None:
        found.append(Call(tuple(map(whole.step, way)), reached))
        way.clear()

    def see(address: int) -> None:
        if way and address in entries and address != entry:
            end(entries[address])
        elif way or address == entry:
            way.append(address)
            if whole.names[address] == "ret":
                end(None)

    whole.run(arguments, see, **options)
    return found


def costs(program: Path, function: str, arguments: Sequence[str] = (), **options: Any) -> list[int]:
    """Run `program` and return, for every call of `function`, the instructions from its entry to its return.

    What it calls counts too, and so do calls of itself in between, which are not told apart.
    """
    whole = _read(program)
    entry = whole.image.addresses(function)[0]
    found: list[int] = []
    count = depth = 0  # of the call that is not over: its instructions, and the calls it is in

    def see(address: int) -> None:
        nonlocal count, depth
        if count == 0 and address != entry:
            return
        count += 1
        name = whole.names[address]
        if name in {"bl", "blr"}:
            depth += 1
        elif name == "ret" and depth > 0:
            depth -= 1
        elif name == "ret":
            found.append(count)
            count = 0

    whole.run(arguments, see, **options)
    return found
