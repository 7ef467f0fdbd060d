"""`cmaketool verify` with several CMakes, generators, configurations and toolchain files."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import ExitCode
from cmaketool.verify import commandlines
from cmaketool.verify.buildtools import build_tool
from cmaketool.verify.model import Verdict, VerifyRequest
from cmaketool.verify.setups import MAKEFILES, MULTI_CONFIG, NINJA, Setup, setups
from cmaketool.verify.steps import Steps
from tests.build.test_verify_command import cmaketool
from tests.build.verify_support import MANIFESTS, MiniProject, failures, require_native, run, x86_64_only
from tests.configure.support import cmakes
from tests.support import require_tool

if TYPE_CHECKING:
    from cmaketool.verify.model import Outcome

pytestmark = pytest.mark.build

QUICK = MANIFESTS / "seeds" / "kernels_any.yml"
CONFIGURATIONS = ("Debug", "Release")  # by night .ci/nightly asks for a third, of all generators


def only_setup(generator: str) -> Setup:
    found = setups(VerifyRequest(manifest=QUICK, generators=(generator,)))
    assert isinstance(found, tuple)
    (setup,) = found
    return setup


# --- what builds


BELOW = """\
add_library(parts OBJECT part.c)
add_executable(below main.c $<TARGET_OBJECTS:parts>)
"""


@pytest.mark.parametrize("generator", [NINJA, MAKEFILES])
def test_a_link_command_of_a_folder_below(tmp_path: Path, generator: str) -> None:
    require_tool("make")
    require_native()
    source = tmp_path / "source"
    lists = "cmake_minimum_required(VERSION 3.18)\nproject(p C)\nadd_subdirectory(below)\n"
    for name, text in {
        "CMakeLists.txt": lists,
        "below/CMakeLists.txt": BELOW,
        "below/part.c": "int part(void);\nint part(void) { return 1; }\n",
        "below/main.c": "int part(void);\nint main(void) { return part(); }\n",
        "part.c": "int part(void);\nint part(void) { return 5; }\n",
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    setup, steps, build = only_setup(generator), Steps(tmp_path / "steps"), tmp_path / "build"
    command = [str(setup.tools.cmake), "-S", str(source), "-B", str(build), *setup.arguments]
    mutant = tmp_path / "part.o"
    compiling = ["gcc", "-c", str(source / "part.c"), "-o", str(mutant)]
    for words in (command, [str(setup.tools.cmake), "--build", str(build)], compiling):
        assert steps.run("step", words, timeout=60).returncode == 0
    (made,) = build.rglob("part.c.o")
    link = build_tool(setup, build, steps).link_command(build / "below" / "below")
    program = tmp_path / "program"
    words = commandlines.linking(link, program, {made: mutant})
    assert words.count(str(mutant)) == 1
    assert steps.run("link", words, timeout=60, cwd=link.folder).returncode == 0
    assert steps.run("run", [str(program)], timeout=60).returncode == 5


def test_the_users_flags_for_make_are_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make -i`, from whose recipe we may be called, takes failures for none."""
    require_tool("make")
    lists = "cmake_minimum_required(VERSION 3.18)\nproject(p NONE)\nadd_custom_target(bad COMMAND false)\n"
    (tmp_path / "CMakeLists.txt").write_text(lists, encoding="utf-8")
    setup, steps, build = only_setup(MAKEFILES), Steps(tmp_path / "steps"), tmp_path / "build"
    command = [str(setup.tools.cmake), "-S", str(tmp_path), "-B", str(build), *setup.arguments]
    assert steps.run("configure", command, timeout=60).returncode == 0
    monkeypatch.setenv("MAKEFLAGS", "i")
    assert not build_tool(setup, build, steps).is_current("bad")


# --- configurations


