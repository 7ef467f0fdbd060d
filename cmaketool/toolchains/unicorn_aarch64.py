"""Runs a static AArch64 Linux program inside this process: the newest CPU, and any capability word.

    python -m cmaketool.toolchains.unicorn_aarch64 [--hwcap N] [--midr N] [--forbid MNEMONIC,...]
        [--env NAME=VALUE] [--count] [--timeout S] PROGRAM [ARGUMENT...]

The exit code is the program's. It is 128 plus the signal when the program ended itself by one, and 125, with
a message on standard error, when it did something that is not emulated, touched memory that is not its own,
executed a forbidden instruction, or was not done within S seconds. `--midr` is what the program reads from
MIDR_EL1, and makes the capability word say that it may, unless `--hwcap` says what that word is. `--count`
writes `instructions: N` to standard error at the end; the clock then counts instructions too, so that two
runs agree to the instruction.
"""

from __future__ import annotations

import signal
import struct
import sys
import time
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cmaketool.toolchains import aarch64_elf
from cmaketool.toolchains.aarch64_linux import EMULATOR_FAULT, STACK_SIZE, Ended, Linux
from cmaketool.toolchains.aarch64_memory import PAGE, Memory, page_down, page_up

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from cmaketool.toolchains.aarch64_elf import Image

__all__ = ["DEFAULT_HWCAP", "HWCAP", "Machine", "main"]

# Imported this way because its annotations are partial, which is worse for mypy than none.
unicorn: Any = import_module("unicorn")
arm64_const: Any = import_module("unicorn.arm64_const")

# Bits of AT_HWCAP (Linux, Documentation/arch/arm64/elf_hwcaps.rst), as far as the CPU model has them.
HWCAP = {
    "fp": 1 << 0, "asimd": 1 << 1, "aes": 1 << 3, "pmull": 1 << 4, "sha1": 1 << 5, "sha2": 1 << 6,
    "crc32": 1 << 7, "atomics": 1 << 8, "cpuid": 1 << 11, "sha3": 1 << 17, "sha512": 1 << 21,
}  # fmt: skip
# CPUID promises that MIDR_EL1 names a real core, which an emulator's does not.
DEFAULT_HWCAP = sum(HWCAP.values()) - HWCAP["cpuid"]

_STACK_TOP = 0x40_0000_0000
_NOWHERE = (1 << 64) - 16  # emulation runs "until" here: no program gets there
_SUPERVISOR_CALL = 2
_INTERRUPTS = {1: "an undefined instruction", 7: "a breakpoint (__builtin_trap)"}
_ACCESS = {16: "read", 19: "read", 23: "read", 17: "write", 20: "write", 22: "write"}  # others: fetch
_MIDR_EL1 = (3, 0, 0, 0, 0)  # op0, op1, CRn, CRm, op2
_MOST_RANGES = 256  # watched for forbidden instructions
_NOTHING: Mapping[range, Callable[[int], None]] = MappingProxyType({})
_X0 = arm64_const.UC_ARM64_REG_X0
_CALL_REGISTERS = (arm64_const.UC_ARM64_REG_X8, *range(_X0, _X0 + 6))


