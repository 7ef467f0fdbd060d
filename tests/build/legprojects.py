"""A small project around a manifest's fragment, built for a leg by hand: verify is not in between."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cmaketool import catalogue, manifest, outputs, plan, render
from cmaketool.verify import fileapi, objects
from tests.support import cmake_or_skip, configure_command

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool import toolchains
    from cmaketool.verify.objects import ObjectFile

__all__ = ["LegProject", "run"]

_PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(around C)
include(kernels/{name}_kernels.cmake)
add_library({name} STATIC)
{name}_target_kernels({name})
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run `command`, whatever comes of it."""
    return subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)


@dataclass(frozen=True)
class LegProject:
    """A project whose folder `kernels` has a manifest, its sources and its fragment, and its trees for a leg.

    The manifest and its only library have the name `name`.
    """

    folder: Path
    leg: toolchains.Leg
    name: str

    @classmethod
    def new(cls, folder: Path, leg: toolchains.Leg, sources: Path) -> LegProject:
        """Copy the manifest's folder `sources`, and generate its fragment."""
        shutil.copytree(sources, folder / "kernels")
        path = folder / "kernels" / "kernels.yml"
        resolved = plan.resolve(manifest.load(path), catalogue.load())
        outputs.write(path.parent, render.render(resolved, path.parent))
        text = _PROJECT.format(name=resolved.name)
        (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
        return cls(folder, leg, resolved.name)

    def build(self, tree: str = "build") -> Path:
        """Return the folder of a build tree."""
        return self.folder / tree

    def source(self, name: str) -> Path:
        """Return the path of one of the manifest's files."""
        return self.folder / "kernels" / name

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace `old`, which must be there, in one of the manifest's files."""
        text = self.source(name).read_text(encoding="utf-8")
        assert old in text
        self.source(name).write_text(text.replace(old, new), encoding="utf-8")

    def configure(
        self, *options: str, tree: str = "build", build_type: str = "Release"
    ) -> subprocess.CompletedProcess[str]:
        """Configure a tree, whatever comes of it."""
        fileapi.query(self.build(tree))
        command = configure_command(self.leg, self.folder, self.build(tree))
        more = (f"-DCMAKE_BUILD_TYPE={build_type}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        return run(*command, *more, *options)

    def configured(self, *options: str, tree: str = "build", build_type: str = "Release") -> dict[str, Any]:
        """Configure a tree, which must succeed; return what was decided for the library."""
        done = self.configure(*options, tree=tree, build_type=build_type)
        assert done.returncode == 0, done.stdout + done.stderr
        path = self.build(tree) / f"{self.name}_kernels_decision.json"
        (target,) = json.loads(path.read_text(encoding="utf-8"))["targets"]
        return dict(target)

    def make(self, tree: str = "build") -> subprocess.CompletedProcess[str]:
        """Build a tree, whatever comes of it."""
        return run(cmake_or_skip(), "--build", str(self.build(tree)))

    def objects(self, slice_: str, tree: str = "build") -> dict[str, ObjectFile]:
        """Return a slice of each object of the library, by its source's name."""
        files = fileapi.object_files(self.build(tree), self.name)
        return {source.name: objects.read(file, slice_) for source, file in files.items()}
