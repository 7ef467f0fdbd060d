"""What cl takes otherwise than its relatives do, or not at all: kernels that met it in real projects."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest, outputs, plan, render
from cmaketool.verify import report
from cmaketool.verify.model import Verdict
from tests.build.legprojects import LegProject, run
from tests.build.verify_support import run as verify
from tests.msvc_model import support
from tests.support import ROOT, require_tool, shared_leg

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool import toolchains

pytestmark = pytest.mark.build

TWICE = ROOT / "tests" / "manifests" / "twice"
DIALECT = ROOT / "kernels" / "arm64"

# GNU vector syntax where the sources say `vdupq_n_u8(0)`; cl's corpus has each by itself.
GNU_SYNTAX = """\
    static const uint8x16_t zero = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    uint8x16_t (*const rows)(uint8x16_t, uint8x16_t) = vaeseq_u8;
    uint32x4_t words = (uint32x4_t)zero;
    state[0] = (unsigned char)(state[0] + words[0]);
"""


def manifest_of(folder: Path, edits: dict[str, str]) -> Path:
    """Copy the manifest with one AES round to `folder`, its ARM64 kernel edited."""
    folder.mkdir()
    for name in ("kernels.yml", "first.h", "round_portable.c", "round_x86.c", "round_arm64.c"):
        text = (TWICE / name).read_text(encoding="utf-8")
        for old, new in edits.items() if name == "round_arm64.c" else ():
            assert old in text
            text = text.replace(old, new)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("case", [pytest.param("GNU vector syntax", id="B15")])
def test_what_clang_cl_takes_is_never_called_msvc(tmp_path: Path, case: str) -> None:
    for tool in ("clang-19", "lld-link-19"):
        require_tool(tool)
    edits = {"vaeseq_u8(": "rows(", "    uint8x16_t mixed": f"{GNU_SYNTAX}    uint8x16_t mixed"}
    folder = manifest_of(tmp_path / "first", edits)
    path = folder / "kernels.yml"
    outputs.write(folder, render.render(plan.resolve(manifest.load(path), catalogue.load()), folder))
    outcome = verify(path, toolchains=("clang-cl-arm64",), until="objects")
    (kernel,) = (one for one in outcome.legs[0].kernels if one.name == "round_arm64")
    assert kernel.rungs["compiled"] is Verdict.PASS
    assert outcome.legs[0].about.startswith("clang-cl ")
    assert "MSVC" not in report.as_text(outcome) + report.as_json(outcome)


# Prints the products of the low and of the high halves of the two arguments, 32 hexadecimal digits each.
PMULL = r"""
#include <stdio.h>
#include <stdlib.h>
#include "dialect.h"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("aes"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC target("+crypto")
#endif

static void print(uint8x16_t product)
{
    unsigned char bytes[16];
    vst1q_u8(bytes, product);
    for (int i = 15; i >= 0; i--) { printf("%02x", bytes[i]); }
    printf("\n");
}

