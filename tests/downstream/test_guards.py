"""Case B41: the macro and the sources never disagree without a stop."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest, plan
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.downstream, pytest.mark.build]

KERNELS = ROOT / "kernels"
PROJECT = ROOT / "tests" / "downstream" / "guards"
ENTRIES = """\
#include <cmk/aes.h>
#include <cmk/sha256.h>
#include <stdio.h>

#include "cmk_kernels_config.h"

static void (*const volatile entries[])(void) = {{
{entries}}};

int main(void)
{{
    printf("%d\\n", (int)(sizeof entries / sizeof *entries));
    return entries[0] == 0;
}}
"""


def _entries() -> tuple[list[str], dict[str, str]]:
    """Return the portable entries, and each kernel entry with the macro that promises it."""
    resolved = plan.resolve(manifest.load(KERNELS / "kernels.yml"), catalogue.load())
    macros = {symbol: kernel.build_macro for kernel in resolved.kernels for symbol in kernel.symbols}
    variants = [variant for family in resolved.families for variant in family.variants]
    return [symbol for one in variants if one.kernel is None for symbol in one.symbols], macros


def _write_entries(folder: Path) -> Path:
    portable, kernels = _entries()
    lines = [f"    (void (*)(void)){symbol},\n" for symbol in portable]
    lines += [f"#if {macro}\n    (void (*)(void)){symbol},\n#endif\n" for symbol, macro in kernels.items()]
    path = folder / "entries.c"
    path.write_text(ENTRIES.format(entries="".join(lines)), encoding="utf-8")
    return path


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)


@pytest.mark.parametrize("macro", ["configured", "undefined", "defined"])
@pytest.mark.parametrize("option", ["ON", "OFF"])
@pytest.mark.parametrize("case", ["B41"])
def test_macro_and_sources(case: str, option: str, macro: str, tmp_path: Path) -> None:
    leg = leg_or_skip("gcc-aarch64-linux-gnu", tmp_path / "leg")
    portable, kernels = _entries()
    definitions = ["CMK_KERNEL_AES_ARM64", "CMK_KERNEL_SHA256_ARM64"]
    change = {"configured": "", "undefined": "-U{}", "defined": "-D{}=1"}[macro]
    flags = " ".join(change.format(name) for name in definitions if change)
    cmake, build = cmake_or_skip(), tmp_path / "build"
    settings = {
        "KERNELS": KERNELS.as_posix(),
        "ENTRIES": _write_entries(tmp_path).as_posix(),
        "CMK_AES": option,
        "CMK_SHA2": option,
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_C_FLAGS": flags,
    }
    configure = configure_command(leg, PROJECT, build)
    configured = _run(configure + [f"-D{name}={value}" for name, value in settings.items()])
    assert configured.returncode == 0, configured.stdout + configured.stderr

    done = _run([cmake, "--build", str(build), "--target", "sizes"])
    assert done.returncode == 0, done.stdout
    inside, outside = _run(leg.invoke(build / "sizes").words).stdout.splitlines()
    assert inside == outside

    done = _run([cmake, "--build", str(build), "--target", "entries"])
    if option == "OFF" and macro == "defined":
        # Nothing supplies what the macro promises: the link stops and names each entry.
        assert done.returncode != 0
        assert set(re.findall(r"undefined reference to `(\w+)'", done.stdout + done.stderr)) == set(kernels)
        return
    assert done.returncode == 0, done.stdout[-3000:]
    present = len(kernels) if option == "ON" and macro != "undefined" else 0
    assert int(_run(leg.invoke(build / "entries").words).stdout) == len(portable) + present
