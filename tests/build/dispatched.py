"""What the tests of dispatchers share: the report and the counted calls that a program prints."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool import catalogue, manifest, outputs, plan, render

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from cmaketool.toolchains import Invocation

__all__ = ["Ran", "Report", "expected", "generate", "load", "must", "run"]


@dataclass(frozen=True)
class Report:
    """The report of one manifest's library, and how often each of its symbols was called if it counts."""

    compiled: tuple[str, ...]
    detected: tuple[str, ...]
    override: str
    features: tuple[str, ...]
    policy: tuple[str, ...]
    selected: Mapping[str, str]
    calls: Mapping[str, int]

    @classmethod
    def read(cls, text: str, name: str = "cmk") -> Report:
        """Find the one report of the manifest `name` in a program's output."""
        found: dict[str, str] = {}
        for line in text.splitlines():
            owner, _, rest = line.removeprefix("# ").partition(": ")
            if owner == name:
                key, _, value = rest.partition(": ")
                assert key not in found, line
                found[key] = value
        words = {
            key: () if found[key] == "none" else tuple(found[key].split())
            for key in ("compiled", "detected", "features", "policy", "selected")
        }
        calls = (word.split("=") for word in found.get("calls", "").split())
        return cls(
            compiled=words["compiled"],
            detected=words["detected"],
            override=found["override"],
            features=words["features"],
            policy=words["policy"],
            selected=dict(word.split("=") for word in words["selected"]),
            calls={symbol: int(count) for symbol, count in calls},
        )

    @property
    def moved(self) -> set[str]:
        """The symbols that were called."""
        return {symbol for symbol, count in self.calls.items() if count}


@dataclass(frozen=True)
class Ran:
    """What came of a program."""

    code: int
    output: str
    errors: str


def run(invocation: Invocation) -> Ran:
    """Run a program as a leg says, with what it sets of the environment."""
    changed = {**os.environ, **invocation.environment}
    environment = {key: value for key, value in changed.items() if value is not None}
    done = subprocess.run(
        invocation.words, env=environment, text=True, capture_output=True, timeout=300, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def must(command: list[str]) -> str:
    """Run a command that must succeed; what it says is the failure's text."""
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def load(path: Path) -> plan.Plan:
    """Return the plan of a manifest."""
    return plan.resolve(manifest.load(path), catalogue.load())


def generate(path: Path) -> plan.Plan:
    """Write what is generated for a manifest beside it."""
    planned = load(path)
    outputs.write(path.parent, render.render(planned, path.parent))
    return planned


def expected(
    planned: plan.Plan, isa: str, features: AbstractSet[str], policies: AbstractSet[str] = frozenset()
) -> dict[str, str]:
    """Return, by dispatched family, the first variant whose kernel's features and policy are all there."""
    closures = {kernel.name: set(kernel.closure) for kernel in planned.kernels if kernel.isa == isa}
    return {
        family.name: next(
            one.name
            for one in family.variants
            if one.kernel is None
            or (
                one.kernel in closures
                and closures[one.kernel] <= features
                and {one.policy} - {None} <= policies
            )
        )
        for family in planned.dispatched
    }
