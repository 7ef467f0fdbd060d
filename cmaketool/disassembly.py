"""From machine code to mnemonics and branch targets, for arm64 and x86-64.

Mnemonics are normalised so that one name says one kind of instruction:

- a condition or arrangement suffix is cut (`b.eq` is `b`), a prefix too (`rep movsb` is `movsb`);
- arm64 `pmull` and `pmull2` are the 64-bit forms; the 8-bit ones, which every arm64 has, are `pmull_8h`
  and `pmull2_8h`;
- x86-64 `pclmulqdq` is that, whatever its constant (disassemblers have a name for each);
- a VEX or EVEX instruction keeps its `v`; when all its vectors are 128 bits wide it ends in `_xmm`: `vaesenc`
  needs VAES, `vaesenc_xmm` is `aesenc` in another encoding.
"""

from __future__ import annotations

import re
import struct
import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "Branch",
    "arm64_names",
    "branches",
    "canonical",
    "is_vex",
    "legacy_form",
    "mnemonics",
    "narrow_form",
]

_XMM = "_xmm"
_CLMUL = re.compile(r"^(v?)pclmul[lh]q[lh]qdq$")
# Old instructions whose names begin with v and that no VEX prefix announces.
_NOT_VEX = frozenset(
    {
        "verr", "verw", "vmcall", "vmclear", "vmfunc", "vmlaunch", "vmload", "vmmcall", "vmptrld", "vmptrst",
        "vmread", "vmresume", "vmrun", "vmsave", "vmwrite", "vmxoff", "vmxon",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Branch:
    """A direct call or jump: where it stands, its size in bytes, and the address its operand encodes.

    In an object file that address is only the addend's share; `target` is None when the operand is no
    constant (an indirect call that a relocation may still name).
    """

    address: int
    size: int
    target: int | None


def mnemonics(architecture: str, code: bytes) -> Counter[str]:
    """Count the normalised mnemonics in `code`. Bytes that are no instruction are passed over."""
    return _x86_mnemonics(code) if architecture == "x86_64" else _arm64_mnemonics(code)


def arm64_names(code: bytes) -> list[str]:
    """Return the normalised mnemonic of every four bytes of `code`, an empty one where they are no code."""
    words = _words(code)
    _decode(words)
    return [_ARM64_NAMES[word] for word in words]


def branches(architecture: str, code: bytes, address: int) -> Iterator[Branch]:
    """Yield the calls and jumps in `code`, which stands at `address`."""
    return _x86_branches(code, address) if architecture == "x86_64" else _arm64_branches(code, address)


def canonical(mnemonic: str) -> str:
    """Return the normalised name of a mnemonic that someone wrote down."""
    return _CLMUL.sub(r"\1pclmulqdq", mnemonic.lower().partition(".")[0])


def narrow_form(mnemonic: str) -> str:
    """Return the name that a VEX instruction has here on 128-bit vectors: `vaesenc_xmm` for `vaesenc`."""
    return mnemonic + _XMM


def is_vex(mnemonic: str) -> bool:
    """Say whether a normalised x86-64 mnemonic has a VEX or EVEX encoding (needs at least AVX)."""
    return mnemonic.startswith("v") and mnemonic not in _NOT_VEX


def legacy_form(mnemonic: str) -> str | None:
    """Return `aesenc` for `vaesenc_xmm`, None for what has no 128-bit VEX encoding."""
    return mnemonic[1 : -len(_XMM)] if mnemonic.endswith(_XMM) and is_vex(mnemonic) else None


_ENGINES = threading.local()  # an engine is costly to make, and is not to be used by two threads at a time


def _disassembler(architecture: str) -> Any:
    engine = getattr(_ENGINES, architecture, None)
    if engine is None:
        import capstone  # noqa: PLC0415  an extra; and slow to import

        if architecture == "x86_64":
            engine = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        else:
            engine = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
        # Without this capstone ends at the first word of data in the code, and says nothing.
        engine.skipdata = True
        setattr(_ENGINES, architecture, engine)
    return engine


# An arm64 instruction's name does not depend on where it stands: every word is decoded once a process.
_ARM64_NAMES: dict[int, str] = {}


def _words(code: bytes) -> tuple[int, ...]:
    count = len(code) // 4
    return struct.unpack(f"<{count}I", code[: count * 4])


def _decode(words: Iterable[int]) -> None:
    """Enter into the table of names what is not in it."""
    new = [word for word in dict.fromkeys(words) if word not in _ARM64_NAMES]
    if new:
        decoded = _disassembler("arm64").disasm_lite(struct.pack(f"<{len(new)}I", *new), 0)
        for word, (_, _, name, operands) in zip(new, decoded, strict=True):
            _ARM64_NAMES[word] = _arm64_name(name, operands)


def _arm64_mnemonics(code: bytes) -> Counter[str]:
    words = Counter(_words(code))
    _decode(words)
    counts: Counter[str] = Counter()
    for word, count in words.items():
        counts[_ARM64_NAMES[word]] += count
    del counts[""]
    return counts


def _arm64_name(name: str, operands: str) -> str:
    if name.startswith("."):  # .byte: data
        return ""
    name = name.partition(".")[0]
    return f"{name}_8h" if name in {"pmull", "pmull2"} and ".8h" in operands else name


def _arm64_branches(code: bytes, address: int) -> Iterator[Branch]:
    for index, word in enumerate(_words(code)):
        if word & 0x7C000000 == 0x14000000:  # b, bl
            displacement = (word & 0x03FFFFFF) - ((word & 0x02000000) << 1)
            here = address + 4 * index
            yield Branch(here, 4, here + 4 * displacement)


def _x86_mnemonics(code: bytes) -> Counter[str]:
    raw: Counter[str] = Counter()
    for _, _, name, operands in _disassembler("x86_64").disasm_lite(code, 0):
        if name[0] == "v" and "xmm" in operands and "ymm" not in operands and "zmm" not in operands:
            raw[name + " "] += 1
        else:
            raw[name] += 1
    counts: Counter[str] = Counter()
    for name, count in raw.items():
        if not name.startswith("."):  # .byte: data
            narrow = _XMM if name.endswith(" ") else ""
            counts[canonical(name.rstrip().rpartition(" ")[2]) + narrow] += count
    return counts


def _x86_branches(code: bytes, address: int) -> Iterator[Branch]:
    for here, size, name, operands in _disassembler("x86_64").disasm_lite(code, address):
        word = name.rpartition(" ")[2]
        if word[0] == "j" or word == "call":
            constant = operands[:1].isdigit()  # 0x2a, but 0 to 9 without 0x
            yield Branch(here, size, int(operands, 0) if constant else None)
