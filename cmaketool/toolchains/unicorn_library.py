"""unicorn's library without its Python package, which takes longer to import than most programs take to run.

Of its C interface (unicorn.h and arm64.h of unicorn 2) this has what one AArch64 CPU needs, of the newest
model. Numbers of registers, hooks and controls are those of the headers.
"""

from __future__ import annotations

import ctypes
import sys
from importlib.util import find_spec
from os import path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["FETCH", "READ", "REGISTERS", "WRITE", "Engine", "UnicornError"]

READ, WRITE, FETCH = 16, 17, 18  # what a program does with memory
# unicorn's numbers of x29 and x30 do not follow on x28's.
REGISTERS = {f"x{number}": 199 + number for number in range(29)} | {
    "lr": 2, "sp": 4, "pc": 260, "cpacr_el1": 261,
}  # fmt: skip

_ARM64, _NO_MODE, _NEWEST = 2, 0, 3
_INTERRUPT, _INSTRUCTION, _CODE, _BLOCK, _INVALID_ACCESS, _TRANSLATION = 1, 2, 4, 8, 1008, 1 << 17  # hooks
_MRS = 1  # of the instructions that can be hooked
_CPU_MODEL, _FORGET_CODE, _FORGET_TRANSLATIONS, _TRANSLATES = 7, 9, 11, 12  # controls
_BY_HOOK = 1
_ALL = (1, 0)  # of addresses, the first and the last
_NAMES = {"darwin": "libunicorn.2.dylib", "win32": "unicorn.dll"}

_u32, _u64, _void = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p


class _Region(ctypes.Structure):
    _fields_ = (("first", _u64), ("last", _u64), ("protection", _u32))


class _Translation(ctypes.Structure):
    _fields_ = (("address", _u64), ("protection", ctypes.c_int))


class _SystemRegister(ctypes.Structure):
    _fields_ = (("crn", _u32), ("crm", _u32), ("op0", _u32), ("op1", _u32), ("op2", _u32), ("value", _u64))


_ON_INTERRUPT = ctypes.CFUNCTYPE(None, _void, _u32, _void)
_ON_CODE = ctypes.CFUNCTYPE(None, _void, _u64, _u32, _void)
_ON_ACCESS = ctypes.CFUNCTYPE(ctypes.c_bool, _void, ctypes.c_int, _u64, ctypes.c_int, ctypes.c_int64, _void)
_ON_MRS = ctypes.CFUNCTYPE(_u32, _void, ctypes.c_int, ctypes.POINTER(_SystemRegister), _void)
_ON_TRANSLATION = ctypes.CFUNCTYPE(
    ctypes.c_bool, _void, _u64, ctypes.c_int, ctypes.POINTER(_Translation), _void
)


def _load() -> ctypes.CDLL:
    """Return the library of the package, or the system's where the package brings none."""
    name = _NAMES.get(sys.platform, "libunicorn.so.2")
    spec = find_spec("unicorn")
    beside = path.join(path.dirname(spec.origin), "lib", name) if spec and spec.origin else ""  # noqa: PTH118, PTH120
    library = ctypes.CDLL(beside if path.isfile(beside) else name)  # noqa: PTH113
    library.uc_strerror.restype = ctypes.c_char_p
    library.uc_open.argtypes = (ctypes.c_int, ctypes.c_int, _void)
    library.uc_close.argtypes = library.uc_emu_stop.argtypes = (_void,)
    library.uc_emu_start.argtypes = (_void, _u64, _u64, _u64, ctypes.c_size_t)
    library.uc_mem_map.argtypes = library.uc_mem_protect.argtypes = (_void, _u64, _u64, _u32)
    library.uc_mem_unmap.argtypes = (_void, _u64, _u64)
    library.uc_mem_read.argtypes = library.uc_mem_write.argtypes = (_void, _u64, ctypes.c_char_p, _u64)
    library.uc_mem_regions.argtypes = (_void, _void, _void)
    library.uc_free.argtypes = (_void,)
    library.uc_reg_read.argtypes = library.uc_reg_write.argtypes = (_void, ctypes.c_int, _void)
    # What comes behind these has no type in C either.
    library.uc_ctl.argtypes = (_void, ctypes.c_int)
    library.uc_hook_add.argtypes = (_void, _void, ctypes.c_int, _void, _void, _u64, _u64)
    return library


_LIBRARY = _load()


class UnicornError(Exception):
    """unicorn refused something; the message is its own."""


def _check(error: int) -> None:
    if error:
        raise UnicornError(_LIBRARY.uc_strerror(error).decode("ascii"))


