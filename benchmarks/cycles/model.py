"""Cycles of a loop in its steady state, by llvm-mca's model of a CPU with `repairs`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchmarks.cycles import repairs, tools

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LLVM_MCA", "cycles"]

LLVM_MCA = "llvm-mca-19"  # another version has other models, and other faults
_FEATURES = "-mattr=+aes,+sha2,+sha3,+crc,+lse"
_INSTRUCTIONS = 20_000  # simulated for one answer: the longest loop passes some times, the shortest many
_PASSES = (8, 200)


def cycles(cpu: str, lines: Sequence[str]) -> float:
    """Return the cycles that one pass through the loop body `lines` costs on `cpu`, once it runs steadily.

    Caches, fetching and branches are not part of it: every access takes what the nearest cache needs, and
    every branch is foreseen. Raises CyclesError.
    """
    ready = repairs.repaired(cpu, repairs.fused(lines))
    passes = max(_PASSES[0], min(_PASSES[1], _INSTRUCTIONS // len(ready)))
    text = "\n".join([*ready, ""])
    half = passes // 2
    return (_total(cpu, text, passes) - _total(cpu, text, half)) / (passes - half)


def _total(cpu: str, text: str, passes: int) -> int:
    command = [LLVM_MCA, "-mtriple=aarch64", f"-mcpu={cpu}", _FEATURES, f"-iterations={passes}"]
    command += ["-instruction-info=false", "-resource-pressure=false"]
    found = re.search(r"^Total Cycles:\s+(\d+)$", tools.output(command, text), re.MULTILINE)
    if found is None:
        raise tools.CyclesError(f"{' '.join(command)} says nothing of cycles")
    return int(found[1])
