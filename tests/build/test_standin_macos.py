"""The stand-in for Apple's compiler: several architectures at once, and flags for one of them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool.standins.macos.install import VERSION, install
from cmaketool.verify import objects
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

BOTH = ["-arch", "arm64", "-arch", "x86_64"]
SOURCE = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/sysctl.h>
int has(const char *name);
int has(const char *name)
{
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value == 1;
}
#ifdef __AES__
#include <wmmintrin.h>
__m128i enc(__m128i a, __m128i b);
__m128i enc(__m128i a, __m128i b) { return _mm_aesenc_si128(a, b); }
#endif
#ifdef __ARM_FEATURE_SHA3
#include <arm_neon.h>
uint8x16_t enc(uint8x16_t a, uint8x16_t b);
uint8x16_t enc(uint8x16_t a, uint8x16_t b) { return vaeseq_u8(a, b); }
#endif
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    leg_or_skip("macos-universal", tmp_path_factory.mktemp("leg"))
    folder = tmp_path_factory.mktemp("a b") / "macos"
    install(folder)
    return folder


def compile_(folder: Path, to: Path, *options: str, source: str = SOURCE) -> subprocess.CompletedProcess[str]:
    (to / "a.c").write_text(source, encoding="utf-8")
    command = [str(folder / "bin" / "cc"), *options, "-isysroot", str(folder / "MacOSX.sdk")]
    command += ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-c", "a.c", "-o", "a.o"]
    return subprocess.run(command, cwd=to, text=True, capture_output=True, timeout=60, check=False)


def mnemonics(file: Path, architecture: str) -> set[str]:
    read = objects.read(file, architecture)
    assert read.architecture == architecture
    return {word for function in read.functions for word in function.mnemonics}


def test_headers_and_slices(folder: Path, tmp_path: Path) -> None:
    done = compile_(folder, tmp_path, *BOTH)
    assert (done.returncode, done.stderr) == (0, "")
    assert "aese" in mnemonics(tmp_path / "a.o", "arm64")
    assert "aesenc" not in mnemonics(tmp_path / "a.o", "x86_64")


def test_it_says_that_it_is_apples(folder: Path, tmp_path: Path) -> None:
    names = ("__clang_major__", "__clang_minor__", "__clang_patchlevel__", "__apple_build_version__")
    checks = " && ".join(f"{name} == {value}" for name, value in zip(names, VERSION.split("."), strict=True))
    source = f"#if !({checks}) || !defined(__APPLE__)\n#error not Apple's\n#endif\nint a;\n"
    done = compile_(folder, tmp_path, *BOTH, source=source)
    assert (done.returncode, done.stderr) == (0, "")


def test_flags_behind_their_slice(folder: Path, tmp_path: Path) -> None:
    words = ["-Xarch_x86_64", "-maes", "-Xarch_arm64", "-march=armv8-a+aes+sha3"]
    done = compile_(folder, tmp_path, *BOTH, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "aesenc" in mnemonics(tmp_path / "a.o", "x86_64")


@pytest.mark.parametrize("flag", ["-maes", "-msse4.1", "-mpclmul", "-mavx2"])
def test_a_flag_of_x86_64_for_both_slices_is_refused(folder: Path, tmp_path: Path, flag: str) -> None:
    for words in ([*BOTH, flag], [flag, *BOTH], ["-arch", "arm64", flag], [flag]):
        done = compile_(folder, tmp_path, *words)
        assert done.returncode == 1, words
        assert done.stderr.startswith(f"clang: error: unsupported option '{flag}' for target 'arm64-apple")
        assert not (tmp_path / "a.o").exists()
    assert compile_(folder, tmp_path, "-arch", "x86_64", flag).returncode == 0


def test_a_flag_of_arm64_for_both_slices_is_refused(folder: Path, tmp_path: Path) -> None:
    done = compile_(folder, tmp_path, *BOTH, "-march=armv8-a+crypto")
    assert done.returncode != 0
    assert "armv8-a+crypto" in done.stderr


def test_a_library_holds_both_slices(folder: Path, tmp_path: Path) -> None:
    assert compile_(folder, tmp_path, *BOTH).returncode == 0
    command = [str(folder / "bin" / "ar"), "qc", "liba.a", "a.o"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert (tmp_path / "liba.a").read_bytes()[:4] == bytes.fromhex("cafebabe")