@pytest.fixture(scope="module")
def in_three_configurations(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, Path]:
    """One kernel, on the native leg, in each configuration of Ninja Multi-Config."""
    keep = tmp_path_factory.mktemp("multi") / "kept"
    manifest = MANIFESTS / "aesni" / "kernels.yml"
    outcome = run(manifest, generators=(MULTI_CONFIG,), configurations=CONFIGURATIONS, keep=keep)
    return outcome, keep


@x86_64_only
@pytest.mark.parametrize("name", [pytest.param(name, id=f"{name}-[B38]-[B19]") for name in CONFIGURATIONS])
def test_each_configuration_is_built_and_asked(
    in_three_configurations: tuple[Outcome, Path], name: str
) -> None:
    outcome, keep = in_three_configurations
    assert outcome.code is ExitCode.OK, outcome.findings
    (leg,) = (leg for leg in outcome.legs if leg.label == name)
    (kernel,) = (kernel for kernel in leg.kernels if kernel.kernel)
    shown = ("sources", "flags", "compiled", "symbols", "mnemonics", "leak", "answers")
    assert {kernel.rungs[rung] for rung in shown} == {Verdict.PASS}  # type: ignore[index]
    objects = {str(path) for path in (keep / "native" / name).rglob("aes_ni.c.o")}
    assert {one for one in CONFIGURATIONS for path in objects if f".dir/{one}/" in path} == {name}
    logs = [path.read_text(encoding="utf-8") for path in (keep / "native" / name / "logs").glob("*build*")]
    assert logs
    assert all(f"--config {name} " in text for text in logs)


