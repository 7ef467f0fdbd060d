"""The kernels of examples/wolfssl without wolfSSL: both policies, and what cl would make of them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support import ROOT, configure_command, leg_or_skip, shared_leg

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.downstream
EXAMPLE = ROOT / "examples" / "wolfssl"
MSVC = "msvc-model-arm64"


def _cmaketool(*arguments: str) -> str:
    command = [sys.executable, "-m", "cmaketool.cli", *arguments]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_policies_differ_in_the_compilers_alone() -> None:
    texts = [(EXAMPLE / name).read_text(encoding="utf-8") for name in ("kernels.yml", "kernels_strict.yml")]
    every, strict = (text[text.index("schema: 1") :] for text in texts)
    assert "      compilers: [msvc]\n" in strict
    assert strict.replace("      compilers: [msvc]\n", "") == every


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
    ("folder", "option"),
    [(".", "WOLFSSL_ARMASM_INLINE"), ("strict", "WOLFSSL_ARM_ASM")],
    ids=["any", "strict"],
)
def test_wolfssls_assembly_is_refused_by_both(folder: str, option: str, tmp_path: Path) -> None:
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
    command += ["-DWOLFSSL_ARMASM_INTRINSICS=ON", f"-D{option}=yes"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode != 0
    assert f"it excludes {option}, which is on" in " ".join(done.stderr.split()), done.stderr


def test_cl_would_take_them(tmp_path: Path) -> None:
    """As its stand-in does: without a warning at /W4, there with ON, gone with OFF."""
    leg_or_skip(MSVC, tmp_path)
    options = ["--toolchain", MSVC, "--until", "objects", "--require"]
    said = _cmaketool("verify", str(EXAMPLE / "kernels_strict.yml"), *options)
    assert f"PASS: 6 kernels on {MSVC}" in said


@pytest.mark.nightly
def test_legs_that_show_every_rung(tmp_path: Path) -> None:
    legs = ("zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu", "clang-19-aarch64-linux-gnu", MSVC)
    for leg in legs:
        leg_or_skip(leg, tmp_path / leg)
    options = ["--toolchain", ",".join(legs), "--require", "--teeth", f"{legs[0]},{MSVC}"]
    said = _cmaketool("verify", str(EXAMPLE / "kernels.yml"), *options)
    assert f"PASS: 6 kernels on {', '.join(legs)}" in " ".join(said.split())
