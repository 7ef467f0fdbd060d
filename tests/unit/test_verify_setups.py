"""Setups: which CMake, generator and configuration; and the table that shows legs beside them."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from cmaketool import process
from cmaketool.diagnostics import CmaketoolError, ExitCode
from cmaketool.process import Result
from cmaketool.toolchains import select
from cmaketool.toolchains.programs import Make, Missing, Tools, cmake_named, tools
from cmaketool.verify import report
from cmaketool.verify.legsearch import look
from cmaketool.verify.make import Makefiles
from cmaketool.verify.model import (
    Finding,
    KernelReport,
    LegReport,
    Outcome,
    StateReport,
    Verdict,
    VerifyRequest,
)
from cmaketool.verify.ninja import Ninja
from cmaketool.verify.pool import Pool
from cmaketool.verify.setups import GENERATORS, MAKEFILES, MULTI_CONFIG, NINJA, Setup, setups
from cmaketool.verify.verdict import conclude
from tests.support import cmake_or_skip

if TYPE_CHECKING:
    from collections.abc import Callable

PASS, FAIL, NOT_RUN = Verdict.PASS, Verdict.FAIL, Verdict.NOT_RUN
REQUEST = VerifyRequest(manifest=Path("kernels.yml"))
TOOLS = Tools(Path("/cmake"), "4.4.0", Path("/ninja"), "1.13.0")


# --- which


def fake_cmake(path: Path, says: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("inside", ["cmake", "bin/cmake", "cmake/data/bin/cmake"])
def test_a_cmake_is_a_program_or_a_folder(tmp_path: Path, inside: str) -> None:
    program = fake_cmake(tmp_path / inside, "cmake version 3.20.1")
    assert cmake_named(str(tmp_path)) == program
    assert cmake_named(str(program)) == program
    found = tools(program)
    if isinstance(found, Tools):
        assert (found.cmake, found.cmake_version) == (program, "3.20.1")


def test_a_cmake_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake_cmake(tmp_path / "bin" / "cmake", "cmake version 3.20.1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cmake").mkdir()  # a project's folder of modules is not meant
    assert cmake_named("cmake") == program


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("cmake version 3.16.3", r"is CMake 3\.16\.3; 3\.18 is the oldest"),
        ("hello 3.20.1", "is not CMake"),
    ],
)
def test_a_cmake_that_does_not_do(tmp_path: Path, says: str, words: str) -> None:
    with pytest.raises(CmaketoolError, match=words) as caught:
        cmake_named(str(fake_cmake(tmp_path / "cmake", says)))
    assert caught.value.code is ExitCode.BAD_INPUT
    with pytest.raises(CmaketoolError, match="there is no cmake at"):
        cmake_named(str(tmp_path / "nowhere"))


def chosen(**asked: Any) -> tuple[Setup, ...]:
    cmake_or_skip()
    found = setups(replace(REQUEST, **asked))
    assert not isinstance(found, Missing)
    return found


def test_one_setup_needs_no_label() -> None:
    (setup,) = chosen()
    assert (setup.generator, setup.configuration, setup.label, setup.folder) == (NINJA, "Release", "", "")
    (setup,) = chosen(generators=(MULTI_CONFIG, MULTI_CONFIG), configurations=("Debug",))
    assert (setup.label, setup.among) == ("", "Debug")


def test_every_combination_once() -> None:
    found = chosen(generators=(NINJA, MAKEFILES), configurations=("Debug", "Release", "Debug"))
    assert [setup.label for setup in found] == [
        f"{generator}, {configuration}"
        for generator in (NINJA, MAKEFILES)
        for configuration in ("Debug", "Release")
    ]
    assert found[-1].folder == "Unix-Makefiles-Release"
    assert [setup.label for setup in chosen(configurations=("Debug", "Release"))] == ["Debug", "Release"]


def test_two_cmakes_are_told_apart(tmp_path: Path) -> None:
    programs = [
        str(fake_cmake(tmp_path / name / "cmake", f"cmake version {version}"))
        for name, version in (("a", "3.20.1"), ("b", "3.31.0"), ("c", "3.31.0"))
    ]
    labels = [setup.label for setup in chosen(cmakes=(programs[0], programs[1], programs[0]))]
    assert labels == ["CMake 3.20.1", "CMake 3.31.0"]
    labels = [setup.label for setup in chosen(cmakes=(*programs, str(tmp_path / "b")))]
    assert labels == ["CMake 3.20.1", "CMake 3.31.0 no. 1", "CMake 3.31.0 no. 2"]


def test_a_configuration_that_only_a_project_can_have() -> None:
    with pytest.raises(CmaketoolError, match="did you mean 'Release'"):
        setups(replace(REQUEST, configurations=("Relase",)))
    (setup,) = chosen(configurations=("Sanitize",), project=Path(), target="t", generators=(MULTI_CONFIG,))
    assert "-DCMAKE_CONFIGURATION_TYPES=Debug;Release;RelWithDebInfo;Sanitize" in setup.arguments


def test_makefiles_need_make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cmake_or_skip()
    monkeypatch.setenv("PATH", str(tmp_path))
    found = setups(replace(REQUEST, generators=(MAKEFILES, NINJA)))
    if isinstance(found, Missing):
        pytest.skip("Ninja is on PATH alone")
    assert [setup.missing.what if setup.missing else "" for setup in found] == ["make is not on PATH", ""]


def test_what_is_said_of_a_setup() -> None:
    make = Make(Path("/make"), "4.3")
    assert Setup(TOOLS).about == "CMake 4.4.0, Ninja 1.13.0"
    assert Setup(TOOLS, MULTI_CONFIG, "Debug").about == "CMake 4.4.0, Ninja Multi-Config 1.13.0, Debug"
    assert Setup(TOOLS, MAKEFILES, make=make).about == "CMake 4.4.0, GNU make 4.3"
    assert Setup(TOOLS, MAKEFILES, make=Make(Path("/make"), "")).about == "CMake 4.4.0, /make"


def test_of_several_cmakes_a_leg_needs_one_that_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # its compiler is not there
    (file,) = select(["msvc-model-arm64ec"])
    job = cast("Any", SimpleNamespace(request=replace(REQUEST, toolchains=(file.name,))))
    old, new = (
        Setup(replace(TOOLS, cmake_version=version), label=version) for version in ("3.18.4", "3.31.0")
    )

    def found(*among: Setup) -> list[tuple[bool, str]]:
        legs = [leg for leg in look(job, file, among, tmp_path) if isinstance(leg, LegReport)]
        return [(leg.named, leg.missing.partition(" ")[0]) for leg in legs]

    assert found(old) == [(True, "CMake")]
    both = found(old, new)
    assert both[0] == (False, "CMake")  # it need not run there
    assert both[1][0]
    assert both[1][1] != "CMake"


# --- what a build printed

SAID = """\
[ 40%] Building C object CMakeFiles/l.dir/b.c.o
b.c:1:35: error: 'zzz' undeclared
gmake[3]: *** [CMakeFiles/l.dir/build.make:95: CMakeFiles/l.dir/b.c.o] Error 1
[ 20%] Building C object CMakeFiles/l.dir/a.c.o
\x1b[1ma.c:1:18: \x1b[35mwarning:\x1b[0m unused
gmake[3]: Target 'CMakeFiles/l.dir/build' not remade because of errors.
gmake[2]: *** [CMakeFiles/Makefile2:143: CMakeFiles/l.dir/all] Error 2
"""
OLD = "make[2]: *** [CMakeFiles/l.dir/b.c.o] Error 1\n"  # GNU make 3.81
NINJA_SAID = """\
[0/3] Building C object CMakeFiles/l.dir/b.c.o
FAILED: [code=1] CMakeFiles/l.dir/b.c.o
cc -c b.c
b.c:1:35: error: 'zzz' undeclared
[1/3] Building C object CMakeFiles/l.dir/a.c.o
a.c:1:18: warning: unused
"""


@pytest.mark.parametrize("said", [SAID, SAID + SAID, NINJA_SAID, NINJA_SAID.replace("[code=1] ", "")])
def test_the_log_of_a_build(said: str) -> None:
    steps, tree = cast("Any", None), Path("/tree")
    maker = Makefiles(Make(Path("make"), "4.3"), Path("cmake"), tree, steps)
    tool = Ninja(Path("ninja"), tree, steps) if "FAILED" in said else maker
    log = tool.log(Result((), 2, said, "", 0.1, timed_out=False), "cmake --build /tree")
    bad, good = (tree / "CMakeFiles" / "l.dir" / name for name in ("b.c.o", "a.c.o"))
    assert not log.ok
    assert log.failed(bad, tree)
    assert not log.failed(good, tree)
    assert log.remarks(good, tree) == ["a.c:1:18: warning: unused"]
    assert "'zzz' undeclared" in log.about(bad, tree)
    assert "warning" not in log.about(bad, tree)


def test_the_log_of_an_old_make() -> None:
    maker = Makefiles(Make(Path("make"), "3.81"), Path("cmake"), Path("/tree"), cast("Any", None))
    log = maker.log(Result((), 2, OLD, "", 0.1, timed_out=False), "")
    assert log.failed(Path("/tree/CMakeFiles/l.dir/b.c.o"), Path("/tree"))
    assert maker.arguments(8) == ["-j", "1", "--", "-k"]  # it cannot keep outputs apart


# --- the verdict and the table


def leg(name: str, label: str, verdict: Verdict | None, **more: Any) -> LegReport:
    setup = Setup(TOOLS, label=label)
    if verdict is None:
        return LegReport(name, setup=setup, missing="no compiler", **{"named": False, **more})
    kernel = KernelReport(
        "k", built=True, kernel=True, rungs={"symbols": verdict}, reasons={"symbols": "why"}
    )
    states = [
        StateReport(state, {"K": value}, "", PASS, 0.1)
        for state, value in (("fresh OFF", "OFF"), ("AUTO", "AUTO"), ("fresh ON", "ON"))
    ]
    return LegReport(name, **{"named": False, **more}, setup=setup, states=states, kernels=[kernel])


def outcome(*legs: LegReport, findings: tuple[Finding, ...] = (), **asked: Any) -> Outcome:
    plan = cast("Any", SimpleNamespace(kernels=(SimpleNamespace(name="k"),)))
    run = SimpleNamespace(close=lambda: None, findings=findings, setup=SimpleNamespace(label="B"))
    return conclude(replace(REQUEST, **asked), plan, legs, [cast("Any", run)])


def test_what_is_asked_for_must_be_shown_in_each_setup() -> None:
    good = [leg("a", "A", PASS), leg("a", "B", PASS), leg("b", "A", None), leg("b", "B", None)]
    for require in (False, True):  # which asks for all rungs, not for legs that a setup cannot have
        assert outcome(*good, require=require).summary == "PASS: 1 kernel on a, in 2 setups"
    half = outcome(leg("a", "A", PASS), leg("a", "B", NOT_RUN), leg("b", "A", PASS))
    assert half.code is ExitCode.NOT_SHOWN
    assert half.summary == "NOT RUN: k (B) passed on no leg that builds it (symbols: why)"
    idle = outcome(leg("a", "A", PASS), leg("a", "B", None))
    assert (idle.code, idle.summary) == (ExitCode.NOT_SHOWN, "NOT RUN: no leg could run with B")
    missing = outcome(leg("a", "A", PASS), leg("a", "B", PASS), leg("b", "B", None, named=True))
    assert missing.summary == "NOT RUN: b (B), asked for by name"


def test_the_table_of_setups() -> None:
    found = outcome(leg("a", "A", PASS), leg("a", "B", FAIL), leg("bb", "A", None), leg("bb", "B", PASS))
    lines = report.as_text(found).splitlines()
    at = lines.index("    A     B")
    assert lines[at : at + 3] == ["    A     B", "a   PASS  FAIL", "bb  N/R   PASS"]
    assert "a (A): PASS" in lines
    assert "N/R: NOT RUN" in lines


def test_what_is_unproven_on_cl_is_marked_in_the_tables() -> None:
    for label in ("A", ""):
        legs = [leg("a", label, PASS), leg("a" if label else "b", "B" if label else "", PASS)]
        legs[1].kernels[0].unproven = ("vuzp1q_u32",)
        lines = report.as_text(outcome(*legs)).splitlines()
        assert "* with kernels that are unproven on cl" in lines
        marked = [line for line in lines if "PASS*" in line]
        assert marked == (["a  PASS   PASS*"] if label else ["b  PASS   PASS*  PASS*"])
    assert "*" not in report.as_text(outcome(leg("a", "A", PASS), leg("a", "B", PASS)))


@pytest.mark.parametrize("number", [4, 30])
def test_columns_are_numbered_where_their_heads_do_not_fit(number: int) -> None:
    labels = [f"CMake 3.{at}.0, Ninja Multi-Config, Debug" for at in range(number)]
    name = "a-leg-of-26-characters-in-"
    text = report.as_text(outcome(*(leg(name, label, PASS) for label in labels)))
    assert max(map(len, text.splitlines())) <= 80
    table = text[
        text.index("\n" + " " * len(str(number // 10)) + "1: CMake" if number > 9 else "\n1: CMake") :
    ]
    assert table.count("PASS  ") + table.count("PASS\n") == number
    assert f"{number}: {labels[-1]}\n" in table
    assert "N/R" not in text


def test_the_table_of_one_setup_is_of_values() -> None:
    fault = Finding("b", "fresh ON", "k", "teeth", FAIL, "why")
    found = outcome(leg("a", "", PASS), leg("b", "", PASS), leg("c", "", None), findings=(fault,))
    lines = report.as_text(found).splitlines()
    at = lines.index("   OFF   AUTO  ON")
    assert lines[at + 1 : at + 4] == ["a  PASS  PASS  PASS", "b  PASS  PASS  FAIL", "c  N/R   N/R   N/R"]
    assert "OFF   AUTO" not in report.as_text(outcome(leg("a", "", PASS)))  # its own table is enough


def test_a_fault_is_told_once_for_all_setups() -> None:
    faults = tuple(Finding("a", state, "k", "symbols", FAIL, "gone") for state in ("AUTO", "fresh ON"))
    found = outcome(leg("a", "A", PASS), leg("a", "B", FAIL), findings=faults)
    found.findings.append(replace(faults[0], setup="A"))
    text = report.as_text(found)
    assert text.count("FAIL symbols: k on a") == 1
    assert "gone (B: AUTO, fresh ON; A: AUTO)" in text


def test_json_names_the_setup_and_the_limits() -> None:
    made = leg("a", "B", PASS, limits="only a model")
    fault = Finding("a", "AUTO", "k", "symbols", FAIL, "gone")
    document = json.loads(report.as_json(outcome(made, leg("a", "A", PASS), findings=(fault,))))
    first = document["legs"][0]
    assert [first[key] for key in ("setup", "cmake", "generator", "configuration", "limits")] == [
        "B", "4.4.0", "Ninja", "Release", "only a model",
    ]  # fmt: skip
    assert document["findings"][0]["setup"] == "B"
    assert "  limits: only a model" in report.as_text(outcome(made, leg("a", "A", PASS)))


def test_generators_are_named_as_cmake_does() -> None:
    said = process.run([cmake_or_skip(), "--help"], timeout=60).output
    for generator in GENERATORS:
        assert f"{generator} " in said


# --- the pool


def test_the_costliest_first_and_what_follows() -> None:
    pool, order = Pool(1), list[str]()

    def work(name: str) -> Callable[[], str]:
        def done() -> str:
            order.append(name)
            return name

        return done

    def found(name: str) -> None:
        order.append(f"after {name}")
        pool.add(work("cheap"), lambda _: None, cost=1)
        pool.add(work("dear"), lambda _: None, cost=3)

    pool.add(work("middle"), lambda _: None, cost=2)
    pool.add(work("first"), found, cost=9)
    pool.run()
    assert order == ["first", "after first", "dear", "middle", "cheap"]


def test_works_are_spread_over_threads() -> None:
    pool, seen = Pool(2), set[int]()
    both = threading.Barrier(2)

    def half() -> None:
        both.wait(timeout=30)
        seen.add(threading.get_ident())

    pool.add(lambda: pool.spread([half, half]), lambda _: None)
    pool.run()
    assert len(seen) == 2


def test_threads_are_not_named_after_one_command() -> None:
    pool, names = Pool(1), list[str]()
    pool.add(lambda: threading.current_thread().name, names.append)
    pool.run()
    assert names == ["cmaketool_0"]


def test_a_fault_ends_everything() -> None:
    pool, begun = Pool(2), list[int]()

    def fault() -> None:
        raise CmaketoolError

    def sleep() -> None:
        begun.append(1)
        process.run(["sleep", "60"], timeout=100)

    pool.add(sleep, lambda _: None)
    pool.add(fault, lambda _: None)
    pool.add(sleep, lambda _: None)
    with pytest.raises(CmaketoolError):
        pool.run()
    assert len(begun) <= 2
    assert process.run(["true"], timeout=10).returncode == 0  # commands run again
