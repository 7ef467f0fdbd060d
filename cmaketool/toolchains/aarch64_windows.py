"""The functions of KERNEL32.dll that a console program without a C library of Windows' own needs.

What they answer, and which errors GetLastError then tells, is as Microsoft documents it. Text is UTF-8: the
code page of a program whose manifest asks for that.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from cmaketool.toolchains.aarch64_cpu import Ended
from cmaketool.toolchains.aarch64_image import UnusableProgramError
from cmaketool.toolchains.aarch64_streams import Streams

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from cmaketool.toolchains.aarch64_memory import Memory
    from cmaketool.toolchains.aarch64_windows_thread import Thread

__all__ = ["FEATURES", "Kernel32", "command_line"]

# winnt.h: PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE 30 (AES, PMULL, SHA-1 and SHA-256 together),
# PF_ARM_V8_CRC32_INSTRUCTIONS_AVAILABLE 31, PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE 64,
# PF_ARM_SHA512_INSTRUCTIONS_AVAILABLE 65.
FEATURES = {"none": frozenset[int](), "crypto": frozenset({30, 31}), "all": frozenset({30, 31, 64, 65})}

_INVALID_HANDLE, _WRITE_FAULT, _READ_FAULT, _NOT_FOUND, _NO_DATA = 6, 29, 30, 203, 232  # winerror.h
_INPUT, _OUTPUT, _ERROR = 0x10, 0x14, 0x18  # handles
_STANDARD = {-10 & 0xFFFFFFFF: _INPUT, -11 & 0xFFFFFFFF: _OUTPUT, -12 & 0xFFFFFFFF: _ERROR}
_DESCRIPTORS = {_OUTPUT: 1, _ERROR: 2}
_INVALID_HANDLE_VALUE = -1
_LARGEST_CODE = 255  # of those that every system passes on
_LONGEST_LINE = 32766
_READ_WRITE = 3


def command_line(words: Iterable[str]) -> str:
    """Return the command line that start-up code by Microsoft's rules takes apart into `words` again.

    (learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments. The first word's quotes need other
    rules, but no path on Windows has one.)
    """
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if word and not set(word) & set(' \t"'):
        return word
    word = re.sub(r'(\\*)"', r'\1\1\\"', word)  # backslashes count double before a quote
    return '"' + re.sub(r"(\\+)\Z", r"\1\1", word) + '"'


class Kernel32:
    """Answers calls. `words` begins with the program's name, `environment` holds NAME=VALUE texts.

    `features` are the numbers for which IsProcessorFeaturePresent says yes.
    """

    def __init__(
        self,
        memory: Memory,
        thread: Thread,
        words: Sequence[str],
        environment: Iterable[str],
        features: Collection[int],
    ) -> None:
        self._memory, self._thread, self._features = memory, thread, features
        settings = (text.encode("utf-8", "surrogateescape").partition(b"=") for text in environment)
        self._environment = {name.upper(): value for name, _, value in settings}
        self.streams = Streams()
        line = command_line(words).encode("utf-8", "surrogateescape") + b"\0"
        if len(line) > _LONGEST_LINE + 1:
            raise UnusableProgramError(f"Windows takes no command line of more than {_LONGEST_LINE} bytes")
        self._command_line = memory.allocate(len(line), _READ_WRITE)
        memory.write(self._command_line, line)

    @property
    def functions(self) -> dict[str, tuple[str, Callable[..., int]]]:
        """Each function by name: a letter for each argument (d: 32 bits, p: 64), and what answers it."""
        return {
            "ExitProcess": ("d", self._exit_process),
            "GetCommandLineA": ("", self._get_command_line),
            "GetEnvironmentVariableA": ("ppd", self._get_environment_variable),
            "GetLastError": ("", self._get_last_error),
            "GetStdHandle": ("d", self._get_std_handle),
            "IsProcessorFeaturePresent": ("d", self._is_processor_feature_present),
            "ReadFile": ("ppdpp", self._read_file),
            "SetLastError": ("d", self._set_last_error),
            "WriteFile": ("ppdpp", self._write_file),
        }

    def _exit_process(self, code: int) -> int:
        if code > _LARGEST_CODE:
            message = f"the exit code {code:#x} is more than can be passed on, so it is {_LARGEST_CODE}"
            raise Ended(_LARGEST_CODE, message)
        raise Ended(code)

    def _get_command_line(self) -> int:
        return self._command_line

    def _get_environment_variable(self, name: int, buffer: int, size: int) -> int:
        value = self._environment.get(self._memory.text(name).upper())
        if value is None:
            return self._thread.fail(_NOT_FOUND)
        if len(value) >= size:
            return len(value) + 1
        self._memory.write(buffer, value + b"\0")
        return len(value)

    def _get_last_error(self) -> int:
        return self._thread.last_error

    def _set_last_error(self, code: int) -> int:
        self._thread.last_error = code
        return 0

    def _get_std_handle(self, which: int) -> int:
        if which not in _STANDARD:
            self._thread.fail(_INVALID_HANDLE)
        return _STANDARD.get(which, _INVALID_HANDLE_VALUE)

    def _is_processor_feature_present(self, number: int) -> int:
        return int(number in self._features)

    def _read_file(self, handle: int, buffer: int, size: int, done: int, _overlapped: int) -> int:
        self._put_count(done, 0)
        if handle != _INPUT:
            return self._thread.fail(_INVALID_HANDLE)
        try:
            data = self.streams.read(size)
        except OSError:
            return self._thread.fail(_READ_FAULT)
        self._memory.write(buffer, data)
        self._put_count(done, len(data))
        return 1

    def _write_file(self, handle: int, buffer: int, size: int, done: int, _overlapped: int) -> int:
        self._put_count(done, 0)
        if handle not in _DESCRIPTORS:
            return self._thread.fail(_INVALID_HANDLE)
        try:
            self.streams.write(_DESCRIPTORS[handle], self._memory.read(buffer, size) if size else b"")
        except BrokenPipeError:
            return self._thread.fail(_NO_DATA)
        except OSError:
            return self._thread.fail(_WRITE_FAULT)
        self._put_count(done, size)
        return 1

    def _put_count(self, address: int, count: int) -> None:
        if address:
            self._memory.write(address, struct.pack("<I", count))
