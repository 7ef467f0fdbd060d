"""The C of run time where users take it: among other copies, in hidden libraries, with many or long names."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cmaketool import render
from tests.build.dispatched import Report, generate, must
from tests.build.verify_support import MANIFESTS
from tests.support import require_tool
from tests.unit import manifests

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build
ON_X86_64 = platform.machine().lower() in {"x86_64", "amd64"}

WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
BUILT = ("-DMINI_KERNEL_IMC_X86", "-DMINI_KERNEL_CLMUL_X86", "-maes", "-mpclmul")

# What another copy of another release says, whose bits and whose decision are not this one's.
OTHER_COPY = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
uint32_t mini_cpu_features(void);
void mini_cpu_decide(void *decision);
size_t mini_cpu_report(char *buffer, size_t size);
uint32_t mini_cpu_features(void) { return 1; }
void mini_cpu_decide(void *decision) { memset(decision, 0xff, 16); }
int main(void)
{
    static char text[4096];
    mini_cpu_report(text, sizeof text);
    fputs(text, stdout);
    return 0;
}
"""


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    """Return a folder with a manifest of x86-64 and what is generated for it."""
    if not ON_X86_64 or sys.platform != "linux":
        pytest.skip("shared libraries of x86-64 Linux")
    folder = tmp_path / "mini"
    shutil.copytree(MANIFESTS / "mini", folder)
    generate(folder / "kernels.yml")
    return folder


def compiled_shared(folder: Path, *flags: str) -> Path:
    """Return a shared library of a folder's sources, but for its programs."""
    sources = [path.name for path in folder.glob("*.c") if path.name not in {"answers.c", "mini_info.c"}]
    sources.remove("mini_kernels_probe.c")
    library = folder / "libmini.so"
    compiler = require_tool("gcc")
    must(
        [
            "env",
            "-C",
            str(folder),
            compiler,
            "-shared",
            "-fPIC",
            "-O2",
            *BUILT,
            *flags,
            *sources,
            "-o",
            str(library),
        ]
    )
    return library


def said(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program], env={**os.environ, **environment}, text=True, capture_output=True, timeout=60, check=False
    )


def test_another_copy_in_the_process_is_not_asked(mini: Path) -> None:
    library = compiled_shared(mini)
    plain = mini / "plain"
    must(
        ["gcc", f"-I{mini}", str(mini / "mini_info.c"), str(library), f"-Wl,-rpath,{mini}", "-o", str(plain)]
    )
    (mini / "other.c").write_text(OTHER_COPY, encoding="utf-8")
    mixed = mini / "mixed"
    must(["gcc", "-rdynamic", str(mini / "other.c"), str(library), f"-Wl,-rpath,{mini}", "-o", str(mixed)])
    expected, found = said(plain), said(mixed)
    assert expected.returncode == 0
    assert (found.returncode, found.stdout, found.stderr) == (0, expected.stdout, "")


def test_a_library_that_hides_all_can_export_what_is_public(mini: Path) -> None:
    api = '-DMINI_CPU_API=__attribute__((visibility("default")))'
    library = compiled_shared(mini, "-fvisibility=hidden", api, *WARNINGS[1:])
    symbols = must(["nm", "-D", "--defined-only", str(library)]).split()[2::3]
    assert symbols == ["mini_cpu_decide", "mini_cpu_features", "mini_cpu_report"]
    program = mini / "info"
    must(
        [
            "gcc",
            f"-I{mini}",
            str(mini / "mini_info.c"),
            str(library),
            f"-Wl,-rpath,{mini}",
            "-o",
            str(program),
        ]
    )
    assert Report.read(said(program).stdout, "mini").compiled == ("imc_x86", "clmul_x86")


def test_a_last_line_without_an_end_stands_apart(mini: Path) -> None:
    source = mini / "unended.c"
    source.write_text(
        '#include "mini.h"\n#include <stdio.h>\n'
        "int main(void) { uint64_t out[2]; mini_clmul(out, 1, 1); "
        'return printf("ok 1 - clmul dispatch 1 vectors") < 0; }\n',
        encoding="utf-8",
    )
    library = compiled_shared(mini, "-DMINI_DISPATCH_COUNT")
    program = mini / "unended"
    must(["gcc", f"-I{mini}", str(source), str(library), f"-Wl,-rpath,{mini}", "-o", str(program)])
    printed = said(program).stdout
    assert printed.startswith("ok 1 - clmul dispatch 1 vectors\n")
    assert Report.read(printed, "mini").moved <= {"mini_clmul_x86", "mini_clmul_portable"}


def many(count: int, name: str) -> str:
    """Return a manifest of `count` kernels for each instruction set."""
    kernels = "".join(
        f"  kernel_for_{isa}_{number}:\n    {{option: AES, architecture: {isa}, features: [aes], "
        f"sources: [{isa}_{number}.c], symbols: [kernel_{isa}_{number}]}}\n"
        for isa in ("arm64", "x86_64")
        for number in range(count)
    )
    return f"schema: 1\nname: {name}\ncpu: {{}}\noptions:\n  AES: {{help: h}}\nkernels:\n{kernels}"


def test_many_kernels_and_long_names(tmp_path: Path) -> None:
    count, name = 200, "n" * 80
    sources = {f"{isa}_{number}.c": "" for isa in ("arm64", "x86_64") for number in range(count)}
    planned = manifests.planned(tmp_path, many(count, name), sources)
    for file, text in render.render(planned, tmp_path).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    isa = "x86_64" if ON_X86_64 else "arm64"
    definitions = [f"-D{name.upper()}_KERNEL_KERNEL_FOR_{isa.upper()}_{number}" for number in range(count)]
    program = tmp_path / "info"
    generated = [str(tmp_path / f"{name}_{part}.c") for part in ("cpu", "report", "info")]
    must([require_tool("gcc"), *WARNINGS, *definitions, *generated, "-o", str(program)])
    ran = said(program, **{f"{name.upper()}_CPU_FEATURES": "x" * 200})
    assert Report.read(ran.stdout, name).compiled == tuple(
        f"kernel_for_{isa}_{number}" for number in range(count)
    )
    assert ran.stderr.endswith("...' is neither a feature nor a policy; known: aes\n")
    assert ran.stderr.count("\n") == 1
