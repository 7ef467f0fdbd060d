"""CMake, old and new, takes the stand-in for MSVC, and Ninja knows which headers its objects depend on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cmaketool.versions import is_older
from tests.configure.support import cmakes
from tests.msvc_model.support import FOLDER, leg
from tests.support import cmake_or_skip, configure_command, require_tool

pytestmark = pytest.mark.build

PROJECT = FOLDER / "project"
ARCHITECTURE_IDS = {"arm64": "ARM64", "arm64ec": "ARM64EC", "x64": "x64"}


def run(command: list[str], *, fails: bool = False) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode != 0) == fails, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def configure(program: Path, architecture: str, build: Path, *options: str) -> str:
    """Configure the project by the CMake `program`."""
    return run([str(program), *configure_command(leg(architecture), PROJECT, build)[1:], *options])


def combinations() -> list[Any]:
    """Return CMakes and architectures: by day the oldest and the newest CMake."""
    names = list(cmakes())
    return [
        pytest.param(
            cmakes()[name],
            architecture,
            id=f"{name}-{architecture}",
            marks=() if name in (names[0], names[-1]) else pytest.mark.nightly,
        )
        for name in names
        for architecture in ARCHITECTURE_IDS
        if architecture != "arm64ec" or not is_older(name, "3.20")  # CMake knows it from there on
    ]


@pytest.mark.parametrize(("program", "architecture"), combinations())
def test_cmake_takes_it_for_msvc(tmp_path: Path, program: Path, architecture: str) -> None:
    text = configure(program, architecture, tmp_path, "-DCMAKE_BUILD_TYPE=Release")
    facts = dict(re.findall(r"^-- fact (\w+)=(.*)$", text, re.MULTILINE))
    assert facts["CMAKE_C_COMPILER_ID"] == "MSVC"
    assert facts["CMAKE_C_COMPILER_VERSION"].startswith("19.44.35207")
    assert facts["CMAKE_C_SIMULATE_ID"] == ""
    assert (facts["MSVC"], facts["MSVC_VERSION"], facts["WIN32"]) == ("1", "1944", "1")
    assert facts["MSVC_C_ARCHITECTURE_ID"] == ARCHITECTURE_IDS[architecture]
    assert (facts["CMAKE_SIZEOF_VOID_P"], facts["CMAKE_STATIC_LIBRARY_SUFFIX"]) == ("8", ".lib")
    assert facts["COMPILES_PUTS"] == "1"
    assert facts["COMPILES_AES"] == ("" if architecture == "x64" else "1")
    assert facts["COMPILES_EOR3"] == ""
    run([str(program), "--build", str(tmp_path)])
    assert (tmp_path / "core.lib").is_file()
    assert (tmp_path / "CMakeFiles" / "core.dir" / "core.c.obj").is_file()
    assert (tmp_path / "app.exe").is_file() == leg(architecture).file.links
    listed = run([*ninja(tmp_path), "-t", "deps", "CMakeFiles/core.dir/core.c.obj"])
    names = [Path(line.strip()).name for line in listed.splitlines() if line.startswith("    ")]
    assert "core.h" in names
    assert ("arm64_neon.h" in names) == (architecture != "x64")


def ninja(build: Path) -> list[str]:
    """Return the beginning of a command of the ninja that `build` was configured for."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    (program,) = re.findall(r"^CMAKE_MAKE_PROGRAM:\w+=(.*)$", cache, re.MULTILINE)
    return [program, "-C", str(build)]


def test_a_changed_header_makes_it_build_again(tmp_path: Path) -> None:
    source, build = tmp_path / "project", tmp_path / "build"
    shutil.copytree(PROJECT, source)
    run(configure_command(leg("arm64"), source, build))
    make = [*ninja(build), "core.lib"]
    run(make)
    assert "no work to do" in run(make)
    header = source / "include" / "core.h"
    header.write_text(header.read_text(encoding="utf-8") + "/* longer */\n", encoding="utf-8")
    assert "core.c.obj" in run([*make, "-v"])
    header.write_text("#error changed\n", encoding="utf-8")
    assert "#error changed" in run(make, fails=True)


@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja Multi-Config"])
def test_other_generators(tmp_path: Path, generator: str) -> None:
    require_tool("make")
    program = cmake_or_skip()
    command = configure_command(leg("arm64"), PROJECT, tmp_path)
    command[command.index("Ninja")] = generator
    run([word for word in command if "Ninja" in generator or "CMAKE_MAKE_PROGRAM" not in word])
    run([program, "--build", str(tmp_path), "--config", "Release"])
    assert list(tmp_path.rglob("app.exe"))
