"""What real clang gets for Windows programs: its own intrinsics, a C library's headers behind them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool.standins.windows_sdk.install import install
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

SOURCE = """\
#include <arm_neon.h>
#include <intrin.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#if !defined(__clang__) || !defined(_MSC_VER) || !defined(_M_ARM64) || defined(__MINGW32__)
#error clang for the ABI of Microsoft's compiler is wanted
#endif
int sum(const uint8_t *bytes);
int sum(const uint8_t *bytes) { return vaddvq_u8(vld1q_u8(bytes)) + (sizeof(long) == 4); }
"""


@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("clang-cl", ["/nologo", "/W4", "/WX", "/O2", "/c", "a.c", "/Foa.obj"]),
        ("clang", ["-Wall", "-Wextra", "-Werror", "-O2", "-c", "a.c", "-o", "a.obj"]),
    ],
)
def test_every_header_under_both_command_lines(program: str, options: list[str], tmp_path: Path) -> None:
    leg_or_skip("clang-cl-arm64", tmp_path / "leg")
    install(tmp_path / "an sdk", "arm64")
    (tmp_path / "a.c").write_text(SOURCE, encoding="utf-8")
    done = subprocess.run(
        [str(tmp_path / "an sdk" / "bin" / program), *options],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert int.from_bytes((tmp_path / "a.obj").read_bytes()[:2], "little") == 0xAA64