class Machine:
    """One program with its CPU, memory and system calls.

    `arguments` begins with the program's name, `environment` holds NAME=VALUE texts, `hwcap` is the word that
    it finds in its auxiliary vector (None: what the CPU has), `midr` what it reads from MIDR_EL1 (None: what
    the emulator says). An instruction of the mnemonics in `forbid`, named as in the catalogue, ends it.

    Each of `watchers` is called with the address and size in bytes of every basic block before it runs, each
    of `tracers` with the address of every instruction in its range; a call costs a microsecond.
    `deterministic` makes the clock count instructions.
    """

    def __init__(
        self,
        image: Image,
        arguments: Sequence[str],
        environment: Sequence[str] = (),
        *,
        hwcap: int | None = None,
        midr: int | None = None,
        forbid: Collection[str] = (),
        watchers: Sequence[Callable[[int, int], None]] = (),
        tracers: Mapping[range, Callable[[int], None]] = _NOTHING,
        deterministic: bool = False,
    ) -> None:
        self._image = image
        self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
        self._uc.ctl_set_cpu_model(arm64_const.UC_CPU_ARM64_MAX)
        self._uc.reg_write(arm64_const.UC_ARM64_REG_CPACR_EL1, 3 << 20)  # floating point and SIMD on
        self.instructions = 0  # counted when deterministic
        self._end: Ended | None = None
        self._fault = ""
        self._memory = Memory(self._uc)
        heap = self._load()
        if hwcap is None:
            hwcap = DEFAULT_HWCAP if midr is None else DEFAULT_HWCAP | HWCAP["cpuid"]
        self._put_stack(arguments, environment, hwcap)
        clock = (lambda: self.instructions) if deterministic else time.time_ns
        self._linux = Linux(self._memory, heap, clock)
        self._uc.hook_add(unicorn.UC_HOOK_INTR, self._interrupt)
        self._uc.hook_add(unicorn.UC_HOOK_MEM_INVALID, self._bad_access)
        for watcher in (self._count, *watchers) if deterministic else watchers:
            self._uc.hook_add(
                unicorn.UC_HOOK_BLOCK, lambda _uc, address, size, _data, see=watcher: see(address, size)
            )
        for place, tracer in tracers.items():
            self._trace(place[0], place[-1], tracer)
        if midr is not None:
            self._answer_midr(midr)
        if forbid:
            self._forbid(forbid)

    def read(self, address: int, size: int) -> bytes:
        """Return `size` bytes of the program's memory: for watchers, the code of a block."""
        return self._memory.read(address, size)

    def stop(self, message: str) -> None:
        """End the program with EMULATOR_FAULT and `message`: for watchers, and for other threads."""
        self._end = self._end or Ended(EMULATOR_FAULT, f"{message}, at {self._place()}")
        self._uc.emu_stop()

    def run(self) -> Ended:
        """Run the program to its end and return how it ended. All its output has been written by then."""
        try:
            self._uc.emu_start(self._image.entry, _NOWHERE)
        except unicorn.UcError as error:
            what = self._fault or str(error)
            self._end = self._end or Ended(EMULATOR_FAULT, f"{what}, at {self._place()}")
        self._linux.finish()
        return self._end or Ended(EMULATOR_FAULT, f"stopped at {self._place()}")

    def _place(self) -> str:
        counter = self._uc.reg_read(arm64_const.UC_ARM64_REG_PC)
        function = self._image.function(counter)
        return f"pc {counter:#x}" + (f" in {function}" if function else "")

    def _trace(self, first: int, last: int, tracer: Callable[[int], None]) -> None:
        """Call `tracer` before every instruction from `first` to `last`."""
        self._uc.hook_add(
            unicorn.UC_HOOK_CODE,
            lambda _uc, address, _size, _data: tracer(address),
            begin=first,
            end=last,
        )

    def _forbid(self, mnemonics: Collection[str]) -> None:
        """Watch only the addresses that hold such an instruction: all others run at full speed."""
        from cmaketool.toolchains import aarch64_code  # noqa: PLC0415  a disassembler is slow to import

        found = aarch64_code.places(self._image.segments, mnemonics)

        def see(address: int) -> None:
            if address in found:
                self.stop(f"{found[address]} is forbidden")

        for first, last in aarch64_code.spans(found, _MOST_RANGES):
            self._trace(first, last, see)

    def _answer_midr(self, midr: int) -> None:
        def answer(uc: Any, register: int, system: Any, _data: object) -> bool:
            if (system.op0, system.op1, system.crn, system.crm, system.op2) != _MIDR_EL1:
                return False  # unicorn answers
            uc.reg_write(register, midr)
            return True

        self._uc.hook_add(unicorn.UC_HOOK_INSN, answer, aux1=arm64_const.UC_ARM64_INS_MRS)

    def _load(self) -> int:
        """Put the program into memory; return the first free address behind it."""
        end = shared = 0
        for segment in self._image.segments:
            begin = page_down(segment.address)
            if begin < end:  # a page of two segments allows what either does
                self._memory.protect(begin, PAGE, segment.protection | shared)
                begin = end
            end, shared = page_up(segment.address + segment.size), segment.protection
            if begin < end:
                self._memory.map(begin, end - begin, segment.protection)
            self._memory.write(segment.address, segment.data)
        return end

    def _put_stack(self, arguments: Sequence[str], environment: Sequence[str], hwcap: int) -> None:
        self._memory.map(_STACK_TOP - STACK_SIZE, STACK_SIZE, 3)
        top = _STACK_TOP - PAGE

        def put(data: bytes) -> int:
            nonlocal top
            top -= len(data)
            self._memory.write(top, data)
            return top

        names = [put(text.encode("utf-8", "surrogateescape") + b"\0") for text in arguments]
        variables = [put(text.encode("utf-8", "surrogateescape") + b"\0") for text in environment]
        random = put(bytes(range(16)))
        image = self._image
        auxiliary = (
            (3, image.header_table), (4, 56), (5, image.header_count), (6, PAGE), (7, 0), (8, 0),
            (9, image.entry), (11, 1000), (12, 1000), (13, 1000), (14, 1000), (16, hwcap), (17, 100), (23, 0),
            (25, random), (26, 0), (31, names[0]), (0, 0),
        )  # fmt: skip
        words = [len(names), *names, 0, *variables, 0, *(word for pair in auxiliary for word in pair)]
        stack = (top - 8 * len(words)) & -16
        self._memory.write(stack, struct.pack(f"<{len(words)}Q", *words))
        self._uc.reg_write(arm64_const.UC_ARM64_REG_SP, stack)

    def _interrupt(self, uc: Any, number: int, _data: object) -> None:
        if number != _SUPERVISOR_CALL:
            self.stop(_INTERRUPTS.get(number, f"exception {number}"))
            return
        call, *arguments = uc.reg_read_batch(_CALL_REGISTERS)
        try:
            answer = self._linux.call(call, tuple(arguments))
        except Ended as end:
            if end.message is not None:
                end.message += f", at {self._place()}"
            self._end = end
            uc.emu_stop()
        else:
            uc.reg_write(_X0, answer & 0xFFFFFFFFFFFFFFFF)

    def _bad_access(self, _uc: Any, access: int, address: int, size: int, _value: int, _data: object) -> bool:
        kind = _ACCESS.get(access, "instruction fetch")
        self._fault = f"{kind} of {size} bytes at {address:#x}, which the program may not do"
        return False

    def _count(self, _address: int, size: int) -> None:
        self.instructions += size >> 2


