"""What goes wrong around a verification: odd environments, projects and readers, never a wrong PASS."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import CmaketoolError, ExitCode
from cmaketool.verify import report
from cmaketool.verify.model import Verdict
from tests.build.verify_support import MANIFESTS, MiniProject, failures, require_native, run, x86_64_only
from tests.configure.support import cmake_params

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.build, x86_64_only]

COMMAND = [sys.executable, "-m", "cmaketool.cli", "verify", str(MANIFESTS / "mini" / "kernels.yml")]
QUICK = [*COMMAND, "--toolchain", "native", "--until", "configure"]


@pytest.fixture
def mini(tmp_path: Path) -> MiniProject:
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    project.generate()
    return project


def _reasons(project: MiniProject, kernel: str | None, rung: str, **more: object) -> str:
    """Return why `rung` failed for `kernel`: empty if it did not."""
    return "; ".join(f.reason for f in failures(project.verify(**more).findings).get((kernel, rung), []))


def test_a_coloured_warning_is_a_warning(mini: MiniProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMAKE_COLOR_DIAGNOSTICS", "ON")
    monkeypatch.setenv("CLICOLOR_FORCE", "1")
    mini.edit("imc_x86.c", "state = _mm_aesimc", "int idle;\n    state = _mm_aesimc")
    mini.edit("CMakeLists.txt", "add_library", "add_compile_options(-Wall)\nadd_library")
    assert "compiles with a warning" in _reasons(mini, "imc_x86", "compiled", until="objects")


def test_a_folder_may_be_named_warning(mini: MiniProject) -> None:
    (mini.folder / "warning").mkdir()
    (mini.folder / "imc_x86.c").rename(mini.folder / "warning" / "imc_x86.c")
    mini.edit("kernels.yml", "sources: [imc_x86.c]", "sources: [warning/imc_x86.c]")
    mini.generate()
    assert not failures(mini.verify(until="objects").findings)


def test_a_failed_link_is_not_the_kernels_compile(mini: MiniProject) -> None:
    link = "STATIC base.c)\ntarget_link_options(mini PRIVATE -Wl,--no-such-option)"
    mini.edit("CMakeLists.txt", "STATIC base.c)", link.replace("STATIC", "SHARED"))
    found = failures(mini.verify(until="objects").findings)
    assert list(found) == [(None, "compiled")]


def test_an_answer_is_of_the_library_that_gave_it(mini: MiniProject) -> None:
    """The program of a shared library is the same in states in which the library is not."""
    stale = """SHARED base.c)
file(WRITE "${CMAKE_BINARY_DIR}/stale.h" "#define STALE ${MINI_SEEN}0")
target_include_directories(mini PRIVATE "${CMAKE_BINARY_DIR}")
set(MINI_SEEN 1 CACHE INTERNAL "")"""
    mini.edit("CMakeLists.txt", "STATIC base.c)", stale)
    mini.edit("portable.c", '#include "mini.h"', '#include "mini.h"\n#include "stale.h"')
    mini.edit("portable.c", "out[0] = out[1] = 0;", "out[0] = 0;\n    out[1] = STALE > 0;")
    found = failures(mini.verify().findings)["clmul/portable", "answers"]
    assert {finding.state for finding in found} >= {"AUTO", "toggled OFF"}


def test_a_difference_of_states_fails_the_state(mini: MiniProject) -> None:
    """What is no kernel's is the tree's fault: nothing else would keep the leg from saying PASS."""
    stale = "if(MINI_SEEN)\n  target_compile_options(mini PRIVATE -O1)\nendif()\n"
    seen = 'set(MINI_SEEN 1 CACHE INTERNAL "")\n'
    mini.edit("CMakeLists.txt", "mini_target", f"{stale}{seen}mini_target")
    outcome = mini.verify(until="sources")
    different = {finding.state for finding in failures(outcome.findings)[None, "flags"]}
    assert "toggled OFF" in different
    (leg,) = outcome.legs
    assert different <= {state.name for state in leg.states if state.verdict is Verdict.FAIL}


def test_a_second_definition_is_found(mini: MiniProject) -> None:
    """Only where the kernel is built, and right: the linker may take it and no answer tells."""
    text = """
#include "mini_kernels_config.h"
#include "mini.h"
#if MINI_BUILD_IMC_X86
void mini_imc_x86(uint8_t block[16]) { mini_imc_portable(block); }
#endif
"""
    base = mini.folder / "base.c"
    base.write_text(base.read_text(encoding="utf-8") + text, encoding="utf-8")
    reasons = _reasons(mini, "imc_x86", "symbols", until="objects")
    assert "mini_imc_x86 is defined in base.c.o, imc_x86.c.o" in reasons


def test_checks_of_other_families_prove_nothing(mini: MiniProject) -> None:
    """The test names the kernel's symbol, never calls it, and has an answer from another kernel."""
    mini.edit("kernels.yml", "option: CLMUL", "option: IMC")
    mini.edit("kernels.yml", "  CLMUL:\n    help: carry-less product on PCLMULQDQ, ", "    # ")
    mini.generate()
    use = "        void (*volatile idle)(uint64_t *, uint64_t, uint64_t) = mini_clmul_x86;\n(void)idle;"
    mini.edit("answers.c", "        clmul(variant, mini_clmul_x86);", use)
    assert "no check of clmul" in _reasons(mini, "clmul_x86", "answers")


