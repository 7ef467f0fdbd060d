"""Little projects around a rendered fragment, configured by real CMakes with real compilers."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cmake
import pytest

from cmaketool import catalogue, manifest, outputs, plan, render
from cmaketool.verify import fileapi
from tests.support import require_tool

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DATA", "Configured", "Project", "cmake_params", "cmakes", "generate", "new_project"]

DATA = Path(__file__).parent / "data"
_LIMIT = 120  # seconds, for a configure step
_PLAIN = """\
cmake_minimum_required(VERSION 3.18)
project(plain C)
include(kernels/pair_kernels.cmake)
add_library(lib STATIC)
pair_target_kernels(lib)
"""


@functools.cache
def cmakes() -> dict[str, Path]:
    """Return the CMakes to try, by version, oldest first: the system's, PyPI's, those of CMAKETOOL_CMAKES."""
    folders = [folder for folder in os.environ.get("CMAKETOOL_CMAKES", "").split(os.pathsep) if folder]
    programs = [Path(cmake.CMAKE_BIN_DIR) / "cmake", *(Path(folder) / "cmake" for folder in folders)]
    if system := shutil.which("cmake", path=os.defpath):
        programs.append(Path(system))
    found: dict[tuple[int, ...], Path] = {}
    for program in programs:
        run = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_LIMIT, check=True
        )
        (version,) = re.findall(r"cmake version (\d+)\.(\d+)", run.stdout)
        found.setdefault(tuple(map(int, version)), program)
    return {f"{major}.{minor}": path for (major, minor), path in sorted(found.items())}


def cmake_params(case: str = "") -> list[Any]:
    """Return the CMakes as a test's parameters: the oldest and the newest, and by night those between them.

    `case` is added to each one's id.
    """
    names = list(cmakes())
    return [
        pytest.param(
            cmakes()[name],
            id=f"{name}-{case}" if case else name,
            marks=() if name in (names[0], names[-1]) else pytest.mark.nightly,
        )
        for name in names
    ]


def generate(path: Path, destination: Path | None = None) -> list[str]:
    """Generate what the manifest `path` says into `destination` (default: its folder)."""
    resolved = plan.resolve(manifest.load(path), catalogue.load())
    folder = destination or path.parent
    return outputs.write(folder, render.render(resolved, folder))


@dataclass(frozen=True)
class Configured:
    """What one configure step left."""

    returncode: int
    output: str  # with what went to standard error, as it came
    build: Path

    @property
    def text(self) -> str:
        """The output with CMake's line breaks undone."""
        return " ".join(self.output.split())

    def decision(self, folder: str = ".", name: str = "pair", target: str | None = None) -> dict[str, Any]:
        """Return what was decided for a target (default: the only one)."""
        data = json.loads((self.build / folder / f"{name}_kernels_decision.json").read_text(encoding="utf-8"))
        assert (data["schema"], data["name"]) == (1, name)
        found = [entry for entry in data["targets"] if target in (None, entry["target"])]
        assert len(found) == 1, found
        return dict(found[0])

    def built(self, folder: str = ".", name: str = "pair", target: str | None = None) -> set[str]:
        """Return the kernels that were decided to be built."""
        kernels = self.decision(folder, name, target)["kernels"]
        return {entry["kernel"] for entry in kernels if entry["conclusion"] == "built"}

    def sources(self, target: str = "lib") -> dict[str, fileapi.Source]:
        """Return the sources of `target` that are compiled, by file name, as CMake says."""
        found = fileapi.read(self.build).targets[target].sources
        return {source.path.name: source for source in found if source.compiled}

    def flags(self, source: str, target: str = "lib") -> list[str]:
        """Return the flags that one source is compiled with."""
        return " ".join(self.sources(target)[source].fragments).split()

    @property
    def probes(self) -> int:
        """How often a compiler was asked so far, in all configure steps of this tree."""
        cache = (self.build / "CMakeCache.txt").read_text(encoding="utf-8")
        return len(
            re.findall(r"^_pair_kernels_[0-9a-f]{32}_(PAIR|:INTERNAL=\w+;[a-z]+:)", cache, re.MULTILINE)
        )


@dataclass(frozen=True)
class Project:
    """A project whose folder `kernels` holds a manifest, its sources and what is generated from it."""

    folder: Path
    cmake: Path

    def write(self, files: Mapping[str, str]) -> Project:
        """Write files (name -> text) into the project."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return self

    def configure(
        self, *arguments: str, tree: str = "build", env: Mapping[str, str] | None = None
    ) -> Configured:
        """Configure with Ninja, and the host's GCC unless a compiler is named, whatever comes of it."""
        named = ("-DCMAKE_C_COMPILER=", "-DCMAKE_TOOLCHAIN_FILE=")
        if "CC" not in (env or {}) and not any(argument.startswith(named) for argument in arguments):
            require_tool("gcc")
        build = self.folder / tree
        build.mkdir(exist_ok=True)
        fileapi.query(build)
        generator = [] if "-G" in arguments else ["-G", "Ninja"]
        command = [str(self.cmake), *generator, "-S", str(self.folder), "-B", str(build), *arguments]
        clean = {name: value for name, value in os.environ.items() if name not in ("CC", "CFLAGS")}
        run = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_LIMIT,
            env=clean | dict(env or {}),
            check=False,
        )
        return Configured(run.returncode, run.stdout, build)

    def configured(
        self, *arguments: str, tree: str = "build", env: Mapping[str, str] | None = None
    ) -> Configured:
        """Configure, which must succeed."""
        result = self.configure(*arguments, tree=tree, env=env)
        assert result.returncode == 0, result.output
        return result

    def refused(self, *arguments: str, tree: str = "build") -> Configured:
        """Configure, which must fail with a message of the fragment."""
        result = self.configure(*arguments, tree=tree)
        assert result.returncode == 1, result.output
        return result

    def build(self, tree: str = "build", *arguments: str) -> str:
        """Build all of it, which must succeed, and return the output."""
        command = [str(self.cmake), "--build", str(self.folder / tree), *arguments]
        run = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=_LIMIT, check=False
        )
        assert run.returncode == 0, run.stdout
        return run.stdout


def new_project(folder: Path, cmake: Path, *edits: tuple[str, str], lists: str = _PLAIN) -> Project:
    """Make a project with the manifest `pair`, changed by `edits` (old, new), in its folder `kernels`."""
    kernels = folder / "kernels"
    shutil.copytree(DATA / "pair", kernels)
    text = (kernels / "kernels.yml").read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    (kernels / "kernels.yml").write_text(text, encoding="utf-8")
    generate(kernels / "kernels.yml")
    return Project(folder, cmake).write({"CMakeLists.txt": lists})
