"""`cmaketool verify` as people start it: exit codes, output, Ctrl-C, nothing installed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cmaketool import toolchains
from tests.build.verify_support import MANIFESTS, MiniProject, require_native, x86_64_only
from tests.support import ROOT, leg_or_skip

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.build

ZIG = "zig-aarch64-linux-musl"


def cmaketool(*arguments: str | Path, temporary: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"TMPDIR": str(temporary)} if temporary else {})}
    return subprocess.run(
        [sys.executable, "-m", "cmaketool.cli", *map(str, arguments)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_seeds_are_refused_everywhere() -> None:
    require_native()
    legs = f"{ZIG},native"
    manifest = MANIFESTS / "seeds" / "kernels.yml"
    said = cmaketool("verify", manifest, "--toolchain", legs, "--until", "sources")
    assert said.returncode == 3
    assert "every kernel is refused" in said.stdout
    assert "refused: the compiler is" in said.stdout
    said = cmaketool("verify", manifest, "--toolchain", ZIG, "--until", "configure", "--expect-refused")
    assert said.returncode == 0


def test_seeds_with_wider_requirements_are_built() -> None:
    manifest = MANIFESTS / "seeds" / "kernels_any.yml"
    said = cmaketool("verify", manifest, "--toolchain", ZIG, "--until", "objects", "--json")
    assert said.returncode == 0, said.stdout
    document = json.loads(said.stdout)
    (leg,) = document["legs"]
    assert len(leg["kernels"]) == 4
    for kernel in leg["kernels"]:
        assert kernel["built"]
        assert {rung["verdict"] for rung in kernel["rungs"].values()} == {"PASS"}
    said = cmaketool("verify", manifest, "--toolchain", ZIG, "--until", "configure", "--expect-refused")
    assert said.returncode == 1
    assert "should have been refused" in said.stdout


@x86_64_only
def test_aesni_on_the_native_leg() -> None:
    require_native()
    said = cmaketool(
        "verify", MANIFESTS / "aesni" / "kernels.yml", "--toolchain", "native", "--teeth", "native"
    )
    assert said.returncode == 0, said.stdout
    row = next(line for line in said.stdout.splitlines() if line.strip().startswith("aes_ni "))
    assert row.split() == ["aes_ni", *["PASS"] * 7, "-", "PASS"]  # no dispatcher
    assert "native: fresh ON: PASS" in said.stderr
    assert all(line.startswith("native: ") for line in said.stderr.splitlines())
    assert max(map(len, said.stdout.splitlines())) <= 80
    assert "\x1b" not in said.stdout + said.stderr


@pytest.mark.parametrize("name", [pytest.param("a;b", id="semicolon[B63]"), "a]b", "$x{y"])
def test_a_work_folder_that_cmake_cannot_carry(tmp_path: Path, name: str) -> None:
    manifest = MANIFESTS / "mini" / "kernels.yml"
    folder = tmp_path / name
    said = cmaketool("verify", manifest, "--until", "configure", "--keep", folder)
    assert (said.returncode, said.stdout) == (2, "")
    assert "CMake cannot carry the '" in said.stderr
    assert not folder.exists()
    folder.mkdir()
    said = cmaketool("verify", manifest, "--until", "configure", temporary=folder)
    assert (said.returncode, said.stdout) == (2, "")
    assert "set TMPDIR to another folder" in said.stderr
    assert not list(folder.iterdir())


@x86_64_only
def test_a_leg_that_is_there_to_refuse(tmp_path: Path) -> None:
    leg_or_skip("msvc-model-x64", tmp_path / "leg")
    words = ("verify", MANIFESTS / "mini" / "kernels.yml", "--until", "configure", "--toolchain")
    said = cmaketool(*words, "msvc-model-x64")
    assert said.returncode == 3
    assert "it is there to refuse kernels, and cannot build clmul_x86, imc_x86" in said.stdout
    said = cmaketool(
        "verify", MANIFESTS / "masks" / "kernels.yml", *words[2:], "msvc-model-x64", "--expect-refused"
    )
    assert said.returncode == 0


@x86_64_only
def test_json_and_keep(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    project.edit("clmul_x86.c", "b, 0x00", "b, 0x10")
    project.drop_teeth()
    keep = tmp_path / "kept"
    arguments = ("verify", project.manifest, "--toolchain", "native", "--json", "--keep", keep)
    said = cmaketool(*arguments)
    assert said.returncode == 1
    document = json.loads(said.stdout)
    assert document["schema"] == 1
    assert document["exit_code"] == 1
    finding = document["findings"][0]
    assert (finding["leg"], finding["kernel"], finding["rung"]) == ("native", "clmul_x86", "answers")
    again = subprocess.run(["sh", "-c", finding["command"]], capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert "not ok 2 - clmul x86 1 vectors" in again.stdout
    script = subprocess.run(["sh", keep / "native" / "steps.sh"], capture_output=True, text=True, check=False)
    assert "not ok" in script.stdout
    assert cmaketool(*arguments).returncode == 2  # the folder is not empty any more


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--toolchain", "zig-aarch64-linux-muls"], "did you mean 'zig-aarch64-linux-musl'?"),
        (["--teeth", "nativ"], "did you mean 'native'?"),
        (["--toolchain", "native", "--teeth", ZIG], "not among the legs"),
        (["--project", "."], "--project and --target go together"),
        (["-DX=Y"], "-D is for --project"),
        (["--project", "docs", "--target", "x"], "there is no docs/CMakeLists.txt"),
        (["nowhere.yml"], "nowhere.yml"),
        (["--keep", "README.md/kept"], "cannot be made: Not a directory"),
    ],
)
def test_wrong_input(arguments: Sequence[str | Path], words: str) -> None:
    said = cmaketool("verify", *arguments)
    assert said.returncode == 2
    assert words in said.stderr
    assert "Traceback" not in said.stderr


@x86_64_only
def test_unknown_target(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    where: list[str | Path] = ["--project", project.folder, "--target", "minni"]
    said = cmaketool("verify", project.manifest, *where, "--toolchain", "native", "--until", "sources")
    assert said.returncode == 2
    assert "the project has no target 'minni'" in said.stderr
    assert "did you mean 'mini'?" in said.stderr


def test_named_legs_must_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    manifest = MANIFESTS / "seeds" / "kernels_any.yml"
    said = cmaketool("verify", manifest, "--toolchain", "gcc-12-aarch64-linux-gnu", "--until", "configure")
    assert said.returncode == 3
    assert "gcc-12-aarch64-linux-gnu: NOT RUN" in said.stdout
    assert "apt-get install" in said.stdout
    if isinstance(toolchains.find(toolchains.leg(ZIG), tmp_path / "leg"), toolchains.Leg):
        said = cmaketool("verify", manifest, "--until", "configure")
        assert said.returncode == 0
        assert "native: NOT RUN" in said.stdout


def test_with_nothing_but_the_base_package(tmp_path: Path) -> None:
    """A fresh environment that sees the base package's dependencies and nothing of the extra."""
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", str(ROOT)], check=True, timeout=300)
    environment = {**os.environ, "PATH": str(folder / "bin")}
    for more in ([], ["--until", "configure"]):
        said = subprocess.run(
            [folder / "bin" / "cmaketool", "verify", *more],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert said.returncode == 3, said.stderr
        assert said.stdout.count("NOT RUN") >= sum(leg.default for leg in toolchains.legs())
        assert "pip install 'cmaketool[verify]'" in said.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    marker = f"CMAKETOOL_TEST_{os.getpid()}_{number}=1"
    name, value = marker.split("=")
    arguments = [sys.executable, "-m", "cmaketool.cli", "verify", "--toolchain", ZIG]
    running = subprocess.Popen(
        arguments,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path), name: value},
    )
    deadline = time.monotonic() + 60
    most = 0
    while most < 4 and time.monotonic() < deadline:  # the program itself, and what it started
        most = max(most, len(_with(marker)))
    running.send_signal(number)
    _, errors = running.communicate(timeout=30)
    assert running.returncode == 130
    assert most >= 4
    assert "Traceback" not in errors
    assert _with(marker) == []
    assert list(tmp_path.glob("cmaketool-verify-*")) == []


def _with(marker: str) -> list[int]:
    """Return the processes whose environment holds `marker`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if marker.encode() in environment:
                found.append(int(entry.name))
    return found