static uint8x16_t read(const char *digits)
{
    unsigned char bytes[16];
    char pair[3] = {0, 0, 0};
    for (int i = 15; i >= 0; i--) {
        pair[0] = *digits++;
        pair[1] = *digits++;
        bytes[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return vld1q_u8(bytes);
}

int main(int argc, char **argv)
{
    if (argc != 3) { return 1; }
    print(pmull_low(read(argv[1]), read(argv[2])));
    print(pmull_high(read(argv[1]), read(argv[2])));
    return 0;
}

#ifdef __clang__
#pragma clang attribute pop
#endif
"""
FACTORS = (0xFEDCBA98_76543210_0F1E2D3C_4B5A6978, 0x80000000_00000001_FFFFFFFF_FFFFFFFF)


def carryless(a: int, b: int) -> int:
    product = 0
    for bit in range(64):
        product ^= a << bit if b >> bit & 1 else 0
    return product


def program(leg: toolchains.Leg, folder: Path, text: str) -> Path:
    """Make a program of `text`, which may include the kernels' dialect header, by a leg's compiler."""
    (folder / "program.c").write_text(text, encoding="utf-8")
    if leg.file.system_name == "Windows":
        words = ["/nologo", "/W4", "/WX", "/std:c11", "/O2", "/MD", f"/I{DIALECT}", "/c", "program.c"]
        commands = [[str(leg.compiler), *words]]
        commands += [[str(leg.compiler.parent / "link"), "/nologo", "/out:program", "program.obj"]]
    else:
        words = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-static", f"-I{DIALECT}"]
        target = [f"--target={leg.file.target}"] if leg.file.target else []
        commands = [[str(leg.compiler), *target, *words, "program.c", "-o", "program"]]
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return folder / "program"


@pytest.mark.parametrize("case", [pytest.param("PMULL by one wrapper", id="B16")])
@pytest.mark.parametrize(
    "name",
    [
        "msvc-model-arm64", "clang-cl-arm64", "gcc-11-aarch64-linux-gnu", "gcc-12-aarch64-linux-gnu",
        "clang-19-aarch64-linux-gnu",
    ],
)  # fmt: skip
def test_one_spelling_of_pmull_for_all(tmp_path: Path, name: str, case: str) -> None:
    leg = shared_leg(name)
    made = program(leg, tmp_path, PMULL)
    low, high = ((carryless(*(x >> shift & (1 << 64) - 1 for x in FACTORS))) for shift in (0, 64))
    done = run(*leg.invoke(made, [f"{factor:032x}" for factor in FACTORS]).words)
    assert (done.returncode, done.stdout.split()) == (0, [f"{low:032x}", f"{high:032x}"])


@pytest.mark.parametrize("case", [pytest.param("a minimum version of cl", id="B16")])
def test_below_the_minimum_version_configuring_aborts(tmp_path: Path, case: str) -> None:
    folder = manifest_of(tmp_path / "first", {})
    path = folder / "kernels.yml"
    text = path.read_text(encoding="utf-8")
    minimum = "    minimum: {msvc: '19.45'}\n"
    path.write_text(
        text.replace("    symbols: [alpha_round_arm64]\n", "    symbols: [alpha_round_arm64]\n" + minimum)
    )
    project = LegProject.new(tmp_path / "project", support.leg("arm64"), folder)
    done = project.configure("-DALPHA_ROUND=ON")
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert "no round_arm64: it needs msvc 19.45 or newer; this is 19.44.35207" in said


LOADS = ROOT / "tests" / "manifests" / "loads"
# As a header from before vld1q_u8_x4 was there, and as an older one that was given it later, in its own way.
HIDING = "#include_next <arm_neon.h>\n#define vld1q_u8_x4 not_there_yet\n"
GIVING = """\
#include_next <arm_neon.h>
#define vld1q_u8_x4 given_later
static inline uint8x16x4_t vld1q_u8_x4(const uint8_t *from)
{
    uint8x16x4_t rows = {{vld1q_u8(from), vld1q_u8(from + 16), vld1q_u8(from + 32), vld1q_u8(from + 48)}};
    return rows;
}
"""


@pytest.mark.parametrize("case", [pytest.param("vld1q_u8_x4", id="B18")])
@pytest.mark.parametrize(
    "name",
    [pytest.param("gcc-11-aarch64-linux-gnu", marks=pytest.mark.nightly), "gcc-12-aarch64-linux-gnu"],
)
def test_what_a_header_has_is_found_by_compiling(tmp_path: Path, name: str, case: str) -> None:
    project = LegProject.new(tmp_path / "project", shared_leg(name), LOADS)
    for tree, header in (("own", ""), ("given", GIVING), ("hidden", HIDING)):
        overlay = tmp_path / tree
        overlay.mkdir()
        if header:
            (overlay / "arm_neon.h").write_text(header, encoding="utf-8")
        decision = project.configured(f"-DCMAKE_C_FLAGS=-I{overlay}", tree=tree)
        kernels = {one["kernel"]: one for one in decision["kernels"]}
        four = "left out" if tree == "hidden" else "built"
        wanted = {"four_arm64": four, "one_arm64": "built"}
        assert {kernel: one["conclusion"] for kernel, one in kernels.items()} == wanted
        done = project.make(tree)
        assert done.returncode == 0, done.stdout
        symbols = {one.name for item in project.objects("arm64", tree).values() for one in item.functions}
        assert {"loads_sum", "loads_sum_one"} <= symbols
        assert ("loads_sum_four" in symbols) == (four == "built")
    assert "not_there_yet" in kernels["four_arm64"]["reason"]


# An immediate that is a constant only once the function is inlined.
TURN = """\
static inline uint8x16_t turned(uint8x16_t a, int n)
{
    return vextq_u8(a, a, n);
}

void alpha_round_arm64("""


@pytest.mark.parametrize("case", [pytest.param("immediate of an inline function", id="B19")])
@pytest.mark.parametrize("name", ["gcc-12-aarch64-linux-gnu", "clang-cl-arm64"])
def test_an_immediate_that_only_optimisation_makes_constant(tmp_path: Path, name: str, case: str) -> None:
    edits = {"void alpha_round_arm64(": TURN, "vld1q_u8(key)": "turned(vld1q_u8(key), 0)"}
    folder = manifest_of(tmp_path / "first", edits)
    project = LegProject.new(tmp_path / "project", shared_leg(name), folder)
    project.configured("-DALPHA_ROUND=ON", build_type="Debug")
    done = project.make()
    assert done.returncode != 0
    lines = project.source("round_arm64.c").read_text(encoding="utf-8").splitlines()
    at = 1 + next(number for number, line in enumerate(lines) if "vextq_u8(a, a, n)" in line)
    assert re.search(rf"round_arm64\.c[:(]{at}\b", done.stdout), done.stdout
    assert "constant" in done.stdout


@pytest.mark.parametrize("case", [pytest.param("the macros of x64", id="B10")])
@pytest.mark.parametrize("compiler", ["clang", "cl"])
def test_arm64ec_is_told_from_x64(tmp_path: Path, compiler: str, case: str) -> None:
    folder = tmp_path / "both"
    path = ROOT / "tests" / "manifests" / "policies" / "kernels.yml"
    resolved = plan.resolve(manifest.load(path), catalogue.load())
    outputs.write(folder, render.render(resolved, folder))
    source = str(folder / "policies_cpu.c")
    if compiler == "cl":
        done = support.cl("arm64ec", "/nologo", "/E", source, cwd=tmp_path)
    else:
        includes = support.standin("arm64ec").folder / "include"
        words = ["--target=arm64ec-pc-windows-msvc", "-E", "-nostdinc", "-w", "-isystem", str(includes)]
        done = run(require_tool("clang-19"), *words, source)
    text = done.stdout
    assert done.returncode == 0, text + str(done.stderr)
    assert "IsProcessorFeaturePresent(30)" in text
    assert "cpuid" not in text
