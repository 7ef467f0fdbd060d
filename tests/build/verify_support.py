"""What the tests of verification share: a small project to break, and a run of the engine."""

from __future__ import annotations

import platform
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from cmaketool import catalogue, outputs, render
from cmaketool import manifest as manifests
from cmaketool import plan as plans
from cmaketool.diagnostics import ExitCode
from cmaketool.verify.engine import verify
from cmaketool.verify.model import Finding, Outcome, Verdict, VerifyRequest
from cmaketool.verify.progress import Quiet
from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import TypeAlias

    from cmaketool.verify.model import Until

    Findings: TypeAlias = dict[tuple[str | None, str], list[Finding]]

__all__ = [
    "MANIFESTS",
    "Edit",
    "MiniProject",
    "Sabotage",
    "failures",
    "require_native",
    "run",
    "x86_64_only",
]

MANIFESTS = ROOT / "tests" / "manifests"

x86_64_only = pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"}, reason="the kernels are x86-64"
)


def require_native() -> None:
    """Skip the test without the host's own compiler and archiver."""
    require_tool("gcc")
    require_tool("ar")


class Edit(NamedTuple):
    """One replacement in one file."""

    file: str
    old: str
    new: str


class Sabotage(NamedTuple):
    """Edits after generation, the finding that they must give, and words of its reason."""

    edits: tuple[Edit, ...]
    kernel: str | None
    rung: str
    words: str
    until: Until = "objects"
    manifest: tuple[Edit, ...] = ()  # before generation


@dataclass(frozen=True)
class MiniProject:
    """A copy of a small manifest and its project, with its committed fragment, to be edited."""

    folder: Path
    name: str = "mini"

    @classmethod
    def make(cls, folder: Path, name: str = "mini") -> MiniProject:
        if name == "mini":
            require_native()
        shutil.copytree(MANIFESTS / name, folder)
        project = cls(folder, name)
        project.generate()
        return project

    @property
    def manifest(self) -> Path:
        return self.folder / "kernels.yml"

    def generate(self) -> None:
        plan = plans.resolve(manifests.load(self.manifest), catalogue.load())
        outputs.write(self.folder, render.render(plan, self.folder))

    def edit(self, name: str, old: str, new: str, *, count: int = 1) -> None:
        """Replace `old`, which must stand `count` times in the file `name`."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == count, (name, old, text.count(old))
        path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")

    def drop_teeth(self) -> None:
        """Leave out the teeth, whose text must stand in the sources whatever else is done to them."""
        text = self.manifest.read_text(encoding="utf-8")
        self.manifest.write_text(text.partition("teeth:")[0], encoding="utf-8", newline="\n")

    def verify(self, **more: Any) -> Outcome:
        """Verify the project's own tree on the native leg; no teeth unless asked."""
        return run(self.manifest, project=self.folder, target=self.name, **more)

    def suffer(self, sabotage: Sabotage, **more: Any) -> Findings:
        """Do what `sabotage` says and return what verification finds, once its finding is among that."""
        for edit in sabotage.manifest:
            self.edit(*edit)
        self.generate()
        for edit in sabotage.edits:
            self.edit(*edit)
        outcome = self.verify(until=sabotage.until, **more)
        assert outcome.code is ExitCode.FAILED
        found = failures(outcome.findings)
        assert (sabotage.kernel, sabotage.rung) in found, list(found)
        reasons = [finding.reason for finding in found[sabotage.kernel, sabotage.rung]]
        assert any(sabotage.words in reason for reason in reasons), reasons
        return found


def run(manifest: Path, **more: Any) -> Outcome:
    """Verify on the native leg unless another is named, without teeth unless they are asked for."""
    arguments = {"toolchains": ("native",), "teeth": (), **more}
    if "native" in arguments["toolchains"]:
        require_native()
    return verify(VerifyRequest(manifest=manifest, **arguments), Quiet())


def failures(findings: Iterable[Finding]) -> Findings:
    """Return what failed, by kernel and rung."""
    found: Findings = {}
    for finding in findings:
        if finding.verdict is Verdict.FAIL:
            found.setdefault((finding.kernel, finding.rung), []).append(finding)
    return found
