"""Every example builds and does what it says."""

from __future__ import annotations

import hashlib
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
import yaml

from cmaketool.cli import cli
from tests.build.dispatched import run
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.downstream
EXAMPLES = ROOT / "examples"


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("name", ["native", "zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu"])
def test_plain_include(name: str, tmp_path: Path) -> None:
    leg = leg_or_skip(name, tmp_path / "leg")
    cmake = cmake_or_skip()
    build = tmp_path / "build"
    configured = _run(configure_command(leg, EXAMPLES / "include", build), tmp_path)
    assert "sha256_arm64" in configured, "the summary names each kernel, built or left out"
    _run([cmake, "--build", str(build)], tmp_path)
    for items in (None, "none"):
        ran = run(leg.invoke(build / "digest", ["message"], environment={"CMK_CPU_FEATURES": items}))
        assert (ran.output.strip(), ran.errors) == (hashlib.sha256(b"message").hexdigest(), "")


def test_every_example_has_a_test() -> None:
    assert {entry.name for entry in EXAMPLES.iterdir()} == {"include", "ci", "wolfssl"}


def test_ci_workflow_uses_commands_that_exist() -> None:
    workflow = yaml.safe_load((EXAMPLES / "ci" / "github.yml").read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    commands = [shlex.split(step["run"]) for step in steps if step.get("run", "").startswith("cmaketool ")]
    assert {command[1] for command in commands} == {"generate", "verify"}
    for _, name, _, *options in commands:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        known = {option for parameter in command.params for option in parameter.opts}
        assert {option for option in options if option.startswith("-")} <= known
    unverified = {
        entry["os"]: entry["unverified"]
        for entry in workflow["jobs"]["configure"]["strategy"]["matrix"]["include"]
    }
    assert unverified == {"ubuntu-latest": False, "windows-11-arm": True, "macos-latest": True}


def test_pre_commit_hook_is_the_check() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] == "cmaketool generate --check"
    assert hook["pass_filenames"] is False
