"""On each leg a library asks the fragment for its kernels, for ARM64 and for x86-64, and is built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cmaketool import toolchains
from tests.build.legprojects import LegProject
from tests.support import ROOT, shared_leg

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

KERNELS = {"arm64": "round_arm64", "arm64ec": "round_arm64", "x86_64": "round_x86"}
ROUNDS = {"round_arm64": "aese", "round_x86": "aesenc"}
OTHERS = {
    "zig-aarch64_be-linux-musl": "aarch64_be",
    "zig-arm-linux-musleabihf": "arm",
    "zig-wasm32-wasi": "wasm32",
}
CASES = {
    "msvc-model-arm64ec": "B10",
    "zig-aarch64_be-linux-musl": "B08",
    "zig-arm-linux-musleabihf": "B06",
    "zig-wasm32-wasi": "B09",
}
# By day those that differ most: verify builds the bundled kernels on every leg.
BY_DAY = {
    *CASES, "native", "clang-14-aarch64-linux-gnu", "gcc-12-aarch64-linux-gnu", "msvc-model-arm64",
    "msvc-model-x64", "clang-cl-arm64", "macos-universal",
}  # fmt: skip
LEGS = [
    pytest.param(
        leg.name,
        id=f"{leg.name}-{CASES[leg.name]}" if leg.name in CASES else leg.name,
        marks=() if leg.name in BY_DAY else pytest.mark.nightly,
    )
    for leg in toolchains.legs()
]
# What the kernels' own dialect header does: clang before 16 declares the intrinsics by macros only.
OLD_CLANG = """\
#if defined(__clang__) && __clang_major__ < 16
#define __ARM_FEATURE_AES 1
#define __ARM_FEATURE_CRYPTO 1
#endif
"""


def rounds(name: str, folder: Path) -> LegProject:
    """Return a small project with a kernel for each instruction set, for a leg."""
    project = LegProject.new(folder / "project", shared_leg(name), ROOT / "tests" / "manifests" / "twice")
    project.edit("round_arm64.c", "#include <arm_neon.h>", f"{OLD_CLANG}#include <arm_neon.h>")
    return project


def built(decision: dict[str, Any]) -> set[str]:
    return {kernel["kernel"] for kernel in decision["kernels"] if kernel["conclusion"] == "built"}


def slices(decision: dict[str, Any]) -> list[str]:
    return [entry["architecture"] for entry in decision["slices"]]


@pytest.mark.parametrize("name", LEGS)
def test_each_slice_gets_its_kernel_and_no_other(name: str, tmp_path: Path) -> None:
    project = rounds(name, tmp_path)
    facts = project.leg.facts
    decision = project.configured("-DALPHA_ROUND=AUTO")
    assert decision["compiler"]["family"] in {facts.family, {"zig": "clang"}.get(facts.family)}
    assert set(slices(decision)) == {OTHERS.get(name, slice_) for slice_ in facts.architectures}
    wanted = {KERNELS[slice_] for slice_ in facts.architectures if slice_ in KERNELS}
    if name == "msvc-model-x64":  # it is there to refuse: it has no header of x86-64's intrinsics
        wanted = set()
    assert built(decision) == wanted
    done = project.make()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout
    for architecture in facts.architectures if name not in OTHERS else ():
        there = project.objects(architecture)
        assert {item.architecture for item in there.values()} == {architecture}
        words = {word for item in there.values() for one in item.functions for word in one.mnemonics}
        mine = KERNELS[architecture]
        if mine not in wanted:
            continue
        kernel = there[f"{mine}.c"].function(f"alpha_{mine}")
        assert kernel is not None
        assert ROUNDS[mine] in kernel.mnemonics
        assert words.isdisjoint({ROUNDS[other] for other in ROUNDS if other != mine})


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{name}-{CASES[name]}") for name in OTHERS])
def test_what_cannot_be_had_is_refused_by_name(name: str, tmp_path: Path) -> None:
    project = rounds(name, tmp_path)
    done = project.configure("-DALPHA_ROUND=ON")
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    assert f"no round_arm64: it is for arm64 or arm64ec; the compiler targets {OTHERS[name]}" in said
    assert f"no round_x86: it is for x86_64; the compiler targets {OTHERS[name]}" in said


@pytest.mark.parametrize("case", [pytest.param("x86_64 on a Mac with Apple's processor", id="B04")])
def test_one_slice_of_two_is_what_is_asked_for(case: str, tmp_path: Path) -> None:
    project = rounds("macos-universal", tmp_path)
    decision = project.configured(
        "-DALPHA_ROUND=ON", "-DCMAKE_OSX_ARCHITECTURES=x86_64", "-DCMAKE_SYSTEM_PROCESSOR=arm64"
    )
    assert (slices(decision), built(decision)) == (["x86_64"], {"round_x86"})
    assert project.make().returncode == 0
    assert {item.architecture for item in project.objects("x86_64").values()} == {"x86_64"}


GUARD = "defined(_MSC_VER) && !defined(__clang__)"


@pytest.mark.parametrize("name", ["clang-cl-arm64", "clang-windows-msvc-arm64"])
@pytest.mark.parametrize("case", [pytest.param("_MSC_VER taken for cl", id="B14")])
def test_clang_has_no_header_of_cl(case: str, name: str, tmp_path: Path) -> None:
    project = rounds(name, tmp_path)
    project.configured("-DALPHA_ROUND=ON")
    assert project.make().returncode == 0
    undefined = project.objects("arm64")["round_arm64.c"].undefined
    assert not [symbol for symbol in undefined if symbol.startswith("neon_")]
    project.edit("round_arm64.c", GUARD, "defined(_MSC_VER)")
    done = project.make()
    assert done.returncode != 0
    assert "'arm64_neon.h' file not found" in done.stdout


@pytest.mark.parametrize("case", [pytest.param("an intrinsic that nobody has", id="B17")])
@pytest.mark.parametrize(
    "name",
    ["gcc-11-aarch64-linux-gnu", "clang-14-aarch64-linux-gnu", "msvc-model-arm64", "clang-cl-arm64"],
)
def test_an_undeclared_intrinsic_does_not_compile(name: str, case: str, tmp_path: Path) -> None:
    project = rounds(name, tmp_path)
    project.edit("round_arm64.c", "vaeseq_u8(", "vaeseq_u8x(")
    project.configured("-DALPHA_ROUND=ON")
    done = project.make()
    assert done.returncode != 0
    assert "vaeseq_u8x" in done.stdout
    assert "round_arm64.c" in done.stdout
