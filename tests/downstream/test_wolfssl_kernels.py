"""The kernels of examples/wolfssl without wolfSSL: both policies, and what cl would make of them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.support import ROOT, configure_command, leg_or_skip, shared_leg

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.downstream
EXAMPLE = ROOT / "examples" / "wolfssl"
MSVC = "msvc-model-arm64"
SHA3 = "ARMASM_INTRINSICS_SHA3"


def _cmaketool(*arguments: str) -> str:
    command = [sys.executable, "-m", "cmaketool.cli", *arguments]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_policies_differ_in_the_compilers_and_sha3_alone() -> None:
    every, strict = (
        yaml.safe_load((EXAMPLE / name).read_text(encoding="utf-8"))
        for name in ("kernels.yml", "kernels_strict.yml")
    )
    assert every["options"].pop(SHA3)["requires"]["compilers"], "not cl's"
    with_sha3 = {name for name, kernel in every["kernels"].items() if kernel["option"] == SHA3}
    assert with_sha3 == {"gcm_eor3_arm64", "sha3_arm64"}
    for part, of in (("kernels", lambda name, _: name), ("teeth", lambda _, tooth: tooth["kernel"])):
        every[part] = {name: one for name, one in every[part].items() if of(name, one) not in with_sha3}
    for option in strict["options"].values():
        assert option["requires"].pop("compilers") == ["msvc"]
    assert strict == every


@pytest.mark.parametrize(
    ("manifest", "folder"), [("kernels.yml", "."), ("kernels_strict.yml", "strict")], ids=["any", "strict"]
)
def test_committed_fragments_match_their_manifests(manifest: str, folder: str) -> None:
    _cmaketool("generate", str(EXAMPLE / manifest), "-o", str(EXAMPLE / folder), "--check")


def test_strict_is_refused_by_other_compilers() -> None:
    options = ["--toolchain", "zig-aarch64-linux-musl", "--until", "configure", "--expect-refused"]
    said = _cmaketool("verify", str(EXAMPLE / "kernels_strict.yml"), *options)
    assert "refused: the compiler is zig; allowed: msvc" in " ".join(said.split())


@pytest.mark.parametrize(
    ("folder", "argument", "reason"),
    [
        (".", "-DWOLFSSL_ARMASM_INLINE=yes", "it excludes WOLFSSL_ARMASM_INLINE, which is on"),
        ("strict", "-DWOLFSSL_ARM_ASM=yes", "it excludes WOLFSSL_ARM_ASM, which is on"),
        (".", f"-DWOLFSSL_{SHA3}=ON", "it needs the compiler gcc or clang"),
    ],
    ids=["assembly, any", "assembly, strict", "SHA-3"],
)
def test_refused_for_cl(folder: str, argument: str, reason: str, tmp_path: Path) -> None:
    project = [
        "cmake_minimum_required(VERSION 3.18...4.4)",
        "project(brings_wolfssl LANGUAGES C)",
        "add_library(wolfssl STATIC wolfssl.c)",
        f'include("{EXAMPLE / folder / "wolfssl_kernels.cmake"}")',
        "wolfssl_target_kernels(wolfssl)",
    ]
    (tmp_path / "CMakeLists.txt").write_text("\n".join(project) + "\n", encoding="utf-8")
    (tmp_path / "wolfssl.c").write_text("int nothing;\n", encoding="utf-8")
    command = configure_command(shared_leg(MSVC), tmp_path, tmp_path / "build")
    command += ["-DWOLFSSL_ARMASM_INTRINSICS=ON", argument]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode != 0
    assert reason in " ".join(done.stderr.split()), done.stderr


def test_cl_would_take_them(tmp_path: Path) -> None:
    """As its stand-in does: without a warning at /W4, there with ON, gone with OFF."""
    leg_or_skip(MSVC, tmp_path)
    options = ["--toolchain", MSVC, "--until", "objects", "--require"]
    said = _cmaketool("verify", str(EXAMPLE / "kernels_strict.yml"), *options)
    assert f"PASS: 7 kernels on {MSVC}" in said


@pytest.mark.nightly
def test_legs_that_show_every_rung(tmp_path: Path) -> None:
    legs = ("zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu", "clang-19-aarch64-linux-gnu", MSVC)
    for leg in legs:
        leg_or_skip(leg, tmp_path / leg)
    options = ["--toolchain", ",".join(legs), "--require", "--teeth", f"{legs[0]},{MSVC}"]
    said = _cmaketool("verify", str(EXAMPLE / "kernels.yml"), *options)
    assert f"PASS: 9 kernels on {', '.join(legs)}" in " ".join(said.split())
