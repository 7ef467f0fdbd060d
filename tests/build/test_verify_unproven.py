"""A kernel that uses a name of which nothing shows that cl takes it is told from those that do not."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, outputs, plan, render
from cmaketool.diagnostics import ExitCode
from cmaketool.manifest import load
from cmaketool.standins.msvc_model import evidence
from cmaketool.verify import report
from tests.build.verify_support import run
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

MANIFEST = """\
schema: 1
name: odd
options: {LANES: {help: lanes}}
kernels:
  even: {option: LANES, architecture: arm64, features: [aes], sources: [even.c], symbols: [odd_even]}
  both: {option: LANES, architecture: arm64, features: [aes], sources: [both.c], symbols: [odd_both]}
"""
SOURCE = """\
#include "odd_kernels_config.h"
#if ODD_BUILD_{kernel}
#include <arm64_neon.h>
#define LANES {name}
void odd_{symbol}(unsigned int *to, const unsigned int *from);
void odd_{symbol}(unsigned int *to, const unsigned int *from)
{{
    uint32x4_t lanes = vld1q_u32(from);
    vst1q_u32(to, LANES(lanes, lanes));
}}
#else
typedef int odd_{symbol}_is_not_built;
#endif
"""
PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(odd C)
string(PREPEND CMAKE_C_COMPILE_OBJECT "{launcher} ")
add_library(odd STATIC base.c)
include(odd_kernels.cmake)
odd_target_kernels(odd)
"""
UNKNOWN, KNOWN = "vuzp1q_u32", "vaddq_u32"


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    assert evidence.unproven([UNKNOWN, KNOWN]) == (UNKNOWN,), "choose another name"
    leg_or_skip("msvc-model-arm64", tmp_path / "leg")
    for symbol, name in (("even", UNKNOWN), ("both", KNOWN)):
        text = SOURCE.format(kernel=symbol.upper(), symbol=symbol, name=name)
        (tmp_path / f"{symbol}.c").write_text(text, encoding="utf-8")
    path = tmp_path / "kernels.yml"
    path.write_text(MANIFEST, encoding="utf-8")
    return path


def test_the_kernel_is_told(manifest: Path) -> None:
    outcome = run(manifest, toolchains=("msvc-model-arm64",), until="objects", require=True)
    assert outcome.code is ExitCode.NOT_SHOWN
    reason = f"even: unproven on cl: {UNKNOWN} on msvc-model-arm64"
    assert outcome.summary == f"NOT RUN, and --require: {reason}"
    (leg,) = json.loads(report.as_json(outcome))["legs"]
    assert [(one["kernel"], one["verdict"], one["unproven"]) for one in leg["kernels"]] == [
        ("even", "PASS", [UNKNOWN]),
        ("both", "PASS", []),
    ]


@pytest.mark.skipif(os.name == "nt", reason="the launcher is a shell script")
def test_what_cannot_be_looked_through_is_not_proven(manifest: Path, tmp_path: Path) -> None:
    launcher = tmp_path / "launch"
    launcher.write_text('#!/bin/sh\ncase " $* " in *" -E "*) exit 1;; esac\nexec "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    (tmp_path / "base.c").write_text("int odd_base;\n", encoding="utf-8")
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(launcher=launcher), encoding="utf-8")
    outputs.write(tmp_path, render.render(plan.resolve(load(manifest), catalogue.load()), tmp_path))
    legs = ("msvc-model-arm64",)
    outcome = run(manifest, project=tmp_path, target="odd", toolchains=legs, until="objects")
    assert outcome.code is ExitCode.NOT_SHOWN, outcome.findings
    assert "compiled: what it uses of cl cannot be told, its preprocessing failed" in outcome.summary
