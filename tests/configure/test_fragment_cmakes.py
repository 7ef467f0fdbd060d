"""Every CMake there is: the fragment works under each generator, and reads no variable that is not set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.configure.support import cmakes, new_project
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.configure

VERSIONS = list(cmakes())
# The generators that differ in what they do with a source's flags, on the oldest and the newest CMake.
SMOKE = [(version, "Ninja") for version in VERSIONS] + [
    (version, generator)
    for version in (VERSIONS[0], VERSIONS[-1])
    for generator in ("Ninja Multi-Config", "Unix Makefiles")
]


@pytest.mark.parametrize(("version", "generator"), SMOKE)
def test_each_cmake_and_generator(tmp_path: Path, version: str, generator: str) -> None:
    require_tool({"Unix Makefiles": "make"}.get(generator, "ninja"))
    project = new_project(tmp_path / "p", cmakes()[version])
    arguments = ("-G", generator, "--warn-uninitialized")
    first = project.configured("-DPAIR_AES=ON", "-DCMAKE_CONFIGURATION_TYPES=Debug;Release", *arguments)
    assert first.built() == {"aes_x86"}
    assert set(first.sources()) == {"aes_x86.c", "portable.c"}
    assert {name for name in first.sources() if "-maes" in first.flags(name)} == {"aes_x86.c"}
    assert "PAIR_KERNEL_AES_X86=1" in first.sources()["aes_x86.c"].defines
    project.build()
    again = project.configured("-DPAIR_REQUIRE=AES", *arguments)
    assert (again.built(), again.probes) == ({"aes_x86"}, first.probes)
    refused = project.refused("-DPAIR_SMALL=ON", *arguments)
    assert "no aes_x86: it excludes PAIR_SMALL" in refused.text
    for result in (first, again, refused):
        assert not re.search(
            r"kernels/pair_kernels\.cmake:\d+ [^:]*:\s*uninitialized variable", result.output
        )
