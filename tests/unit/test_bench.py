"""Tables, comparisons, documents and plots of benchmarks, and what `cmaketool bench` does not take."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from cmaketool import catalogue, manifest, plan, toolchains
from cmaketool.bench import engine, plot, results, table
from cmaketool.bench.campaign import Campaign, disagreements
from cmaketool.bench.compare import Comparison, compare
from cmaketool.bench.model import SIZES, BenchRequest, Earlier, Measured, Outcome, Row
from cmaketool.bench.program import BenchProgram, Clock
from cmaketool.bench.progress import Quiet
from cmaketool.cli import main
from cmaketool.diagnostics import CmaketoolError, ExitCode
from cmaketool.verify.steps import Steps
from tests.support import ROOT
from tests.unit import manifests

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from cmaketool.bench.progress import Progress

BENCHED = ROOT / "tests" / "manifests" / "benched" / "kernels.yml"


def row(variant: str, size: int, per_call: float, checksum: str = "aa", case: str = "sum") -> Row:
    return Row(case, variant, size, per_call, checksum, reference=variant == "portable")


ROWS = (
    row("arm64", 16, 40), row("arm64", 1024, 1000),
    row("portable", 16, 4000), row("portable", 1024, 250000),
    row("arm64", 16, 1, case="turn/over"), row("portable", 16, 0.5, case="turn/over"),
)  # fmt: skip
MEASURED = Measured("kernels.yml", "zig", "zig 1, arm64; CMake 4", "Release", "instructions", ROWS)


def plain(text: str, _: str) -> str:
    return text


def with_row(changed: Row) -> Measured:
    key = changed.case, changed.variant, changed.size
    kept = tuple(one for one in ROWS if (one.case, one.variant, one.size) != key)
    return replace(MEASURED, rows=(*kept, changed))


def compared(
    before: Measured,
    now: Measured,
    tolerance: float,
    asked: Collection[str] = (),
    sizes: Collection[int] = (16, 1024),
) -> Comparison:
    return compare(now, Earlier(BENCHED, before, tolerance), asked, sizes)


def saved(folder: Path, measured: Measured = MEASURED) -> Path:
    file = folder / "before.json"
    file.write_text(results.as_json(Outcome(measured)), encoding="utf-8")
    return file


def verdicts(comparison: Comparison) -> dict[tuple[str, int], str]:
    return {(one.variant, one.size): one.verdict for one in comparison.changes if one.case == "sum"}


# Tables


def test_the_table() -> None:
    outcome = Outcome(MEASURED, ("sum: a fault",), ("a note",))
    assert table.as_text(outcome, plain) == (
        "zig: zig 1, arm64; CMake 4\n"
        "\n"
        "instructions per byte          16     1024\n"
        "sum\n"
        "  arm64                      2.50     0.98\n"
        "  portable                 250.00   244.14\n"
        "  portable / arm64           100x     250x\n"
        "turn/over\n"
        "  arm64                     0.062        -\n"
        "  portable                  0.031        -\n"
        "  portable / arm64           0.5x        -\n"
        "note: a note\n"
        "FAIL sum: a fault\n"
    )
    assert outcome.code is ExitCode.FAILED


def test_no_ratio_of_what_did_other_work() -> None:
    measured = with_row(row("arm64", 16, 40, "bb"))
    assert re.search(r"^  portable / arm64 +- +250x$", table.as_text(Outcome(measured), plain), re.MULTILINE)


def test_six_sizes_fit_80_columns() -> None:
    sizes = (16, 64, 256, 1024, 8192, 16384)
    rows = tuple(row(name, size, size * 1006.88) for name in ("arm64", "portable") for size in sizes)
    measured = replace(MEASURED, rows=rows)
    comparison = compared(measured, measured, 1, sizes=sizes)
    text = table.as_text(Outcome(measured, comparison=comparison), plain)
    assert max(len(line) for line in text.splitlines() if not line.startswith("against")) <= 80


def test_time_is_called_time() -> None:
    lines = table.as_text(Outcome(replace(MEASURED, unit="nanoseconds")), plain).splitlines()
    assert lines[2].startswith("ns per byte ")


# Checksums


def test_variants_that_differ() -> None:
    rows = (row("arm64", 16, 1), row("portable", 16, 2), row("arm64", 64, 1, "ab"), row("portable", 64, 2))
    (fault,) = disagreements(rows)
    assert fault == "sum at 64 bytes: the variants did not do the same work: arm64 ab, portable aa"
    assert disagreements(ROWS) == []


# Comparisons


def test_nothing_changed() -> None:
    comparison = compared(MEASURED, MEASURED, 0)
    assert {change.verdict for change in comparison.changes} == {"same"}
    assert Outcome(MEASURED, comparison=comparison).code is ExitCode.OK


@pytest.mark.parametrize(
    ("now", "tolerance", "verdict"),
    [
        (40.4, 1.0, "same"),
        (40.5, 1.0, "worse"),
        (40.4, 0.0, "worse"),
        (39.9, 0.0, "better"),
        (40.0, 0.0, "same"),
    ],
)
def test_the_tolerance(now: float, tolerance: float, verdict: str) -> None:
    comparison = compared(MEASURED, with_row(row("arm64", 16, now)), tolerance)
    said = verdicts(comparison)["arm64", 16]
    assert said == ("worse" if verdict == "worse" else "better" if now < 40 else "same")
    assert bool(comparison.failures) == (verdict == "worse")


def test_a_failure_is_said() -> None:
    comparison = compared(MEASURED, with_row(row("arm64", 16, 44)), 1)
    outcome = Outcome(MEASURED, comparison=comparison)
    text = table.as_text(outcome, plain)
    assert outcome.code is ExitCode.FAILED
    assert "FAIL sum: arm64 at 16 bytes: 2.5 became 2.75 (+10.0 %)\n" in text
    assert re.search(r"^  arm64 +\+10\.0% +=$", text, re.MULTILINE)


def test_other_work_is_not_compared() -> None:
    comparison = compared(MEASURED, with_row(row("arm64", 16, 20, "bb")), 1)
    (failure,) = comparison.failures
    assert failure.verdict == "differs"


def test_what_is_gone_and_what_is_new() -> None:
    fewer = replace(MEASURED, rows=tuple(one for one in ROWS if one.case == "sum" and one.variant == "arm64"))
    gone = compared(MEASURED, fewer, 1)
    assert [(one.case, one.variant, one.verdict) for one in gone.failures] == [
        ("sum", "portable", "gone"), ("sum", "portable", "gone"),
        ("turn/over", "arm64", "gone"), ("turn/over", "portable", "gone"),
    ]  # fmt: skip
    assert {one.case for one in compared(MEASURED, fewer, 1, ("sum",)).failures} == {"sum"}
    new = compared(fewer, MEASURED, 1)
    assert verdicts(new)["portable", 16] == "new"
    assert not new.failures


def test_sizes_that_are_not_asked_for_are_not_gone() -> None:
    small = replace(MEASURED, rows=tuple(one for one in ROWS if one.size == 16))
    assert not compared(MEASURED, small, 1, sizes=(16,)).failures


def test_nothing_measured_is_no_success() -> None:
    comparison = compared(MEASURED, replace(MEASURED, rows=()), 1)
    assert [one.verdict for one in comparison.failures] == ["gone"] * len(ROWS)
    assert "gone" in table.as_text(Outcome(replace(MEASURED, rows=()), comparison=comparison), plain)


def test_a_size_that_all_refuse_is_gone() -> None:
    small = replace(MEASURED, rows=tuple(one for one in ROWS if one.size == 16))
    assert {(one.size, one.verdict) for one in compared(MEASURED, small, 1).failures} == {(1024, "gone")}


def test_another_compiler_is_named() -> None:
    same, other = (
        compared(replace(MEASURED, about=about), MEASURED, 1) for about in (MEASURED.about, "zig 0")
    )
    for comparison, leg in ((same, "zig"), (other, "zig: zig 0")):
        text = table.as_text(Outcome(MEASURED, comparison=comparison), plain)
        assert f"against {BENCHED} ({leg}), 1 % is tolerated\n" in text
    assert json.loads(results.as_json(Outcome(MEASURED, comparison=other)))["comparison"]["about"] == "zig 0"


def test_the_usual_tolerance() -> None:
    assert compare(MEASURED, Earlier(BENCHED, MEASURED), (), SIZES).tolerance == 1
    timed = replace(MEASURED, unit="nanoseconds")
    assert compare(timed, Earlier(BENCHED, timed), (), SIZES).tolerance == 10


@pytest.mark.parametrize(
    ("before", "words", "said"),
    [
        (replace(MEASURED, unit="nanoseconds"), [], "[other-unit]"),
        (MEASURED, ["--toolchain", "native"], "[other-unit]"),
        (replace(MEASURED, configuration="Debug"), [], "[other-configuration]"),
        (MEASURED, ["--config", "MinSizeRel"], "of the configuration Release; here it is MinSizeRel"),
    ],
)
def test_what_cannot_be_compared_is_not_measured(
    before: Measured,
    words: list[str],
    said: str,
    *,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(toolchains, "find", lambda *_: pytest.fail("it was begun"))
    file = saved(tmp_path, before)
    assert main(["bench", str(BENCHED), "--compare", str(file), *words]) == 2
    assert said in capsys.readouterr().err


def test_time_is_not_compared_with_counts() -> None:
    with pytest.raises(CmaketoolError, match="nanoseconds"):
        compared(MEASURED, replace(MEASURED, unit="nanoseconds"), 1)


# Documents


def test_a_document_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "before.json"
    comparison = compared(MEASURED, with_row(row("arm64", 16, 44)), 1)
    file.write_text(results.as_json(Outcome(MEASURED, comparison=comparison)), encoding="utf-8")
    assert results.read(file) == MEASURED
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["exit_code"] == 1
    assert document["comparison"]["changes"][-1]["verdict"] == "worse"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No such file"),
        ("counts", "it is no JSON"),
        ("[]", "it is of something else"),
        ('{"schema": 2}', "its schema is 2, not 1"),
        ('{"schema": true}', "its schema is True, not 1"),
        ('{"schema": 1.0}', "its schema is 1.0, not 1"),
        ('{"schema": 1}', "manifest: Field required"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}", "it is no JSON"),
    ],
)
def test_a_file_that_is_none(
    text: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "before.json"
    if text is not None:
        file.write_text(text, encoding="latin-1")
    assert main(["bench", str(BENCHED), "--compare", str(file)]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith(f"{file}: error: no measurement")


@pytest.mark.parametrize("value", ["-1", "Infinity", '"40"', "null"])
def test_a_cost_that_is_none(value: str, tmp_path: Path) -> None:
    file = tmp_path / "before.json"
    text = results.as_json(Outcome(MEASURED)).replace('"per_call": 40,', f'"per_call": {value},')
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CmaketoolError, match=re.escape("results.0.per_call: ")):
        results.read(file)


def test_a_file_with_nothing_in_it(tmp_path: Path) -> None:
    with pytest.raises(CmaketoolError, match=r"no measurement: results: .*at least 1"):
        results.read(saved(tmp_path, replace(MEASURED, rows=())))


def test_the_document_in_the_docs_can_be_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    (document,) = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    file = tmp_path / "before.json"
    file.write_text(document, encoding="utf-8")
    measured = results.read(file)
    comparison = compare(measured, Earlier(file, measured), (), SIZES)
    made = json.loads(results.as_json(Outcome(measured, comparison=comparison)))
    assert made.keys() == json.loads(document).keys()
    assert made["comparison"].keys() == json.loads(document)["comparison"].keys()
    assert made["comparison"]["changes"][0].keys() == json.loads(document)["comparison"]["changes"][0].keys()


# What is measured

PROGRAM = """\
import sys
print("sum arm64" if sys.argv[1] == "list" else sys.exit(1))
"""


def test_nothing_measured_is_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / "benched"
    shutil.copytree(BENCHED.parent, folder)
    path = folder / "kernels.yml"
    portable = "      - {name: portable, sources: [portable.c]}\n"
    path.write_text(path.read_text(encoding="utf-8").replace(portable, "", 1), encoding="utf-8")
    planned = plan.resolve(manifest.load(path), catalogue.load())
    file = toolchains.leg("zig-aarch64-linux-musl")
    assert not isinstance(file.facts, str)
    leg = toolchains.Leg(file, file.facts, "1", None, (), tmp_path / "cc", (), ())
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    counter = BenchProgram(program, Clock("instructions", (sys.executable,)), Steps(tmp_path / "steps"))
    outcome = Campaign(planned, BenchRequest(path, ("sum",)), leg, counter, ()).run(Quiet(), "")
    assert outcome.faults == (
        (
            "nothing was measured: sums_arm64: not built on zig-aarch64-linux-musl; "
            "name a leg that has it (--toolchain), or another --family"
        ),
    )
    assert outcome.code is ExitCode.FAILED


# Plots


def test_the_plot() -> None:
    text = plot.as_svg(MEASURED)
    assert text == plot.as_svg(MEASURED)
    root = ET.fromstring(text)  # noqa: S314  our own
    space = "{http://www.w3.org/2000/svg}"
    titles = [one.text for one in root.iter(f"{space}title")]
    assert titles[0] == "Instructions per byte, zig"
    assert "arm64, 16 bytes: 2.50" in titles
    assert len(titles) == 1 + len(ROWS)
    assert len(list(root.iter(f"{space}polyline"))) == 4
    texts = {one.text for one in root.iter(f"{space}text")}
    assert {"sum", "turn/over", "arm64", "portable", "16", "1K", "bytes of a message"} <= texts


def test_everything_drawn_is_in_its_panel() -> None:
    rows = tuple(row(name, size, size**0.5) for name in ("a", "portable") for size in (1, 7, 1 << 20))
    root = ET.fromstring(plot.as_svg(replace(MEASURED, rows=rows)))  # noqa: S314  our own
    for one in root.iter("{http://www.w3.org/2000/svg}circle"):
        assert 50 <= float(one.attrib["cx"]) <= 330
        assert 25 <= float(one.attrib["cy"]) <= 200


def test_names_are_escaped_in_plots() -> None:
    rows = (row("portable", 16, 0.0, case="sum/<&>"),)
    assert "sum/&lt;&amp;&gt;" in plot.as_svg(replace(MEASURED, rows=rows))


# The command line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sizes", "16,0"], "'0' is no number of bytes"),
        (["--sizes", "16,x"], "'x' is no number of bytes"),
        (["--sizes", ","], "nothing is named"),
        (["--family", ""], "nothing is named"),
        (["--family", "sums"], "did you mean 'sum'?"),
        (["--family", "turn/over,minus"], "there is no family 'minus'"),
        (["--tolerance", "1"], "--tolerance is for --compare"),
        (["--toolchain", "zig-aarch64"], "zig-aarch64"),
        (["--toolchain", "all"], "'all' is not one leg"),
        (["--config", "Fast"], "CMake has no configuration 'Fast'"),
        (["--plot", "nowhere/plot.svg"], "nowhere/plot.svg: error: No such file or directory"),
        (["--plot", "x" * 300], "File name too long [output-inaccessible]"),
        (["--compare", "x.json", "--tolerance", "nan"], "nan is no number of percent"),
        (["--compare", "x.json", "--tolerance", "inf"], "inf is no number of percent"),
    ],
)
def test_what_the_command_line_does_not_take(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", str(BENCHED), *words]) == 2
    assert said in capsys.readouterr().err


def test_a_manifest_without_benchmarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = manifests.write(tmp_path)
    assert main(["bench", str(path)]) == 2
    assert f"{path}: error: the manifest has no benchmarks [no-benchmarks]" in capsys.readouterr().err


# The end of it


def test_the_result_is_printed_whatever_comes_of_the_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "plots"
    folder.mkdir()

    def measured(_: BenchRequest, __: Progress) -> Outcome:
        folder.rmdir()
        return Outcome(MEASURED)

    monkeypatch.setattr(engine, "bench", measured)
    assert main(["bench", str(BENCHED), "--plot", str(folder / "plot.svg")]) == 2
    said = capsys.readouterr()
    assert said.out == table.as_text(Outcome(MEASURED), plain)
    assert "plot.svg: error: No such file or directory [output-inaccessible]" in said.err


LEFT = """\
import sys
from cmaketool.bench import engine
from cmaketool.bench.model import Measured, Outcome, Row
from cmaketool.cli import main
rows = tuple(Row("sum", "portable", size, 1.0, "aa") for size in range(1, 5000))
engine.bench = lambda *_: Outcome(Measured("", "", "", "Release", "instructions", rows))
sys.exit(main(["bench", sys.argv[1], "--json"]))
"""


def test_a_reader_that_leaves_changes_nothing() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", LEFT, str(BENCHED)],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=ROOT,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
