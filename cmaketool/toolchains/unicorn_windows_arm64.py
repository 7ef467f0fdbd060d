"""Runs an ARM64 Windows console program inside this process: the newest CPU, and any answer to what it has.

    python -m cmaketool.toolchains.unicorn_windows_arm64 [--processor-features none|crypto|all|N,N,...]
        [--forbid MNEMONIC,...] [--env NAME=VALUE] [--count] [--timeout S] PROGRAM.exe [ARGUMENT...]

The exit code is the program's (255 if it is larger, which is then said). It is 125, with a message on
standard error, when it called a function that is not emulated, touched memory that is not its own, executed a
forbidden or an undefined instruction, or was not done within S seconds. Functions are those of KERNEL32.dll
that aarch64_windows and aarch64_windows_memory have; others may be imported as long as they are not called.

`--processor-features` are the numbers for which IsProcessorFeaturePresent says yes (default: all). Of those
of winnt.h, 30 (AES, PMULL, SHA-1, SHA-256) and 31 (CRC-32) are `crypto`, these and 64 (SHA-3) and 65
(SHA-512) are `all`. `--count` writes `instructions: N` to standard error at the end.
"""

from __future__ import annotations

import atexit
import gc
import sys

if __name__ == "__main__":
    gc.disable()  # starting is half of what a short program costs, and nothing becomes garbage
    atexit.register(gc.freeze)  # else the interpreter's end begins by collecting

import struct
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool.toolchains import aarch64_pe, unicorn_command
from cmaketool.toolchains.aarch64_cpu import EMULATOR_FAULT, Cpu, Ended
from cmaketool.toolchains.aarch64_memory import PAGE, SYSTEM
from cmaketool.toolchains.aarch64_windows import FEATURES, Kernel32
from cmaketool.toolchains.aarch64_windows_memory import Pages
from cmaketool.toolchains.aarch64_windows_thread import Thread
from cmaketool.toolchains.unicorn_library import UnicornError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from typing_extensions import Unpack

    from cmaketool.toolchains.aarch64_cpu import Watching
    from cmaketool.toolchains.aarch64_pe import Image

__all__ = ["TAKEN", "Machine", "main"]

# Where no program can be: the first 64 KiB, which Windows leaves free, the system's, and what no user has.
TAKEN = (range(1 << 16), SYSTEM, range(1 << 47, 1 << 64))

_DLL = "kernel32.dll"
_RETURN = struct.pack("<I", 0xD65F03C0)  # the instruction ret
_EXECUTE = 4
_BELOW_STACK = 16 * PAGE  # where an access is said to be one below the stack


class Machine(Cpu):
    """One program with its CPU, memory and imported functions.

    `words` begins with the program's name, `environment` holds NAME=VALUE texts, `features` are the numbers
    for which IsProcessorFeaturePresent says yes. Each import leads to a stub, an instruction that is trapped;
    so does returning from the program's entry.
    """

    def __init__(
        self,
        image: Image,
        words: Sequence[str],
        environment: Sequence[str] = (),
        *,
        features: Collection[int] = FEATURES["all"],
        **watching: Unpack[Watching],
    ) -> None:
        super().__init__(image.segments, **watching)
        self._image = image
        thread = Thread(self.memory, image)
        self._stack = thread.stack
        self._kernel = Kernel32(self.memory, thread, words, environment, features)
        self._functions = {**self._kernel.functions, **Pages(self.memory, thread).functions}
        size = len(_RETURN) * (len(image.imports) + 1)
        begin = self.memory.allocate(size, _EXECUTE)
        self._stubs = range(begin, begin + size, len(_RETURN))
        self.memory.write(begin, _RETURN * len(self._stubs))
        self.trap(self._stubs, self._called)
        for stub, one in zip(self._stubs, image.imports, strict=False):
            self.memory.write(one.slot, struct.pack("<Q", stub))
        self.begin(
            image.entry, x0=thread.process_block, x18=thread.block, sp=self._stack.stop, lr=self._stubs[-1]
        )

    def describe(self, address: int) -> str | None:
        """Return ".text+0x10" for an address inside a section, or another name that says what is there."""
        if address in self._stubs[:-1]:
            return f"the import {self._image.imports[self._stubs.index(address)]}"
        if self._stack.start - _BELOW_STACK <= address < self._stack.start:
            return "below the stack"
        return "the stack" if address in self._stack else self._image.section(address)

    def place(self) -> str:
        """Say where the program is; if in a function it called, from where."""
        counter, caller = self.registers("pc", "lr")
        if counter not in self._stubs:
            return super().place()
        if counter == self._stubs[-1]:
            return "at the return from its entry"
        name = self.describe(caller)
        return f"called from {caller:#x}" + (f" in {name}" if name else "")

    def supervisor_call(self) -> None:
        """End the program: on Windows, only the system's own files make system calls."""
        raise Ended(EMULATOR_FAULT, "a system call (svc)")

    def finish(self) -> None:
        """Write what output waits."""
        self._kernel.streams.flush()

    def _called(self, stub: int) -> None:
        number = self._stubs.index(stub)
        if number == len(self._image.imports):  # the entry returned
            self._call("ExitProcess", "ExitProcess")
            return
        called = self._image.imports[number]
        if called.dll.lower() != _DLL or called.name not in self._functions:
            raise Ended(EMULATOR_FAULT, f"{called} is not emulated")
        self._call(called.name, str(called))

    def _call(self, name: str, title: str) -> None:
        letters, function = self._functions[name]
        values = self.registers(*(f"x{number}" for number in range(len(letters))))
        arguments = (v & 0xFFFFFFFF if kind == "d" else v for v, kind in zip(values, letters, strict=True))
        try:
            self.answer(function(*arguments))
        except UnicornError:
            message = f"{title} was given an address where no memory is"
            raise Ended(EMULATOR_FAULT, message) from None


def _features(text: str) -> Collection[int]:
    if text in FEATURES:
        return FEATURES[text]
    try:
        return frozenset(int(word) for word in text.split(","))
    except ValueError:
        known = ", ".join(FEATURES)
        raise unicorn_command.UsageError(f"--processor-features needs {known}, or numbers") from None


def _machine(options: unicorn_command.Options) -> Machine:
    return Machine(
        aarch64_pe.load(Path(options.words[0]), TAKEN),
        options.words,
        options.environment,
        features=options.own.get("--processor-features", FEATURES["all"]),
        forbid=options.forbid,
        deterministic=options.count,
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (default: this process's) and return the exit code."""
    own = {"--processor-features": _features}
    return unicorn_command.main("unicorn_windows_arm64", words, own, _machine)


if __name__ == "__main__":
    sys.exit(main())
