"""What LLVM 19's models of CPUs get wrong, and what is put in place of it.

A repair is a way to write an instruction as another, or as two, that the model charges as the CPU's vendor
says. What is computed is not kept: only which registers are read and written, and what that costs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["REPAIRS", "Repair", "fused", "repaired"]

_ALU = "add|sub|and|orr|eor|bic|orn|eon"
_X = r"(?:[wx]\d+|[wx]zr)"


class Repair(NamedTuple):
    """One fault: which models have it, what instruction it is about, what takes its place."""

    why: str
    cpus: tuple[str, ...]  # as llvm-mca names them; none: all
    pattern: re.Pattern[str]
    write: Callable[[re.Match[str]], list[str]]

    def apply(self, cpu: str, line: str) -> list[str] | None:
        """Return what `line` becomes for `cpu`, None where it stays."""
        match = self.pattern.fullmatch(line) if not self.cpus or cpu in self.cpus else None
        return None if match is None else self.write(match)


def _step(base: str, by: str) -> str:
    if by.startswith("x"):
        return f"adc {base}, {base}, {by}"
    number = int(by.removeprefix("#"), 0)
    return f"{'add' if number >= 0 else 'sub'} {base}, {base}, #{abs(number)}"


def _load(match: re.Match[str]) -> list[str]:
    offset = min(
        255, int(match[3] or "0", 0)
    )  # what the other form can say; no offset costs more than another
    return [f"ldur x{match[1]}, [{match[2]}, #{offset}]"]


def _repair(
    why: str, cpus: tuple[str, ...], pattern: str, write: str | Callable[[re.Match[str]], list[str]]
) -> Repair:
    made = (lambda match: [match.expand(write)]) if isinstance(write, str) else write
    return Repair(why, cpus, re.compile(pattern), made)


_ORYON = ("oryon-1",)
_SHIFTED = "takes a register that is not shifted for one that is: 2 cycles and 1.5 a cycle, for 1 cycle"
_MISSING = "has no entry, and so no cost that means anything"

# Applied one after another: what one leaves, an access without write-back, another may be about.
REPAIRS = (
    _repair(
        "an address that is written back waits for what is loaded",
        (),
        r"((?:ld|st)\S*\s+.*)\[(\w+)\], (#-?\w+|x\d+)",
        lambda match: [f"{match[1]}[{match[2]}]", _step(match[2], match[3])],
    ),
    _repair(
        "an address that is written back before the access waits for what is loaded",
        (),
        r"((?:ld|st)\S*\s+.*)\[(\w+), (#-?\w+)\]!",
        lambda match: [_step(match[2], match[3]), f"{match[1]}[{match[2]}]"],
    ),
    _repair(_SHIFTED, _ORYON, rf"(?:{_ALU})\s+({_X}), ({_X}), ({_X})", r"adc \1, \2, \3"),
    _repair(_SHIFTED, _ORYON, rf"(?:adds|subs|ands|bics)\s+({_X}), ({_X}), ({_X})", r"adcs \1, \2, \3"),
    _repair(_SHIFTED, _ORYON, rf"(?:cmp|cmn|tst)\s+({_X}), {_X}", r"cmp \1, #1"),
    _repair(_SHIFTED, _ORYON, rf"mov\s+(([wx])\d+), ({_X})", r"adc \1, \3, \2zr"),
    _repair(_MISSING, _ORYON, r"ldu?r\s+[wx](\d+), \[(\w+)(?:, #(-?\w+))?\]", _load),
    _repair(_MISSING, _ORYON, r"shl\s+d(\d+), d(\d+), (#\w+)", r"shl v\1.2d, v\2.2d, \3"),
    _repair(_MISSING, _ORYON, r"mov\s+d(\d+), v(\d+)\.d\[1\]", r"dup v\1.2d, v\2.d[1]"),
)


def repaired(cpu: str, lines: Iterable[str]) -> list[str]:
    """Return `lines` of assembly as the model of `cpu` must be given them."""
    result = list(lines)
    for repair in REPAIRS:
        result = [new for line in result for new in (repair.apply(cpu, line) or [line])]
    return result


_ROUND = re.compile(r"aes([ed])\s+(v\d+)\.16b, v\d+\.16b")
_MIX = re.compile(r"aes(i?)mc\s+(v\d+)\.16b, (v\d+)\.16b")


def fused(lines: Iterable[str]) -> list[str]:
    """Return `lines` with each AES round one instruction, as all CPUs here run a round and its mixing.

    The models charge two. Only pairs next to each other in the same register are one.
    """
    result: list[str] = []
    previous = ""
    for line in lines:
        mix, before = _MIX.fullmatch(line), _ROUND.fullmatch(previous)
        if mix and before and mix[2] == mix[3] == before[2] and (before[1] == "d") == (mix[1] == "i"):
            previous = ""
        else:
            result.append(line)
            previous = line
    return result
