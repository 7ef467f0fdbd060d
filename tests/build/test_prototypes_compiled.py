"""What the reader of prototypes takes, written as dispatchers and compiled without a warning."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool import render
from tests.support import require_tool
from tests.unit import manifests

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

PROTOTYPES = (
    "void demo_{}(void)",
    "int demo_{}(int a)",
    "int  demo_{} (int a , long b) ",
    "unsigned char *demo_{}(const char *text)",
    "char **demo_{}(char**a, int *b)",
    "const struct s *demo_{}(struct s s)",
    "struct s demo_{}(const struct s *const s)",
    "enum e demo_{}(enum e e)",
    "extern void demo_{}(union u u)",
    "size_t demo_{}(size_t n)",
    "unsigned long long demo_{}(unsigned long long a)",
    "int demo_{}(unsigned char key[16])",
    "int demo_{}(int m[2][3], int n[static 4])",
    "void *demo_{}(void *restrict a, const void *restrict b)",
    "double demo_{}(double a, float b)",
    "_Bool demo_{}(_Bool a, callback function)",
    "int demo_{}(int case_0, int word, int found, int symbol)",
    "void demo_{}(int line, int report, int size, int i)",
    "int demo_{}(va_list list)",
    "long demo_{}(" + ", ".join(f"long argument_number_{number}" for number in range(20)) + ")",
)
DECLARATIONS = """\
#include <stdarg.h>
#include <stddef.h>
struct s { long x[9]; };
union u { int x; long y; };
enum e { NONE };
typedef int (*callback)(int, ...);
"""
WARNINGS = (
    "-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wmissing-prototypes",
    "-Wstrict-prototypes", "-Wold-style-definition", "-Werror",
)  # fmt: skip


def generate(folder: Path) -> None:
    lines = ["    headers: [all.h]", "    functions:"]
    lines += [f"      - '{text.format(number)}'" for number, text in enumerate(PROTOTYPES)]
    symbols = ", ".join(f"demo_{number}_arm64" for number in range(len(PROTOTYPES)))
    text = manifests.MANIFEST.replace("    functions: [demo_aes]", "\n".join(lines))
    text = text.replace("[demo_aes_arm64]", f"[{symbols}]").replace(
        "    mnemonics: {demo_aes_arm64: [aese, aesmc]}\n", ""
    )
    declared = (
        text.format(f"{number}{variant}") + ";\n"
        for number, text in enumerate(PROTOTYPES)
        for variant in ("", "_arm64", "_portable")
    )
    (folder / "all.h").write_text(DECLARATIONS + "".join(declared), encoding="utf-8")
    for name, content in render.render(manifests.planned(folder, text), folder).items():
        (folder / name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize("count", [(), ("-DDEMO_DISPATCH_COUNT",)], ids=["plain", "counting"])
@pytest.mark.parametrize(
    "compiler",
    [
        pytest.param(("gcc",), id="gcc-x86_64"),
        pytest.param(("aarch64-linux-gnu-gcc",), id="gcc-aarch64"),
        pytest.param(("clang-19",), id="clang-x86_64"),
    ],
)
def test_dispatchers_compile(compiler: tuple[str, ...], count: tuple[str, ...], tmp_path: Path) -> None:
    require_tool(compiler[0])
    generate(tmp_path)
    for definition in ((), ("-DDEMO_KERNEL_AES_ARM64",)):
        command = [*compiler, *WARNINGS, *count, *definition, "-c", "demo_dispatch.c", "-o", "dispatch.o"]
        result = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert (result.returncode, result.stderr) == (0, "")
