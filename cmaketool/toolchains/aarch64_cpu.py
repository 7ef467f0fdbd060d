"""The newest AArch64 CPU that unicorn models, with memory, running one program for an operating system.

What a program asks of its system, and what it finds when it begins, is for those who make one of these.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict

from cmaketool.toolchains.aarch64_memory import Memory
from cmaketool.toolchains.unicorn_library import FETCH, READ, WRITE, Engine, UnicornError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from typing_extensions import Unpack

    from cmaketool.toolchains.aarch64_image import Segment

__all__ = ["EMULATOR_FAULT", "Cpu", "Ended", "Watching"]

EMULATOR_FAULT = 125  # exit code when the emulator cannot go on

_NOWHERE = (1 << 64) - 16  # emulation runs "until" here: no program gets there
_UNDEFINED, _SUPERVISOR_CALL, _BREAKPOINT = 1, 2, 7
_BREAKPOINTS = {1: "__builtin_trap", 1000: "__builtin_trap", 0xF000: "__debugbreak", 0xF003: "__fastfail"}
_ACCESS = {16: "read", 19: "read", 23: "read", 17: "write", 20: "write", 22: "write"}  # others: fetch
_NEEDED = {READ: 1, WRITE: 2, FETCH: 4}  # of a page's protection
_MIDR_EL1 = (3, 0, 0, 0, 0)  # op0, op1, CRn, CRm, op2
_MOST_RANGES = 256  # watched for forbidden instructions
_NOTHING: Mapping[range, Callable[[int], None]] = MappingProxyType({})


class Ended(Exception):  # noqa: N818  the normal way out
    """The program is over: its exit code, and what to tell the user if that was not its own doing."""

    def __init__(self, code: int, message: str | None = None) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message


class Watching(TypedDict, total=False):
    """How a program is watched.

    An instruction of the mnemonics in `forbid`, named as in the catalogue, ends it. Each of `watchers` is
    called with the address and size in bytes of every basic block before it runs, each of `tracers` with the
    address of every instruction in its range; a call costs a microsecond. `deterministic` counts
    instructions, and makes the clock count them too.
    """

    forbid: Collection[str]
    watchers: Sequence[Callable[[int, int], None]]
    tracers: Mapping[range, Callable[[int], None]]
    deterministic: bool


class Cpu(ABC):
    """A CPU with one program's `segments` in its memory; what derives from it is the program's system."""

    def __init__(self, segments: Sequence[Segment], **watching: Unpack[Watching]) -> None:
        self._engine = Engine()
        self._engine.set_register("cpacr_el1", 3 << 20)  # floating point and SIMD on
        self.instructions = 0  # counted when deterministic
        self._entry = 0
        self._end: Ended | None = None
        self._fault = ""
        self._is_faulty = False
        self.memory = Memory(self._engine)
        self.memory.place(segments)
        self._engine.translate(self._translate)
        self._engine.on_interrupt(self._interrupt)
        self._deterministic = watching.get("deterministic", False)
        watchers = watching.get("watchers", ())
        for watcher in (self._count, *watchers) if self._deterministic else watchers:
            self._engine.on_block(watcher)
        for place, tracer in watching.get("tracers", _NOTHING).items():
            self._engine.on_code(place[0], place[-1], tracer)
        forbid = watching.get("forbid", ())
        if forbid:
            self._forbid(segments, forbid)

    # For those who run a program

    def read(self, address: int, size: int) -> bytes:
        """Return `size` bytes of the program's memory: for watchers, the code of a block."""
        return self.memory.read(address, size)

    def stop(self, message: str) -> None:
        """End the program with EMULATOR_FAULT and `message`: for watchers, and for other threads."""
        self._end = self._end or Ended(EMULATOR_FAULT, f"{message}, {self.place()}")
        self._engine.stop()

    def run(self) -> Ended:
        """Run the program to its end and return how it ended. All its output has been written by then."""
        try:
            self._engine.start(self._entry, _NOWHERE)
        except UnicornError as error:
            if self._is_faulty and self._end is None:
                self._look_at_fault()
            what = self._fault or str(error)
            self._end = self._end or Ended(EMULATOR_FAULT, f"{what}, {self.place()}")
        end = self._end or Ended(EMULATOR_FAULT, f"stopped, {self.place()}")
        try:
            self.finish()
        except BrokenPipeError:
            pass  # who does not read all of the output does not want it
        except OSError as error:
            return Ended(EMULATOR_FAULT, f"the output cannot be written: {error.strerror}")
        return end

    # For systems

    def begin(self, entry: int, **registers: int) -> None:
        """Say where the program begins, and with what in its registers (sp, lr, x0 to x28)."""
        self._entry = entry
        for name, value in registers.items():
            self._engine.set_register(name, value)

    def registers(self, *names: str) -> list[int]:
        """Return what is in the registers of these names: pc, and those of `begin`."""
        return [self._engine.register(name) for name in names]

    def answer(self, value: int) -> None:
        """Put the answer to what the program asked into x0."""
        self._engine.set_register("x0", value)

    def clock(self) -> int:
        """Return the time in nanoseconds."""
        return self.instructions if self._deterministic else time.time_ns()

    def trap(self, addresses: range, handler: Callable[[int], None]) -> None:
        """Call `handler` with the address before an instruction there runs. It may raise Ended."""
        first, last = addresses[0], addresses[-1]
        self._engine.on_code(first, last, lambda address: self._attempt(lambda: handler(address)))

    def answer_midr(self, midr: int) -> None:
        """Let the program read `midr` from MIDR_EL1; else unicorn answers."""
        self._engine.on_mrs(lambda register: midr if register == _MIDR_EL1 else None)

    # What systems say

    @abstractmethod
    def describe(self, address: int) -> str | None:
        """Return the name of what is at an address: a function, or a part of the program."""

    @abstractmethod
    def supervisor_call(self) -> None:
        """Do what the instruction svc asks for. May raise Ended."""

    @abstractmethod
    def finish(self) -> None:
        """Write what output waits, after the program's end. Raises OSError."""

    def place(self) -> str:
        """Say where the program is: "at pc 0x1000 in main+0x4"."""
        (counter,) = self.registers("pc")
        name = self.describe(counter)
        return f"at pc {counter:#x}" + (f" in {name}" if name else "")

    # Hooks

    def _forbid(self, segments: Iterable[Segment], mnemonics: Collection[str]) -> None:
        """Watch only the addresses that hold such an instruction: all others run at full speed."""
        from cmaketool.toolchains import aarch64_code  # noqa: PLC0415  a disassembler is slow to import

        found = aarch64_code.places(segments, mnemonics)

        def see(address: int) -> None:
            if address in found:
                self.stop(f"{found[address]} is forbidden")

        for first, last in aarch64_code.spans(found, _MOST_RANGES):
            self._engine.on_code(first, last, see)

    def _attempt(self, action: Callable[[], None]) -> None:
        """Do what may end the program."""
        try:
            action()
        except Ended as end:
            if end.message is not None:
                end.message += f", {self.place()}"
            self._end = self._end or end
            self._engine.stop()

    def _interrupt(self, number: int) -> None:
        if number == _SUPERVISOR_CALL:
            self._attempt(self.supervisor_call)
            return
        what = f"exception {number}"
        if number in {_UNDEFINED, _BREAKPOINT}:
            (counter,) = self.registers("pc")
            word = int.from_bytes(self.read(counter, 4), "little")
            immediate = word >> 5 & 0xFFFF
            cause = _BREAKPOINTS.get(immediate, f"brk #{immediate:#x}")
            what = (
                f"a breakpoint ({cause})" if number == _BREAKPOINT else f"undefined instruction {word:#010x}"
            )
        self.stop(what)

    def _translate(self, page: int, access: int) -> int | None:
        """Say what is allowed on a page when the program first comes to it.

        Without this unicorn takes every page for code that may be written, which makes each write slow. So
        does a hook for bad accesses: what is not allowed stops the program here, and is looked at then.
        """
        allowed, needed = self.memory.protection(page) or 0, _NEEDED[access]
        if not (allowed & needed or self.memory.is_changing or self._is_faulty):
            self._is_faulty = True
            return None
        return allowed | needed

    def _look_at_fault(self) -> None:
        """Let the program do again what stopped it, to learn the address."""
        self._engine.on_invalid_access(self._bad_access)
        (counter,) = self.registers("pc")
        with suppress(UnicornError):
            self._engine.start(counter, _NOWHERE)

    def _bad_access(self, access: int, address: int, size: int) -> None:
        kind = _ACCESS.get(access, "instruction fetch")
        name = self.describe(address)
        where = f"{address:#x}" + (f" ({name})" if name else "")
        self._fault = f"{kind} of {size} bytes at {where}, which the program may not do"

    def _count(self, _address: int, size: int) -> None:
        self.instructions += size >> 2
