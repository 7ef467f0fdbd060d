"""The command line that the emulators have in common, and running a program by it."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Any

from cmaketool.toolchains.aarch64_cpu import EMULATOR_FAULT, Ended
from cmaketool.toolchains.aarch64_image import UnusableProgramError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cmaketool.toolchains.aarch64_cpu import Cpu

__all__ = ["Options", "UsageError", "main"]

_SHARED = ("--env", "--forbid", "--timeout")  # options with a value


class UsageError(Exception):
    """The command line is not right; the message says what."""


class Options:
    """What a command line says: the program and its arguments, and the values of options.

    `own` holds those of one emulator's options that were given, by name.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self.environment: list[str] = []
        self.forbid: list[str] = []
        self.count = False
        self.timeout: float | None = None
        self.own: dict[str, Any] = {}


def _set(options: Options, option: str, text: str) -> None:
    """Enter the value of one of _SHARED. Raises ValueError, UsageError."""
    if option == "--forbid":
        options.forbid += text.split(",")
    elif option == "--timeout":
        options.timeout = float(text)
    elif "=" in text[1:]:
        options.environment.append(text)
    else:
        raise UsageError(f"{option} needs NAME=VALUE")


def _parse(words: Sequence[str], own: Mapping[str, Callable[[str], object]]) -> Options:
    """Parse the command line by hand: argparse would cost more than running a small program."""
    options, rest = Options(), list(words)
    while rest and rest[0].startswith("--"):
        option = rest.pop(0)
        try:
            if option == "--count":
                options.count = True
            elif option in own:
                options.own[option] = own[option](rest.pop(0))
            elif option in _SHARED:
                _set(options, option, rest.pop(0))
            else:
                raise UsageError(f"unknown option {option}")
        except (IndexError, ValueError):
            raise UsageError(f"{option} needs a value") from None
    if not rest:
        raise UsageError("no program named")
    options.words = rest
    return options


def _run(machine: Cpu, options: Options) -> Ended:
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


def main(
    name: str,
    words: Sequence[str] | None,
    own: Mapping[str, Callable[[str], object]],
    machine: Callable[[Options], Cpu],
) -> int:
    """Run the command line `words` (None: this process's) of the emulator `name`; return the exit code.

    `own` are its own options: what reads the text of each one's value, and raises ValueError or UsageError.
    `machine` makes, of the options, what runs the program; it may raise UnusableProgramError, OSError.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's handler would wait for the program to end
    try:
        options = _parse(sys.argv[1:] if words is None else words, own)
        end = _run(machine(options), options)
    except (UsageError, UnusableProgramError, OSError) as error:
        end = Ended(EMULATOR_FAULT, str(error))
    if end.message is not None:
        sys.stderr.write(f"{name}: {end.message}\n")
    return end.code
