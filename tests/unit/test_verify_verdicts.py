"""From findings to verdicts, exit codes and reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cmaketool.diagnostics import ExitCode
from cmaketool.process import Result
from cmaketool.verify import report, tap
from cmaketool.verify.judge import Judge
from cmaketool.verify.model import (
    Finding,
    KernelReport,
    LegReport,
    Outcome,
    StateReport,
    Verdict,
    VerifyRequest,
    worst,
)
from cmaketool.verify.teeth import ready
from cmaketool.verify.testprograms import Answer
from cmaketool.verify.verdict import conclude
from tests.support import ROOT

PASS, FAIL, NOT_RUN, NONE = Verdict.PASS, Verdict.FAIL, Verdict.NOT_RUN, Verdict.NOT_SHOWN
REQUEST = VerifyRequest(manifest=Path("kernels.yml"))
PLAN = cast("Any", SimpleNamespace(kernels=(SimpleNamespace(name="k"),)))


def leg(
    name: str, *, named: bool = False, built: bool = True, missing: str = "", **rungs: Verdict
) -> LegReport:
    kernel = KernelReport(
        "k", built, kernel=True, rungs=cast("Any", rungs), reasons=dict.fromkeys(cast("Any", rungs), "why")
    )
    return LegReport(name, named, missing=missing, kernels=[] if missing else [kernel])


def code(*legs: LegReport, failures: int = 0, **request: bool) -> tuple[ExitCode, str]:
    finding = Finding("a", "AUTO", "k", "symbols", FAIL, "why")
    setup = SimpleNamespace(label="")
    run = SimpleNamespace(close=lambda: None, findings=[finding] * failures, setup=setup)
    asked = replace(REQUEST, **cast("Any", request))
    outcome = conclude(asked, PLAN, legs, [cast("Any", run)])
    return outcome.code, outcome.summary


def test_worst() -> None:
    assert worst([PASS, NONE, NOT_RUN, FAIL]) is FAIL
    assert worst([PASS, NONE, NOT_RUN]) is NOT_RUN
    assert worst([NONE, PASS]) is PASS
    assert worst([]) is NONE


def test_exit_codes() -> None:
    good = leg("a", symbols=PASS)
    refusing = leg("b", built=False, configured=PASS)
    absent = leg("c", missing="no compiler")
    assert code(good, refusing, absent) == (ExitCode.OK, "PASS: 1 kernel on a, b")
    assert code(good, failures=1) == (ExitCode.FAILED, "FAIL: 1 finding")
    assert code(absent) == (ExitCode.NOT_SHOWN, "NOT RUN: no leg could run")
    assert code(good, leg("c", missing="no compiler", named=True))[0] is ExitCode.NOT_SHOWN
    assert code(refusing)[0] is ExitCode.NOT_SHOWN
    assert code(refusing, expect_refused=True)[0] is ExitCode.OK
    assert code(absent, expect_refused=True)[0] is ExitCode.NOT_SHOWN
    assert code(good, expect_refused=True)[0] is ExitCode.FAILED


def test_what_was_not_run() -> None:
    half = leg("a", symbols=PASS, answers=NOT_RUN)
    assert code(half)[0] is ExitCode.NOT_SHOWN
    assert "(answers: why)" in code(half)[1]
    whole = leg("b", symbols=PASS, answers=PASS)
    assert code(half, whole)[0] is ExitCode.OK
    assert code(half, whole, require=True) == (
        ExitCode.NOT_SHOWN,
        "NOT RUN, and --require: k: answers on a",
    )
    assert code(leg("b", symbols=PASS, answers=NONE), require=True)[0] is ExitCode.OK


def test_what_nothing_shows_cl_to_take() -> None:
    good = leg("a", symbols=PASS)
    good.kernels[0].unproven = ("vx_u8", "vy_u8")
    names = "unproven on cl: vx_u8, vy_u8"
    assert code(good) == (ExitCode.OK, f"PASS: 1 kernel on a; {names}")
    assert code(good, require=True) == (ExitCode.NOT_SHOWN, f"NOT RUN, and --require: k: {names} on a")
    text = report.as_text(Outcome(REQUEST, [good], [], ExitCode.OK, ""))
    assert text.count(f"PASS, {names}\n") == 2  # of the leg, and below the kernel's row


def test_judge_stops_a_kernel_at_its_first_fault() -> None:
    judge = Judge("a", "AUTO", "run", ["configured", "sources", "flags", "symbols"])
    judge.command = "cmake"
    assert judge.stands("k", "sources")
    assert not judge.conclude("k", "sources", ["one", "two", "one"])
    assert not judge.stands("k", "flags")
    assert not judge.stands("other", "answers")
    assert judge.stands("other", "flags")
    said = [(f.kernel, f.rung, f.verdict, f.reason, f.command) for f in judge.findings]
    assert said == [
        ("k", "sources", FAIL, "one; two", "cmake"),
        ("k", "flags", NOT_RUN, "sources failed before it", ""),
        ("other", "answers", NONE, "the leg cannot show it", ""),
    ]


def test_which_teeth_are_tried() -> None:
    """Those of kernels that are built and right; one that is not chosen at run time can be right."""
    names = ("whole", "idle", "bare", "wrong", "unseen", "elsewhere")
    units: Any = [SimpleNamespace(name=name) for name in names[:-1]]
    teeth: Any = [SimpleNamespace(kernel=name) for name in names if name != "bare" for _ in range(2)]
    found = [("wrong", "answers", FAIL), ("idle", "selected", NOT_RUN), ("unseen", "answers", NOT_RUN)]
    findings = [Finding("a", "fresh ON", name, cast("Any", rung), verdict) for name, rung, verdict in found]
    judge = Judge("a", "fresh ON", "run", ["teeth"])
    tried = ready(judge, teeth, units, findings)
    assert [(tooth.kernel, unit.name) for tooth, unit in tried] == [
        ("whole", "whole"), ("whole", "whole"), ("idle", "idle"), ("idle", "idle"),
    ]  # fmt: skip
    assert [(one.kernel, one.verdict) for one in judge.findings] == [
        ("bare", NONE), ("wrong", NOT_RUN), ("unseen", NOT_RUN),
    ]  # fmt: skip


TWO = "ok 1 - aes/x v 2 vectors\nnot ok 2 - sha/y v 1 vectors\n#   got  00\n#   want 01\n1..2\n"


@pytest.mark.parametrize(
    ("family", "text", "ended", "faults"),
    [
        ("aes", TWO, 1, []),
        ("sha", TWO, 1, ["wrong answer: sha/y v: got 00, want 01"]),
        ("aes", TWO, -11, ["the test ended with -11"]),
        ("aes", TWO.replace("not ok", "ok"), 1, ["the test ended with 1"]),
        ("aes", TWO.replace("1..2\n", ""), 1, ["the test printed no plan"]),
        ("aes", "1..0\n", 0, ["the test made no check"]),
        ("aes", TWO.replace("x v", "x w"), 1, ["check 1 is of variant w, not v"]),
        ("aes", TWO.replace("2 vectors", "0 vectors"), 1, ["aes/x v was held against no vector"]),
    ],
)
def test_answers(family: str, text: str, ended: int, faults: list[str]) -> None:
    result = Result(("t",), ended, text, "", 0.1, timed_out=False)
    answer = Answer("v", result, tap.parse(text), "t")
    assert answer.faults(frozenset({family}), frozenset({"aes", "sha"})) == faults


def outcome() -> Outcome:
    rungs: Any = {"configured": PASS, "sources": PASS, "flags": NONE, "symbols": FAIL, "answers": NOT_RUN}
    kernel = KernelReport("a_kernel_with_a_very_long_name", built=True, kernel=True, rungs=rungs)
    refused = KernelReport(
        "r",
        built=False,
        kernel=True,
        rungs={"configured": PASS},
        reasons={"configured": "refused: " + "why " * 30},
    )
    good = LegReport("a", named=True, about="gcc 12", kernels=[kernel, refused], notes=["note " * 30])
    bad = LegReport("b", named=False, missing="not found: cc", remedy="install a compiler")
    faults = [
        Finding("a", state, "k", "symbols", FAIL, "why " * 30, detail="line\n", command="cmake -S x")
        for state in ("AUTO", "fresh ON")
    ]
    return Outcome(REQUEST, [good, bad], faults, ExitCode.FAILED, "FAIL: 2 findings")


def test_text_fits_80_columns() -> None:
    text = report.as_text(outcome())
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("FAIL symbols: k on a") == 1
    assert "(AUTO, fresh ON)" in text
    assert "  again: cmake -S x" in text
    assert "N/R: NOT RUN" in text
    assert text.endswith("FAIL: 2 findings\n")
    shown = report.as_text(outcome(), lambda cell, verdict: f"<{verdict.value}>{cell}</>")
    assert "<FAIL>FAIL</>" in shown


def shape(value: Any) -> Any:
    """Return what a consumer may count on: names of keys, and types; the entries of a list are alike."""
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    return [shape(value[0])] if isinstance(value, list) and value else type(value).__name__


def test_json_is_as_documented() -> None:
    text = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    documented = json.loads(text.partition("```json\n")[2].partition("```")[0])
    kernel = KernelReport("k", built=True, kernel=True, rungs={"symbols": PASS}, reasons={"symbols": ""})
    state = StateReport("AUTO", {"K_AES": "AUTO"}, "builds k", PASS, 0.5)
    leg = LegReport("a", named=True, about="gcc 12", states=[state], kernels=[kernel], notes=["k: 1 check"])
    fault = Finding("a", "AUTO", "k", "symbols", FAIL, "why")
    printed = json.loads(report.as_json(Outcome(REQUEST, [leg], [fault], ExitCode.FAILED, "FAIL")))
    for document in (documented, printed):  # one entry for each option, and for each rung
        for state_ in document["legs"][0]["states"]:
            state_["values"] = list(state_["values"].values())
        for kernel_ in document["legs"][0]["kernels"]:
            kernel_["rungs"] = list(kernel_["rungs"].values())
    assert shape(printed) == shape(documented)


def test_json_has_stable_keys() -> None:
    document = json.loads(report.as_json(outcome()))
    assert list(document) == ["schema", "manifest", "until", "exit_code", "summary", "legs", "findings"]
    assert document["exit_code"] == 1
    assert list(document["legs"][0]) == [
        "leg", "setup", "cmake", "generator", "configuration", "verdict", "about", "limits", "missing",
        "remedy", "states", "kernels", "notes",
    ]  # fmt: skip
    assert document["legs"][1]["verdict"] == "NOT RUN"
    assert document["legs"][0]["kernels"][0]["rungs"]["symbols"] == {"verdict": "FAIL", "reason": ""}
    assert [finding["state"] for finding in document["findings"]] == ["AUTO", "fresh ON"]
