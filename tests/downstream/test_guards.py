"""Case B41: the macro and the sources never disagree without a stop."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest, plan, toolchains
from tests.support import ROOT, leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.downstream, pytest.mark.build]

PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(guards LANGUAGES C)
include({root}/kernels/cmk_kernels.cmake)
add_library(lib STATIC)
cmk_target_kernels(lib)
add_executable(all all.c)
target_link_libraries(all PRIVATE lib)
# The consumer asks the library's header with the library's definitions.
target_include_directories(all PRIVATE {root}/kernels)
target_compile_definitions(all PRIVATE $<TARGET_PROPERTY:lib,COMPILE_DEFINITIONS>)
add_executable(sizes sizes.c)
target_link_libraries(sizes PRIVATE lib)
add_library(sizes_inside OBJECT sizes.c)
target_link_libraries(sizes_inside PRIVATE lib)
"""


def _entries() -> tuple[list[str], dict[str, str]]:
    """Return the portable entries, and each kernel entry with its build macro."""
    resolved = plan.resolve(manifest.load(ROOT / "kernels" / "kernels.yml"), catalogue.load())
    macros = {symbol: kernel.build_macro for kernel in resolved.kernels for symbol in kernel.symbols}
    portable = [
        symbol
        for family in resolved.families
        for variant in family.variants
        if variant.kernel is None
        for symbol in variant.symbols
    ]
    return portable, macros


def _write_project(folder: Path) -> None:
    portable, macros = _entries()
    body = "".join(f"    (void (*)(void)){symbol},\n" for symbol in portable)
    body += "".join(f"#if {macro}\n    (void (*)(void)){symbol},\n#endif\n" for symbol, macro in macros.items())
    headers = "#include <cmk/aes.h>\n#include <cmk/sha256.h>\n#include <stdio.h>\n"
    (folder / "all.c").write_text(
        f'{headers}#include "cmk_kernels_config.h"\nvoid (*volatile const entries[])(void) = {{\n{body}}};\n'
        'int main(void)\n{\n    printf("%d\\n", (int)(sizeof entries / sizeof *entries));\n    return entries[0] == 0;\n}\n',
        encoding="utf-8",
    )
    (folder / "sizes.c").write_text(
        f"{headers}char sizes[sizeof(cmk_aes_key)][sizeof(cmk_sha256_context)];\n"
        'int main(void)\n{\n    printf("%d %d\\n", (int)sizeof(cmk_aes_key), (int)sizeof(cmk_sha256_context));\n    return 0;\n}\n',
        encoding="utf-8",
    )
    (folder / "CMakeLists.txt").write_text(PROJECT.format(root=ROOT.as_posix()), encoding="utf-8")


@pytest.mark.parametrize("macro", ["configured", "undefined", "defined"])
@pytest.mark.parametrize("option", ["ON", "OFF"])
@pytest.mark.parametrize("case", ["B41"])
def test_macro_and_sources(case: str, option: str, macro: str, tmp_path: Path) -> None:
    leg = leg_or_skip("gcc-aarch64-linux-gnu", tmp_path / "leg")
    _write_project(tmp_path)
    portable, kernels = _entries()
    definitions = ["CMK_KERNEL_AES_ARM64", "CMK_KERNEL_SHA256_ARM64"]
    flags = {
        "configured": "",
        "undefined": " ".join(f"-U{name}" for name in definitions),
        "defined": " ".join(f"-D{name}=1" for name in definitions),
    }[macro]
    cmake, build = str(toolchains.tools().cmake), tmp_path / "build"
    configured = subprocess.run(
        [cmake, "-S", str(tmp_path), "-B", str(build), *leg.configure_arguments, "-DCMAKE_BUILD_TYPE=Release"]
        + [f"-DCMK_AES={option}", f"-DCMK_SHA2={option}", f"-DCMAKE_C_FLAGS={flags}"],
        text=True, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert configured.returncode == 0, configured.stdout + configured.stderr
    done = subprocess.run(
        [cmake, "--build", str(build), "--", "-k", "0"], text=True, capture_output=True, timeout=300, check=False
    )

    sizes = subprocess.run(leg.run_prefix(build / "sizes"), text=True, capture_output=True, timeout=60, check=True)
    assert sizes.stdout.split() == ["484", "108"] or len(sizes.stdout.split()) == 2

    if option == "OFF" and macro == "defined":
        # Nothing supplies what the macro promises: the link stops and names each entry.
        assert done.returncode != 0
        missing = set(re.findall(r"undefined reference to `(\w+)'", done.stdout + done.stderr))
        assert missing == set(kernels)
        return
    assert done.returncode == 0, done.stdout[-3000:]
    ran = subprocess.run(leg.run_prefix(build / "all"), text=True, capture_output=True, timeout=60, check=True)
    present = len(kernels) if option == "ON" and macro != "undefined" else 0
    assert int(ran.stdout) == len(portable) + present
