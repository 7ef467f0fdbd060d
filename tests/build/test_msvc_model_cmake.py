"""CMake, old and new, takes the stand-in for MSVC, and Ninja knows which headers its objects depend on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cmaketool import toolchains
from tests.msvc_model.support import FOLDER, standin
from tests.support import cmake_or_skip, require_tool

pytestmark = pytest.mark.build

PROJECT = FOLDER / "project"
ARCHITECTURE_IDS = {"arm64": "ARM64", "arm64ec": "ARM64EC", "x64": "x64"}


def run(command: list[str], *, fails: bool = False) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode != 0) == fails, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def old_cmake(request: pytest.FixtureRequest, version: str) -> str:
    """Return a CMake of PyPI's, kept from run to run; skip when it cannot be had, but fail in CI."""
    assert request.config.cache is not None
    folder = request.config.cache.mkdir(f"cmake-{version}")
    program = folder / "cmake" / "data" / "bin" / "cmake"
    if not program.is_file():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
        done = subprocess.run(
            [*pip, "--target", str(folder), f"cmake=={version}.*"],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if done.returncode != 0:
            message = f"CMake {version} cannot be installed: {done.stderr[-500:]}"
            pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return str(program)


def system_cmake() -> str:
    """Return the system's cmake, which is not the one of this Python's packages."""
    here = Path(sys.executable).parent
    folders = [entry for entry in os.environ["PATH"].split(os.pathsep) if Path(entry) != here]
    return shutil.which("cmake", path=os.pathsep.join(folders)) or require_tool("the system's cmake")


def cmake(request: pytest.FixtureRequest, which: str) -> str:
    if which == "newest":
        return cmake_or_skip()
    return system_cmake() if which == "system" else old_cmake(request, which)


def ninja() -> str:
    found = toolchains.tools()
    return require_tool("ninja") if isinstance(found, toolchains.Missing) else str(found.ninja)


def configure(program: str, architecture: str, build: Path, *options: str) -> str:
    return run(
        [
            program, "-S", str(PROJECT), "-B", str(build), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja()}",
            f"-DCMAKE_TOOLCHAIN_FILE={standin(architecture).toolchain_file}", *options,
        ]
    )  # fmt: skip


def dependencies(build: Path) -> list[str]:
    text = run([ninja(), "-C", str(build), "-t", "deps", "CMakeFiles/core.dir/core.c.obj"])
    return [Path(line.strip()).name for line in text.splitlines() if line.startswith("    ")]


COMBINATIONS = [
    (which, architecture)
    for which in ("3.18", "system", "newest")
    for architecture in ARCHITECTURE_IDS
    if (which, architecture) != ("3.18", "arm64ec")  # CMake knows ARM64EC from 3.20
]


@pytest.mark.parametrize(("which", "architecture"), COMBINATIONS)
def test_cmake_takes_it_for_msvc(
    tmp_path: Path, request: pytest.FixtureRequest, which: str, architecture: str
) -> None:
    program = cmake(request, which)
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
    run([program, "--build", str(tmp_path)])
    assert (tmp_path / "core.lib").is_file()
    assert (tmp_path / "CMakeFiles" / "core.dir" / "core.c.obj").is_file()
    assert (tmp_path / "app.exe").is_file() == standin(architecture).links
    names = dependencies(tmp_path)
    assert "core.h" in names
    assert ("arm64_neon.h" in names) == (architecture != "x64")


def test_a_changed_header_makes_it_build_again(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    program = cmake(request, "newest")
    source = tmp_path / "project"
    shutil.copytree(PROJECT, source)
    build = tmp_path / "build"
    command = [program, "-S", str(source), "-B", str(build), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja()}"]
    run([*command, f"-DCMAKE_TOOLCHAIN_FILE={standin('arm64').toolchain_file}"])
    run([program, "--build", str(build)])
    assert "no work to do" in run([program, "--build", str(build)])
    header = source / "include" / "core.h"
    header.write_text(header.read_text(encoding="utf-8") + "/* longer */\n", encoding="utf-8")
    assert "core.c.obj" in run([program, "--build", str(build), "--verbose"])
    header.write_text("#error changed\n", encoding="utf-8")
    assert "#error changed" in run([program, "--build", str(build)], fails=True)


@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja Multi-Config"])
def test_other_generators(tmp_path: Path, request: pytest.FixtureRequest, generator: str) -> None:
    program = cmake(request, "newest")
    command = [program, "-S", str(PROJECT), "-B", str(tmp_path), "-G", generator]
    command += [f"-DCMAKE_MAKE_PROGRAM={ninja()}"] if "Ninja" in generator else []
    require_tool("make")
    run([*command, f"-DCMAKE_TOOLCHAIN_FILE={standin('arm64').toolchain_file}"])
    run([program, "--build", str(tmp_path), "--config", "Release"])
    assert list(tmp_path.rglob("app.exe"))
