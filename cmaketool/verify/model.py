"""The words of a verification: what is asked, what one rung said, and what came of it all."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from cmaketool.toolchains.model import ALL_RUNGS, Rung

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cmaketool.diagnostics import ExitCode
    from cmaketool.verify.setups import Setup

__all__ = [
    "RUNGS_UNTIL",
    "Finding",
    "KernelReport",
    "LegReport",
    "Outcome",
    "StateReport",
    "Until",
    "Verdict",
    "VerifyRequest",
    "worst",
]

Until = Literal["configure", "sources", "objects", "run"]
RUNGS_UNTIL: Mapping[Until, tuple[Rung, ...]] = {
    "configure": ALL_RUNGS[:1],
    "sources": ALL_RUNGS[:3],
    "objects": ALL_RUNGS[:7],
    "run": ALL_RUNGS,
}


class Verdict(str, enum.Enum):
    """What a rung, a kernel or a leg comes to."""

    PASS = "PASS"  # noqa: S105  no password
    FAIL = "FAIL"
    NOT_RUN = "NOT RUN"
    NOT_SHOWN = "-"  # this leg, or this manifest, has no way to show it


_BADNESS = (Verdict.FAIL, Verdict.NOT_RUN, Verdict.PASS, Verdict.NOT_SHOWN)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return FAIL before NOT RUN before PASS; `-` when there is nothing else."""
    return min(verdicts, key=_BADNESS.index, default=Verdict.NOT_SHOWN)


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What the user asked for. `jobs` is the number of commands run at the same time."""

    manifest: Path
    project: Path | None = None
    target: str | None = None
    defines: tuple[str, ...] = ()
    toolchains: tuple[str, ...] = ()  # empty: every leg whose tools are found; ("all",): all of them
    toolchain_files: tuple[Path, ...] = ()  # CMake toolchain files, each a leg that must run
    cmakes: tuple[str, ...] = ()  # programs or their folders; empty: the usual one
    generators: tuple[str, ...] = ()  # as CMake calls them; empty: Ninja
    configurations: tuple[str, ...] = ()  # empty: Release
    until: Until = "run"
    jobs: int = 2
    keep: Path | None = None
    teeth: tuple[str, ...] | None = None  # legs; None: the embedded ones; empty: none
    require: bool = False
    expect_refused: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rung said about one kernel (None: about the tree) in one state of one leg.

    `kernel` is a kernel's name, or `<family>/<variant>` for a variant that is no kernel. `detail` is evidence
    of some lines, `command` the one to run again; both empty where there is nothing to show. `setup` is the
    label of the leg's setup, empty where there is but one.
    """

    leg: str
    state: str
    kernel: str | None
    rung: Rung
    verdict: Verdict
    reason: str = ""
    detail: str = ""
    command: str = ""
    setup: str = ""


@dataclass(slots=True)
class StateReport:
    """One configuration of a leg: its option values, and what was expected of it."""

    name: str
    values: Mapping[str, str]
    expected: str
    verdict: Verdict
    seconds: float


@dataclass(slots=True)
class KernelReport:
    """One kernel, or portable variant, on one leg. `built`: the leg should build it when asked to."""

    name: str
    built: bool
    kernel: bool  # False: a variant that is no kernel
    rungs: dict[Rung, Verdict]
    reasons: dict[Rung, str] = field(default_factory=dict)
    unproven: tuple[str, ...] = ()  # names that it uses, and that nothing shows cl to take

    @property
    def verdict(self) -> Verdict:
        """All rungs together."""
        return worst(self.rungs.values())


@dataclass(slots=True)
class LegReport:
    """One leg in one setup (None: there is no CMake, or no Ninja).

    A leg that did not run has no states and says why in `missing` and what to do in `remedy`.
    """

    name: str
    named: bool  # it must run
    setup: Setup | None = None
    about: str = ""
    limits: str = ""  # of a stand-in: what it cannot show
    missing: str = ""
    remedy: str = ""
    states: list[StateReport] = field(default_factory=list)
    kernels: list[KernelReport] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # exemptions and answers' numbers

    @property
    def label(self) -> str:
        """What tells its setup from the others; empty where there is but one."""
        return self.setup.label if self.setup is not None else ""

    @property
    def title(self) -> str:
        """The leg, with its setup where there are several."""
        return f"{self.name} ({self.label})" if self.label else self.name

    @property
    def unproven(self) -> tuple[str, ...]:
        """Names that its kernels use, and that nothing shows cl to take."""
        return tuple(sorted({name for kernel in self.kernels for name in kernel.unproven}))

    @property
    def verdict(self) -> Verdict:
        """FAIL if anything failed, NOT RUN if the leg or a rung of it was not run."""
        if self.missing:
            return Verdict.NOT_RUN
        return worst([state.verdict for state in self.states] + [kernel.verdict for kernel in self.kernels])


@dataclass(slots=True)
class Outcome:
    """All of a verification. `code` is what the program returns; `summary` says why in one line."""

    request: VerifyRequest
    legs: list[LegReport]
    findings: list[Finding]
    code: ExitCode
    summary: str
