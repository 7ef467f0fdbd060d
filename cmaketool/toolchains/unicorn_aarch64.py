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

import atexit
import gc
import sys

if __name__ == "__main__":
    gc.disable()  # starting is half of what a short program costs, and nothing becomes garbage
    atexit.register(gc.freeze)  # else the interpreter's end begins by collecting

from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.toolchains import aarch64_elf, unicorn_command
from cmaketool.toolchains.aarch64_cpu import Cpu
from cmaketool.toolchains.aarch64_linux import Linux
from cmaketool.toolchains.aarch64_stack import put_stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from cmaketool.toolchains.aarch64_cpu import Watching
    from cmaketool.toolchains.aarch64_elf import Image

__all__ = ["DEFAULT_HWCAP", "HWCAP", "Machine", "main"]

# Bits of AT_HWCAP (Linux, Documentation/arch/arm64/elf_hwcaps.rst), as far as the CPU model has them.
HWCAP = {
    "fp": 1 << 0, "asimd": 1 << 1, "aes": 1 << 3, "pmull": 1 << 4, "sha1": 1 << 5, "sha2": 1 << 6,
    "crc32": 1 << 7, "atomics": 1 << 8, "cpuid": 1 << 11, "sha3": 1 << 17, "sha512": 1 << 21,
}  # fmt: skip
# CPUID promises that MIDR_EL1 names a real core, which an emulator's does not.
DEFAULT_HWCAP = sum(HWCAP.values()) - HWCAP["cpuid"]

_CALL_REGISTERS = ("x8", *(f"x{number}" for number in range(6)))


class Machine(Cpu):
    """One program with its CPU, memory and system calls.

    `arguments` begins with the program's name, `environment` holds NAME=VALUE texts, `hwcap` is the word that
    it finds in its auxiliary vector (None: what the CPU has), `midr` what it reads from MIDR_EL1 (None: what
    the emulator says).
    """

    def __init__(
        self,
        image: Image,
        arguments: Sequence[str],
        environment: Sequence[str] = (),
        *,
        hwcap: int | None = None,
        midr: int | None = None,
        **watching: Unpack[Watching],
    ) -> None:
        super().__init__(image.segments, **watching)
        self._image = image
        if hwcap is None:
            hwcap = DEFAULT_HWCAP if midr is None else DEFAULT_HWCAP | HWCAP["cpuid"]
        if midr is not None:
            self.answer_midr(midr)
        stack = put_stack(self.memory, image, arguments, environment, hwcap)
        self.begin(image.entry, sp=stack)
        heap = max(segment.address + segment.size for segment in image.segments)
        self._linux = Linux(self.memory, heap, self.clock)

    def describe(self, address: int) -> str | None:
        """Return "name+0x10" for an address inside a function of the program's symbol table."""
        return self._image.function(address)

    def supervisor_call(self) -> None:
        """Answer a system call."""
        call, *arguments = self.registers(*_CALL_REGISTERS)
        self.answer(self._linux.call(call, tuple(arguments)))

    def finish(self) -> None:
        """Write what output waits."""
        self._linux.streams.flush()


def _machine(options: unicorn_command.Options) -> Machine:
    return Machine(
        aarch64_elf.load(Path(options.words[0])),
        options.words,
        options.environment,
        hwcap=options.own.get("--hwcap"),
        midr=options.own.get("--midr"),
        forbid=options.forbid,
        deterministic=options.count,
    )


def _number(text: str) -> int:
    return int(text, 0)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (default: this process's) and return the exit code."""
    return unicorn_command.main("unicorn_aarch64", words, {"--hwcap": _number, "--midr": _number}, _machine)


if __name__ == "__main__":
    sys.exit(main())
