"""What tests count instructions with, against a program whose instructions are known."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.build.tracing import costs, paths
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

# `pick` is a dispatcher as it should be: it loads the word, and goes to `fill` or on to `first`.
# `loop` costs 3 for each round, and 2 and a call of `leaf` (2) and a load besides, from bl to ret.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
unsigned word;
void pick(void);
void loop(long rounds);
__asm__(".text\n"
    ".globl pick\n.type pick, %function\npick:\n"
    " adrp x9, word\n ldr w10, [x9, :lo12:word]\n tbz w10, #0, 1f\n b first\n1: b fill\n"
    ".size pick, . - pick\n"
    ".globl first\n.type first, %function\nfirst: nop\n ret\n.size first, . - first\n"
    ".globl fill\n.type fill, %function\nfill:\n"
    " mov w11, #1\n adrp x9, word\n str w11, [x9, :lo12:word]\n b pick\n.size fill, . - fill\n"
    ".globl leaf\n.type leaf, %function\nleaf: nop\n ret\n.size leaf, . - leaf\n"
    ".globl loop\n.type loop, %function\nloop:\n"
    " str x30, [sp, #-16]!\n bl leaf\n ldr x30, [sp], #16\n"
    "1: nop\n subs x0, x0, #1\n b.ne 1b\n ret\n.size loop, . - loop\n");
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) { pick(); loop(atol(argv[i])); }
    return getenv("FAIL") != NULL;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tracing")
    leg = leg_or_skip("zig-aarch64-linux-musl", folder / "leg")
    leg.warm()
    (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
    command = [str(leg.compiler), "-O2", "-static", str(folder / "program.c"), "-o", str(folder / "program")]
    subprocess.run(command, check=True)
    return folder / "program"


def test_the_way_to_the_next_function(program: Path) -> None:
    first, second, third = paths(program, "pick", ["1", "1"])
    assert [step.mnemonic for step in first.steps] == ["adrp", "ldr", "tbz", "b"]
    assert (first.reached, second.reached, third.reached) == ("fill", "first", "first")
    assert second.steps == third.steps == (*first.steps[:3], second.steps[-1])
    assert [(step.mnemonic, step.operands.partition(",")[0]) for step in second.loads] == [("ldr", "w10")]
    assert [step.mnemonic for step in second.branches] == ["tbz"]
    begin = second.steps[0].address
    assert [step.address - begin for step in second.steps] == [0, 4, 8, 12]
    assert [step.address - begin for step in first.steps] == [0, 4, 8, 16]


def test_a_function_that_reaches_no_other(program: Path) -> None:
    (call,) = paths(program, "leaf", ["5"])
    assert ([step.mnemonic for step in call.steps], call.reached) == (["nop", "ret"], None)
    assert (call.loads, call.branches) == ([], [])


def test_the_cost_of_a_call(program: Path) -> None:
    assert costs(program, "loop", ["1", "10", "3"]) == [6 + 3 * rounds for rounds in (1, 10, 3)]
    assert costs(program, "leaf", ["1"]) == [2]
    assert costs(program, "pick", ["1", "1"]) == [4 + 4 + 4 + 2, 4 + 2]
    assert costs(program, "pick") == []


def test_what_cannot_be_traced(program: Path) -> None:
    with pytest.raises(KeyError, match="0 functions are named absent"):
        costs(program, "absent")
    with pytest.raises(AssertionError):
        costs(program, "leaf", environment=["FAIL=1"])
