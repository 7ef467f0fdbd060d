"""Case B41: the macro and the sources never disagree without a stop."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest, plan
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.downstream, pytest.mark.build]

KERNELS = ROOT / "kernels"
PROJECT = ROOT / "tests" / "downstream" / "guards"
ENTRIES = """\
{headers}#include <stdio.h>

#include "cmk_kernels_config.h"

static void (*const volatile entries[])(void) = {{
{entries}}};

int main(void)
{{
    printf("%d\\n", (int)(sizeof entries / sizeof *entries));
    return entries[0] == 0;
}}
"""


PLAN = plan.resolve(manifest.load(KERNELS / "kernels.yml"), catalogue.load())
PLAIN = [function for family in PLAN.dispatched for function in family.functions]
PORTABLE = [
    symbol
    for family in PLAN.families
    for variant in family.variants
    if variant.kernel is None
    for symbol in variant.symbols
]
ON_OFF = ("ON", "OFF")


def _write_entries(folder: Path) -> Path:
    """Write a program that takes the address of whatever the library promises."""
    lines = [f"    (void (*)(void)){symbol},\n" for symbol in (*PLAIN, *PORTABLE)]
    for kernel in PLAN.kernels:
        symbols = "".join(f"    (void (*)(void)){symbol},\n" for symbol in kernel.symbols)
        lines.append(f"#if {kernel.build_macro}\n{symbols}#endif\n")
    path = folder / "entries.c"
    headers = sorted({header for family in PLAN.families for header in family.headers})
    text = ENTRIES.format(headers="".join(f"#include <{one}>\n" for one in headers), entries="".join(lines))
    path.write_text(text, encoding="utf-8")
    return path


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)


def _definitions(program: Path) -> Counter[str]:
    """Count the definitions of each function, those of all objects if `program` is an archive."""
    done = _run([require_tool("aarch64-linux-gnu-nm"), "--defined-only", str(program)])
    assert done.returncode == 0, done.stderr
    return Counter(re.findall(r" [TtWw] (\w+)$", done.stdout, re.MULTILINE))


@pytest.mark.parametrize(
    ("aes", "sha2", "macro"),
    [pytest.param(aes, sha2, "configured", id=f"{aes}-{sha2}-B41") for aes in ON_OFF for sha2 in ON_OFF]
    + [
        pytest.param(both, both, macro, id=f"{both}-{both}-{macro}-B41")
        for both in ON_OFF
        for macro in ("undefined", "defined")
    ],
)
def test_macro_and_sources(aes: str, sha2: str, macro: str, tmp_path: Path) -> None:
    leg = leg_or_skip("gcc-12-aarch64-linux-gnu", tmp_path / "leg")
    change = {"configured": "", "undefined": "-U{}", "defined": "-D{}=1"}[macro]
    flags = " ".join(change.format(kernel.definition) for kernel in PLAN.kernels if change)
    cmake, build = cmake_or_skip(), tmp_path / "build"
    options = {option.name: aes for option in PLAN.options} | {"SHA2": sha2}
    settings = {
        "KERNELS": KERNELS.as_posix(),
        "ENTRIES": _write_entries(tmp_path).as_posix(),
        **{option.variable: options[option.name] for option in PLAN.options},
        "CMAKE_BUILD_TYPE": "",  # not optimised: symbols and sizes are there as well, in half the time
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
    if aes == "OFF" and macro == "defined":
        # Nothing supplies what the macro promises: the link stops and names each entry.
        assert done.returncode != 0
        promised = {symbol for kernel in PLAN.kernels for symbol in kernel.symbols}
        assert set(re.findall(r"undefined reference to `(\w+)'", done.stdout + done.stderr)) == promised
        return
    assert done.returncode == 0, done.stdout[-3000:]
    built = [one for one in PLAN.kernels if options[one.option] == "ON" and macro != "undefined"]
    present = [*PLAIN, *PORTABLE, *(symbol for kernel in built for symbol in kernel.symbols)]
    assert int(_run(leg.invoke(build / "entries").words).stdout) == len(present)
    for file in (build / "liblib.a", build / "entries"):
        counted = _definitions(file)
        assert {name: counted[name] for name in present} == dict.fromkeys(present, 1)
