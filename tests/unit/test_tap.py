"""TAP, strictly: what a test printed, and whether it proves anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmaketool.verify import tap
from cmaketool.verify.tap import Check

GOOD = """1..2
# aes on this machine
ok 1 - aes_ctr arm64 378 vectors
ok 2 - aes_ecb arm64 1 vector
"""


def test_a_good_run() -> None:
    result = tap.parse(GOOD)
    assert result.plan == 2
    assert result.checks == (Check(1, True, "aes_ctr", "arm64", 378), Check(2, True, "aes_ecb", "arm64", 1))
    assert result.problems == ()
    assert tap.evaluate(result, "arm64") == []


@pytest.mark.parametrize(
    "text", [GOOD.replace("\n", "\r\n"), "".join(sorted(GOOD.splitlines(True), reverse=True))]
)
def test_line_ends_and_a_plan_at_the_end(text: str) -> None:
    assert tap.evaluate(tap.parse(text), "arm64") == []


def test_a_wrong_answer_has_its_values() -> None:
    result = tap.parse(
        "1..1\nnot ok 1 - sha256 arm64 65 vectors\n#   got  E3B0C442\n#   want 27AE41E4\n# got  too late\n"
    )
    assert result.checks == (Check(1, False, "sha256", "arm64", 65, "E3B0C442", "27AE41E4"),)
    assert tap.evaluate(result, "arm64") == ["wrong answer: sha256 arm64: got E3B0C442, want 27AE41E4"]


MALFORMED = (
    "ok",
    "ok 2",
    "ok 2 a v 3 vectors",
    "ok 0 - a v 3 vectors",
    "ok 2 - a v",
    "ok 2 - a v -3 vectors",
    "ok 2 - a v 3 vectors # SKIP",
    "not ok - a v 3 vectors",
    "1..",
    "1..two",
    "ok 2 - a v w 3 vectors",
)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param("", ["the test printed no plan", "the test made no check"], id="nothing"),
        pytest.param("ok 1 - a v 3 vectors\n", ["the test printed no plan"], id="no-plan"),
        pytest.param("1..0\n", ["the test made no check"], id="zero-checks"),
        pytest.param("1..0 # SKIP no such variant\n", ["the test made no check"], id="skipped"),
        pytest.param(
            "1..3\nok 1 - a v 3 vectors\n", ["the test planned 3 checks and made 1"], id="fewer-than-planned"
        ),
        pytest.param(
            "1..1\nok 1 - a v 3 vectors\nok 2 - b v 3 vectors\n",
            ["the test planned 1 checks and made 2", "check 2 is outside the plan 1..1"],
            id="more-than-planned",
        ),
        pytest.param(
            "1..2\nok 1 - a v 3 vectors\nok 1 - b v 3 vectors\n", ["check 1 was printed twice"], id="twice"
        ),
        pytest.param("1..1\n1..1\nok 1 - a v 3 vectors\n", ["the test printed two plans"], id="plans"),
        pytest.param(
            "1..1\nok 1 - a other 3 vectors\n", ["check 1 is of variant other, not v"], id="another-variant"
        ),
        pytest.param("1..1\nok 1 - a v 0 vectors\n", ["a v was held against no vector"], id="no-vectors"),
        pytest.param("1..1\nnot ok 1 - a v 3 vectors\n", ["wrong answer: a v"], id="wrong"),
        pytest.param(
            "1..1\nok 1 - a v 3 vectors\nBail out! no memory\n", ["the test gave up: no memory"], id="gave-up"
        ),
        pytest.param("1..1\nok 1 - a v 3 vectors\nBail out!\n", ["the test gave up: no reason given"]),
        *(
            pytest.param(
                f"1..1\nok 1 - a v 3 vectors\n{line}\n",
                [f"the test printed a line that is no check: {line!r}"],
                id=line,
            )
            for line in MALFORMED
        ),
    ],
)  # fmt: skip
def test_what_proves_nothing(text: str, problems: list[str]) -> None:
    assert tap.evaluate(tap.parse(text), "v") == problems


def test_the_programs_own_talk_is_let_pass() -> None:
    talk = "okay then\nnothing is not ok here\n  ok 9 - indented v 3 vectors\n"
    assert tap.evaluate(tap.parse(talk + GOOD), "arm64") == []


@given(st.text())
def test_no_text_proves_anything_by_chance(text: str) -> None:
    result = tap.parse(text)
    assert tap.evaluate(result, "v") or (result.plan == len(result.checks) > 0)
