"""The cycle model with its tools: that its repairs matter, and that it notices a kernel that got slower."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.cycles import model, programs, repairs, tools
from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build


@pytest.mark.parametrize(
    ("cpu", "line", "right"),
    [
        # By the vendor's table, which the model's source quotes, 6 a cycle, and 4 where flags are written.
        # What they are written as is done 4 times a cycle.
        pytest.param("oryon-1", "eor x{n}, x20, x21", 0.25, id="oryon-not-shifted"),
        pytest.param("oryon-1", "cmp x{n}, x21", 0.25, id="oryon-compare"),
        # The next access needs the address alone, which is one addition away.
        pytest.param("oryon-1", "ldr q{n}, [x20], #16", 1.0, id="oryon-written-back"),
        pytest.param("neoverse-v2", "stp q{n}, q30, [x20], #32", 1.0, id="v2-written-back"),
    ],
)
def test_repairs_matter(monkeypatch: pytest.MonkeyPatch, cpu: str, line: str, right: float) -> None:
    require_tool(model.LLVM_MCA)
    lines = [line.format(n=number) for number in range(12)]
    repaired = model.cycles(cpu, lines) / len(lines)
    monkeypatch.setattr(repairs, "REPAIRS", ())
    as_it_is = model.cycles(cpu, lines) / len(lines)
    assert repaired == pytest.approx(right, rel=0.05)
    assert as_it_is > 1.5 * repaired


def test_fusing_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    require_tool(model.LLVM_MCA)
    chain = ["aese v0.16b, v1.16b", "aesmc v0.16b, v0.16b"] * 4
    together = model.cycles("neoverse-v2", chain)
    monkeypatch.setattr(repairs, "fused", list)
    assert together == pytest.approx(8)
    assert model.cycles("neoverse-v2", chain) == pytest.approx(16)


def test_what_the_model_does_not_take_is_an_error() -> None:
    require_tool(model.LLVM_MCA)
    with pytest.raises(tools.CyclesError, match=r"oryon-1 [^\n]*\n.*unrecognized instruction"):
        model.cycles("oryon-1", ["no_such x0"])


def table(*words: str) -> subprocess.CompletedProcess[str]:
    for tool in (model.LLVM_MCA, *(command[0] for command in programs.COMPILERS.values())):
        require_tool(tool)
    command = [sys.executable, "-m", "benchmarks.cycles", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, text=True, capture_output=True, env=environment, check=False)


@pytest.mark.nightly
def test_a_slower_kernel_is_outside_and_named(tmp_path: Path) -> None:
    """A tooth: the last rounds of each block are done five times."""
    kernels = tmp_path / "kernels"
    shutil.copytree(ROOT / "kernels", kernels)
    core = kernels / "arm64" / "sha256_core.h"
    text = core.read_text(encoding="utf-8")
    last = "        FOUR_ROUNDS(15, w3)\n"
    assert text.count(last) == 1
    core.write_text(text.replace(last, last * 5), encoding="utf-8")
    words = ("--row", "sha-256", "--compiler", "gcc-12", "--json")
    right, wrong = table(*words), table(*words, "--kernels", str(kernels))
    assert (right.returncode, wrong.returncode) == (0, 1), right.stderr + wrong.stderr
    before, after = (json.loads(done.stdout)["rows"][0] for done in (right, wrong))
    assert before["state"] != after["state"] == "OUTSIDE"
    assert after["cycles"]["neoverse-n1"]["here"] > 1.15 * before["cycles"]["neoverse-n1"]["here"]
    assert wrong.stderr.startswith("outside: SHA-256, gcc-12: instructions: ")


def test_no_tools_is_said_not_thrown(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.cycles", "--row", "sha-256"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": str(tmp_path)}
    done = subprocess.run(command, text=True, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: aarch64-linux-gnu-gcc-12 cannot be run: No such file or directory\n"