class Engine:
    """One CPU with its memory. Everything raises UnicornError.

    What a hook raises stops the program, and is raised by `start`.
    """

    def __init__(self) -> None:
        self._handle = _void()
        self._hooks: list[object] = []
        self._raised: BaseException | None = None
        _check(_LIBRARY.uc_open(_ARM64, _NO_MODE, ctypes.byref(self._handle)))
        self._control(_CPU_MODEL, ctypes.c_int(_NEWEST))

    def __del__(self, close: Callable[[ctypes.c_void_p], int] = _LIBRARY.uc_close) -> None:
        """Give the memory back."""
        if self._handle.value:
            close(self._handle)

    def _control(self, what: int, *values: Any) -> None:
        _check(_LIBRARY.uc_ctl(self._handle, 1 << 30 | len(values) << 26 | what, *values))

    # Running

    def start(self, begin: int, until: int) -> None:
        """Run from `begin` until `until` or `stop`."""
        self._raised = None
        error = _LIBRARY.uc_emu_start(self._handle, begin, until, 0, 0)
        if self._raised is not None:
            raise self._raised
        _check(error)

    def stop(self) -> None:
        """Let `start` return, from a hook or another thread."""
        _check(_LIBRARY.uc_emu_stop(self._handle))

    # Registers, by their keys in REGISTERS, or numbers

    def register(self, name: str) -> int:
        """Return what a register holds."""
        value = _u64()
        _check(_LIBRARY.uc_reg_read(self._handle, REGISTERS[name], ctypes.byref(value)))
        return value.value

    def set_register(self, name: str | int, value: int) -> None:
        """Put `value` into a register."""
        number = name if isinstance(name, int) else REGISTERS[name]
        _check(_LIBRARY.uc_reg_write(self._handle, number, ctypes.byref(_u64(value))))

    # Memory; protection is as in mmap

    def map(self, address: int, size: int, protection: int) -> None:
        """Map zeroed pages where none are."""
        _check(_LIBRARY.uc_mem_map(self._handle, address, size, protection))

    def unmap(self, address: int, size: int) -> None:
        """Take pages away."""
        _check(_LIBRARY.uc_mem_unmap(self._handle, address, size))

    def protect(self, address: int, size: int, protection: int) -> None:
        """Change the protection of pages."""
        _check(_LIBRARY.uc_mem_protect(self._handle, address, size, protection))

    def regions(self) -> Iterator[tuple[int, int, int]]:
        """Yield what is mapped: first and last address, protection."""
        found, count = ctypes.POINTER(_Region)(), _u32()
        _check(_LIBRARY.uc_mem_regions(self._handle, ctypes.byref(found), ctypes.byref(count)))
        listed = [(one.first, one.last, one.protection) for one in found[: count.value]]
        _LIBRARY.uc_free(found)
        yield from listed

    def read(self, address: int, size: int) -> bytes:
        """Return bytes of memory, whatever their protection."""
        data = ctypes.create_string_buffer(size)
        _check(_LIBRARY.uc_mem_read(self._handle, address, data, size))
        return data.raw

    def write(self, address: int, data: bytes) -> None:
        """Write bytes into memory, whatever its protection."""
        _check(_LIBRARY.uc_mem_write(self._handle, address, data, len(data)))

    def forget_code(self, begin: int, end: int) -> None:
        """Translate code anew that is not what it was."""
        self._control(_FORGET_CODE, _u64(begin), _u64(end))

    def forget_translations(self) -> None:
        """Ask the hook of `translate` again for each page."""
        self._control(_FORGET_TRANSLATIONS)

    # Hooks

    def _guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(_handle: int, *arguments: Any) -> Any:
            try:
                return function(*arguments[:-1])
            except BaseException as error:  # none passes through the library
                self._raised = self._raised or error
                self.stop()
                return 0

        return called

    def _hook(
        self, kind: int, type_: Any, function: Callable[..., Any], where: Iterable[int] = _ALL, *more: Any
    ) -> None:
        callback = type_(self._guarded(function))
        self._hooks.append(callback)  # nothing else keeps it
        pointer = ctypes.cast(callback, _void)
        _check(_LIBRARY.uc_hook_add(self._handle, ctypes.byref(_void()), kind, pointer, None, *where, *more))

    def on_interrupt(self, function: Callable[[int], None]) -> None:
        """Call `function` with the number of each exception that the CPU takes."""
        self._hook(_INTERRUPT, _ON_INTERRUPT, function)

    def on_block(self, function: Callable[[int, int], None]) -> None:
        """Call `function` with address and size of each basic block before it runs."""
        self._hook(_BLOCK, _ON_CODE, function)

    def on_code(self, first: int, last: int, function: Callable[[int], None]) -> None:
        """Call `function` with the address of each instruction from `first` to `last` before it runs."""
        self._hook(_CODE, _ON_CODE, lambda address, _size: function(address), (first, last))

    def on_invalid_access(self, function: Callable[[int, int, int], None]) -> None:
        """Call `function` with kind, address and size of an access that stops the program."""

        def called(kind: int, address: int, size: int, _value: int) -> bool:
            function(kind, address, size)
            return False

        self._hook(_INVALID_ACCESS, _ON_ACCESS, called)

    def on_mrs(self, function: Callable[[tuple[int, ...]], int | None]) -> None:
        """Let `function` say what a system register (op0, op1, CRn, CRm, op2) holds; None: unicorn says."""

        def called(register: int, system: Any) -> int:
            one = system.contents
            value = function((one.op0, one.op1, one.crn, one.crm, one.op2))
            if value is None:
                return 0
            self.set_register(register, value)
            return 1

        self._hook(_INSTRUCTION, _ON_MRS, called, _ALL, ctypes.c_int(_MRS))

    def translate(self, function: Callable[[int, int], int | None]) -> None:
        """Let `function` say, of a page and READ, WRITE or FETCH, what is allowed there; None: not that.

        It is asked when the program first comes to a page. Addresses are those of memory.
        """

        def called(page: int, access: int, result: Any) -> bool:
            protection = function(page, access)
            if protection is None:
                return False
            result.contents.address, result.contents.protection = page, protection
            return True

        self._control(_TRANSLATES, ctypes.c_uint(_BY_HOOK))
        self._hook(_TRANSLATION, _ON_TRANSLATION, called)
