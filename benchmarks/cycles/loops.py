"""The main loops of a program, found in what it executes.

What a loop is, how many bytes a pass of it takes, what it calls and which way its branches go is seen, not
guessed: the program runs twice in the emulator, on one message and on several, and what ran more often the
second time is the work on those that were added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.cycles import tools
from cmaketool.toolchains import aarch64_elf
from cmaketool.toolchains.unicorn_aarch64 import Machine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["LLVM_OBJDUMP", "Code", "Loop", "Trace", "find", "listing", "run"]

LLVM_OBJDUMP = "llvm-objdump-19"
_MOST = 0.95  # of the instructions must be those of the loops found
_FEWEST = 8  # passes a message: what happens less often is no main loop
_LISTED = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)[ \t]*(.*?)\s*$")
_REMARK = re.compile(r"\s*(?://|;).*$|\s*<[^>]*>")
_BRANCHES = re.compile(r"b|bl|br|blr|ret|cbz|cbnz|tbz|tbnz|b\.\w+")
_HINTS = frozenset({"nop", "hint", "bti", "paciasp", "autiasp"})

Block = tuple[int, int]  # address, size in bytes
Code = Mapping[int, tuple[str, str]]  # mnemonic and operands by address


class Trace(NamedTuple):
    """The basic blocks that ran, in order, and how many instructions that were."""

    blocks: list[Block]
    instructions: int


class Loop(NamedTuple):
    """One pass of a main loop in assembly, how many a message takes, and their part of all instructions."""

    lines: tuple[str, ...]
    passes: float
    share: float


def run(program: Path, *arguments: object) -> Trace:
    """Run a static program in the emulator. Raises CyclesError when it does not end with 0."""
    blocks: list[Block] = []
    words = [program.name, *map(str, arguments)]
    image = aarch64_elf.load(program)
    end = Machine(image, words, watchers=[lambda address, size: blocks.append((address, size))]).run()
    if end.code != 0:
        raise tools.CyclesError(f"{' '.join(words)} ended with {end.code}: {end.message}")
    return Trace(blocks, sum(size for _, size in blocks) // 4)


def listing(program: Path) -> Code:
    """Return all code in the program. Raises CyclesError."""
    command = [LLVM_OBJDUMP, "-d", "--no-show-raw-insn", "--mattr=+all", str(program)]
    matches = filter(None, map(_LISTED.match, tools.output(command).splitlines()))
    return {int(match[1], 16): (match[2], _REMARK.sub("", match[3]).strip()) for match in matches}


def find(code: Code, one: Trace, several: Trace, messages: int) -> list[Loop]:
    """Return the main loops of what `several` does more than `one`: one for each pass over the data.

    `code` is the program's listing, `messages` how many more messages that is. Raises CyclesError.
    """
    more = Counter(several.blocks)
    more.subtract(one.blocks)
    often = {block: count for block, count in more.items() if count >= _FEWEST * messages}
    total = several.instructions - one.instructions
    found: list[Loop] = []
    taken: set[Block] = set()
    for _, passes, _, body in sorted(_candidates(several.blocks, often)):
        if taken.isdisjoint(body):
            taken.update(body)
            share = passes * _size(body) / total
            found.append(Loop(tuple(_assembly(code, body)), passes / messages, share))
            if sum(loop.share for loop in found) >= _MOST:
                return found
    shares = ", ".join(f"{loop.share:.2f}" for loop in found)
    raise tools.CyclesError(f"the loops found are not all of the work: {shares or 'none'}")


def _size(body: Sequence[Block]) -> int:
    return sum(size for _, size in body) // 4


def _candidates(
    blocks: Sequence[Block], often: Mapping[Block, int]
) -> list[tuple[int, int, int, tuple[Block, ...]]]:
    """Return a loop for each block that runs often. Sorted, the best is first: most work, outermost, whole.

    A pass is what mostly happens from one time that the block runs to the next.
    """
    places: dict[Block, list[int]] = {block: [] for block in often}
    for index, block in enumerate(blocks):
        if block in places:
            places[block].append(index)
    result = []
    for block, at in places.items():
        bodies = Counter(tuple(blocks[first:last]) for first, last in pairwise(at))
        body = bodies.most_common(1)[0][0]
        closed_below = body[-1][0] >= block[0]
        result.append(
            (-often[block] * _size(body), often[block], block[0] if closed_below else 1 << 64, body)
        )
    return result


def _assembly(code: Code, body: Sequence[Block]) -> list[str]:
    addresses = [at for first, size in body for at in range(first, first + size, 4)]
    lines = [_line(*code[at]) for at in addresses]
    if _BRANCHES.fullmatch(code[addresses[-1]][0]):
        lines.pop()  # it closes the loop
    return [line for line in lines if line is not None]


def _line(mnemonic: str, operands: str) -> str | None:
    """Return one instruction as llvm-mca takes it out of its place; None for one that costs nothing."""
    if mnemonic in _HINTS:
        return None
    if mnemonic in {"b", "bl", "br", "blr", "ret"}:
        return "b #8"  # to llvm-mca a call takes a hundred cycles
    if _BRANCHES.fullmatch(mnemonic):
        return f"{mnemonic} {re.sub(r'0x[0-9a-f]+$', '#8', operands)}"
    if mnemonic == "ldr" and re.search(r", 0x[0-9a-f]+$", operands):
        return f"ldr {operands.partition(',')[0]}, [x30]"
    if mnemonic in {"adr", "adrp"}:
        return f"mov {operands.partition(',')[0]}, #0"
    return f"{mnemonic} {operands}".rstrip()