@x86_64_only
def test_a_project_may_not_build_another_configuration(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    project.edit("CMakeLists.txt", "project(mini C)\n", "project(mini C)\nset(CMAKE_BUILD_TYPE Release)\n")
    project.drop_teeth()
    found = failures(project.verify(until="configure", configurations=("Debug",)).findings)
    reasons = {finding.reason for finding in found[None, "configured"]}
    assert reasons == {"the project builds the configuration Release, not Debug"}
    assert project.verify(until="configure").code is ExitCode.OK


# --- makefiles


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> MiniProject:
    """A project whose kernels are in a folder of it, where makefiles run their commands."""
    require_tool("make")
    top = tmp_path_factory.mktemp("below")
    project = MiniProject.make(top / "inner")
    (top / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(top C)\nadd_subdirectory(inner)\n", encoding="utf-8"
    )
    return project


def by_make(project: MiniProject, teeth: tuple[str, ...] = ()) -> Outcome:
    top = project.folder.parent
    return run(project.manifest, project=top, target="mini", generators=(MAKEFILES,), teeth=teeth)


@x86_64_only
def test_makefiles_show_every_rung(below: MiniProject) -> None:
    outcome = by_make(below, teeth=("native",))
    assert outcome.code is ExitCode.OK, outcome.findings
    (leg,) = outcome.legs
    assert "GNU make" in leg.about
    for kernel in leg.kernels:
        assert kernel.rungs["selected"] is Verdict.PASS
        assert kernel.rungs["teeth"] is (Verdict.PASS if kernel.kernel else Verdict.NOT_SHOWN)


@x86_64_only
def test_what_make_prints_is_told_of_the_right_object(below: MiniProject) -> None:
    below.drop_teeth()
    below.edit("imc_x86.c", "void mini_imc_x86(", "int mini_stray;\nvoid mini_imc_x86(")
    below.edit("imc_x86.c", "{\n", "{\n    nonsense\n")
    below.edit("clmul_x86.c", "{\n", "{\n    int unused = 0;\n#warning unused\n")
    found = failures(by_make(below).findings)
    assert set(found) == {("imc_x86", "compiled"), ("clmul_x86", "compiled")}
    assert {fault.reason for fault in found["imc_x86", "compiled"]} == {"inner/imc_x86.c does not compile"}
    clmul = found["clmul_x86", "compiled"]
    assert {fault.reason for fault in clmul} == {"inner/clmul_x86.c compiles with a warning"}
    assert all("nonsense" not in fault.detail for fault in clmul)


# --- CMakes


@pytest.mark.skipif(os.name == "nt", reason="the compiler is a shell script")
def test_a_table_of_cmakes_asks_the_compiler_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = list(cmakes())
    if len(versions) < 2:
        pytest.skip("there is one CMake only")
    gcc, log = require_tool("gcc"), tmp_path / "asked"
    script = tmp_path / "cc"
    script.write_text(f'#!/bin/sh\necho "$*" >> {log}\nexec {gcc} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    chosen = [str(cmakes()[version]) for version in (versions[0], versions[-1])]
    which = ("--cmake", chosen[0], "--cmake", chosen[1], "--toolchain", "native", "--until", "configure")
    said = cmaketool("verify", MANIFESTS / "aesni" / "kernels.yml", *which, "--json")
    assert said.returncode == 0, said.stdout
    legs = json.loads(said.stdout)["legs"]
    assert [".".join(leg["cmake"].split(".")[:2]) for leg in legs] == [versions[0], versions[-1]]
    for leg in legs:
        assert leg["setup"] == f"CMake {leg['cmake']}"
        assert f"; {leg['setup']}, Ninja " in leg["about"]
    asked = log.read_text(encoding="utf-8").splitlines()
    assert sum("facts.c" in line for line in asked) == 1


# --- toolchain files, and what cannot be used


def test_a_toolchain_file_is_a_leg(tmp_path: Path) -> None:
    file = tmp_path / "board.cmake"
    compiler = require_tool("aarch64-linux-gnu-gcc")
    text = "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\n"
    text += f"set(CMAKE_C_COMPILER {compiler})\n"
    file.write_text(text, encoding="utf-8")
    arguments = ("verify", QUICK, "--toolchain-file", file, "--until", "configure", "--json")
    said = cmaketool(*arguments, "--generator", "ninja multi-config", "--config", "Debug")
    assert said.returncode == 0, said.stdout
    (leg,) = json.loads(said.stdout)["legs"]
    assert (leg["leg"], leg["generator"], leg["configuration"]) == ("board", MULTI_CONFIG, "Debug")
    file.write_text(text.replace(compiler, str(tmp_path / "no-compiler")), encoding="utf-8")
    said = cmaketool(*arguments)
    assert said.returncode == 2
    assert "CMake does not configure with it" in said.stderr


@pytest.mark.skipif(os.name == "nt", reason="the compiler is a shell script")
def test_a_broken_compiler_ends_only_what_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho no licence >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    said = cmaketool("verify", QUICK, "--until", "configure")
    assert said.returncode == 0, said.stderr
    assert "native: NOT RUN" in said.stdout
    assert "unusable" in said.stdout
    assert "no licence" in said.stdout
    said = cmaketool("verify", QUICK, "--until", "configure", "--toolchain", "native")
    assert said.returncode == 2
    assert "no licence" in said.stderr


def test_makefiles_without_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if shutil.which("ninja", path=Path(sys.executable).parent) is None:
        pytest.skip("Ninja is no package of this Python")
    said = cmaketool("verify", QUICK, "--generator", MAKEFILES, "--until", "configure")
    assert said.returncode == 3
    assert "make is not on PATH" in said.stdout
    assert "apt-get install make" in said.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--cmake", "nowhere"], "there is no cmake at 'nowhere'"),
        (["--cmake", "README.md"], "there is no cmake at 'README.md'"),
        (["--config", "Relase"], "did you mean 'Release'?"),
        (["--generator", "Xcode"], "'Xcode' is not one of"),
        (["--toolchain-file", "nowhere.cmake"], "nowhere.cmake"),
    ],
)
def test_wrong_setups(arguments: list[str], words: str) -> None:
    said = cmaketool("verify", QUICK, *arguments)
    assert said.returncode == 2
    assert words in said.stderr
    assert "Traceback" not in said.stderr