def test_a_module_cannot_be_tested_and_says_so(mini: MiniProject) -> None:
    mini.edit("CMakeLists.txt", "STATIC", "MODULE")
    outcome = mini.verify()
    assert outcome.code is ExitCode.NOT_SHOWN
    assert "a program or a module" in outcome.summary


def test_the_environments_toolchain_is_not_the_legs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMAKE_TOOLCHAIN_FILE", "/no/such/file.cmake")
    assert run(MANIFESTS / "mini" / "kernels.yml", until="configure").code is ExitCode.OK


@pytest.mark.parametrize("cmake", cmake_params())
def test_another_compiler_than_the_legs_is_found(mini: MiniProject, tmp_path: Path, cmake: Path) -> None:
    other = tmp_path / "other-cc"
    other.write_text('#!/bin/sh\nexec cc "$@"\n', encoding="utf-8")
    other.chmod(0o755)
    defines = (f"CMAKE_C_COMPILER={other}",)
    reasons = _reasons(mini, None, "configured", until="configure", defines=defines, cmakes=(str(cmake),))
    assert f"compiled by {other}, not by the leg's" in reasons


def test_a_launcher_is_no_other_compiler(mini: MiniProject, tmp_path: Path) -> None:
    launcher = tmp_path / "launch"
    launcher.write_text('#!/bin/sh\nexec "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    rule = f'string(PREPEND CMAKE_C_COMPILE_OBJECT "{launcher} ")'
    mini.edit("CMakeLists.txt", "add_library", f"{rule}\nadd_library")
    outcome = mini.verify(until="configure")
    assert outcome.code is ExitCode.OK, outcome.findings


@pytest.mark.parametrize("define", ["WORD", "=x", "MINI_IMC=OFF", "MINI_IMC:STRING=OFF"])
def test_definitions_that_cannot_be(mini: MiniProject, define: str) -> None:
    with pytest.raises(CmaketoolError, match=r"is not VAR=VALUE|MINI_IMC is an option"):
        mini.verify(until="configure", defines=(define,))


def test_a_target_that_is_not_there_is_said_first(mini: MiniProject) -> None:
    with pytest.raises(CmaketoolError, match="no target 'mimi'"):
        run(mini.manifest, project=mini.folder, target="mimi", until="configure")


def test_an_empty_list_of_legs_is_not_all() -> None:
    for option in ("--toolchain", "--teeth"):
        done = subprocess.run([*COMMAND, option, ""], capture_output=True, text=True, check=False)
        assert done.returncode == ExitCode.BAD_INPUT
        assert "nothing is named" in done.stderr


def test_a_reader_that_leaves_changes_nothing() -> None:
    """`cmaketool verify 2>&1 | head -1`, under pipefail."""
    require_native()
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(QUICK, stdout=writer, stderr=writer, check=False)
    finally:
        os.close(writer)
    assert done.returncode == ExitCode.OK


def test_without_an_error_stream_json_stays_json() -> None:
    require_native()
    shell = ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *QUICK, "--json"]
    done = subprocess.run(shell, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == ExitCode.OK
    assert done.stdout.startswith("{")


def test_impatience_leaves_nothing(tmp_path: Path) -> None:
    """A closed terminal, then two Ctrl-C while what was begun is cleared away."""
    require_native()
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [*COMMAND, "--toolchain", "native"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stderr is not None
        child.stderr.readline()  # the first state is done, another has begun
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGINT):
            child.send_signal(number)
            time.sleep(0.02)
        child.communicate(timeout=30)
    assert child.returncode == 130
    assert not list(tmp_path.iterdir())


def test_a_unity_build_is_no_difference(mini: MiniProject) -> None:
    assert not failures(mini.verify(until="sources", defines=("CMAKE_UNITY_BUILD=ON",)).findings)


def test_link_time_optimisation_of_the_tests_too(mini: MiniProject) -> None:
    """What a test refers to stands in its bitcode then."""
    defines = ("CMAKE_INTERPROCEDURAL_OPTIMIZATION=ON", "CMAKE_POLICY_DEFAULT_CMP0069=NEW")
    outcome = mini.verify(defines=defines)
    assert not failures(outcome.findings)
    assert outcome.code is ExitCode.OK


def test_endless_lines_are_cut(mini: MiniProject) -> None:
    mini.edit("answers.c", '    printf("1..', '    printf("%99999d\\nnot ok\\n", 1);\n    printf("1..')
    text = report.as_text(mini.verify())
    assert "is no check" in text
    assert max(map(len, text.splitlines())) < 2000