@dataclass(slots=True)
class _Options:
    program: str = ""
    arguments: list[str] = field(default_factory=list)
    environment: list[str] = field(default_factory=list)
    hwcap: int | None = None
    midr: int | None = None
    forbid: list[str] = field(default_factory=list)
    count: bool = False
    timeout: float | None = None


class _UsageError(Exception):
    pass


def _parse(words: Sequence[str]) -> _Options:
    """Parse the command line by hand: argparse would cost more than running a small program."""
    options, rest = _Options(), list(words)
    try:
        while rest and rest[0].startswith("--"):
            option = rest.pop(0)
            if option == "--count":
                options.count = True
            elif option == "--hwcap":
                options.hwcap = int(rest.pop(0), 0)
            elif option == "--midr":
                options.midr = int(rest.pop(0), 0)
            elif option == "--forbid":
                options.forbid += rest.pop(0).split(",")
            elif option == "--timeout":
                options.timeout = float(rest.pop(0))
            elif option == "--env":
                options.environment.append(rest.pop(0))
            else:
                raise _UsageError(f"unknown option {option}")
    except (IndexError, ValueError):
        raise _UsageError(f"{option} needs a value") from None
    if not rest:
        raise _UsageError("no program named")
    options.program, options.arguments = rest[0], rest
    return options


def _run(options: _Options) -> Ended:
    image = aarch64_elf.load(Path(options.program))
    machine = Machine(
        image,
        options.arguments,
        options.environment,
        hwcap=options.hwcap,
        midr=options.midr,
        forbid=options.forbid,
        deterministic=options.count,
    )
    if options.timeout is None:
        end = machine.run()
    else:
        import threading  # noqa: PLC0415  start-up counts, and few runs need it

        late = f"not done within {options.timeout:g} s"
        timer = threading.Timer(options.timeout, machine.stop, [late])
        timer.daemon = True
        timer.start()
        end = machine.run()
        timer.cancel()
    if options.count:
        sys.stderr.write(f"instructions: {machine.instructions}\n")
    return end


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (default: this process's) and return the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler would wait for the program to end
    try:
        end = _run(_parse(sys.argv[1:] if words is None else words))
    except (_UsageError, aarch64_elf.UnusableProgramError, OSError) as error:
        end = Ended(EMULATOR_FAULT, str(error))
    if end.message is not None:
        sys.stderr.write(f"unicorn_aarch64: {end.message}\n")
    return end.code


if __name__ == "__main__":
    sys.exit(main())
