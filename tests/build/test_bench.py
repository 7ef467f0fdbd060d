"""`cmaketool bench` on the embedded leg and on this machine: exact counts, the gate, work left out."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from cmaketool import process, resources
from cmaketool.cli import main
from tests.build.verify_support import MANIFESTS, require_native
from tests.support import ROOT, leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

ZIG = "zig-aarch64-linux-musl"
MANIFEST = MANIFESTS / "benched" / "kernels.yml"
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wundef -Werror"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    leg_or_skip(ZIG, folder / "leg").warm()
    return folder


def bench(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Return the exit code, and what was printed on both streams."""
    code = main(["bench", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def broken(folder: Path, file: str, old: str, new: str) -> Path:
    """Copy the small manifest into `folder`, with one text replaced; return the copy's manifest."""
    shutil.copytree(MANIFEST.parent, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return folder / "kernels.yml"


def costs(document: dict[str, Any]) -> dict[tuple[str, str, int], float]:
    return {(row["case"], row["variant"], row["size"]): row["per_call"] for row in document["results"]}


def test_counts_are_exact_and_a_gate(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot, file = work / "plot.svg", work / "before.json"
    code, out, err = bench(capsys, MANIFEST, "--sizes", "16,1024", "--json", "--plot", plot)
    assert code == 0, err
    assert plot.read_text(encoding="utf-8").endswith("</svg>\n")
    document = json.loads(out)
    found = costs(document)
    assert list(found) == [
        (case, variant, size)
        for case in ("sum", "turn/over")
        for variant in ("arm64", "portable")
        for size in (16, 1024)
    ]
    assert document["unit"] == "instructions"
    assert all(cost == int(cost) > 0 for cost in found.values())
    for case in ("sum", "turn/over"):
        assert found[case, "arm64", 1024] * 5 < found[case, "portable", 1024]

    # Measured once more, all is the same to the instruction; what is said to have been less is a failure, and
    # so is a size that cannot be done.
    document["results"][1]["per_call"] -= 1
    file.write_text(json.dumps(document), encoding="utf-8")
    code, out, err = bench(capsys, MANIFEST, "--sizes", "16,48,1024", "--compare", file, "--tolerance", "0")
    assert code == 1, err
    failures = [line for line in out.splitlines() if line.startswith("FAIL")]
    assert failures[0].startswith("FAIL sum: arm64 at 1024 bytes: ")
    assert failures[1:] == [
        f"FAIL turn/over: {variant} cannot do 48 bytes (it answered 7)" for variant in ("arm64", "portable")
    ]
    assert sum(line.split().count("=") for line in out.splitlines()) == 2 * 2 * 2 - 1


def test_a_variant_that_does_less_is_found(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skips = "at = 0; at < size; at += 16) {\n        sum", "at = 16; at < size; at += 16) {\n        sum"
    manifest = broken(work / "skips", "sums_arm64.c", *skips)
    bench_c = manifest.parent / "bench.c"
    text = bench_c.read_text(encoding="utf-8")
    more = """if (functions == &portable) {
        cmaketool_bench_case("sum/more", sum, functions);
    }
    """
    bench_c.write_text(
        text.replace("if (functions != NULL)", f"{more}if (functions != NULL)"), encoding="utf-8"
    )
    code, out, err = bench(capsys, manifest, "--sizes", "16,1024")
    assert code == 1, err
    absent, *failures = (line for line in out.splitlines() if line.startswith("FAIL"))
    assert absent == "FAIL sum/more: arm64 is built, and the benchmarks have no such case"
    assert [line.partition(":")[0] for line in failures] == ["FAIL sum at 16 bytes", "FAIL sum at 1024 bytes"]
    assert all("the variants did not do the same work: arm64 " in line for line in failures)


WRONG = (
    ('"turn/over"', '"turns/over"', 2, "the manifest no family of that name"),
    ('"turn/over"', '"turn over"', 1, "'turn over portable' is no case"),
    ('"turn/over"', '"sum"', 1, "the case sum of portable is there twice"),
    ('strcmp(name, "portable") == 0', "1", 2, "a case 'sum' of 'other', no variant"),
    ('strcmp(name, "portable") == 0', "0", 1, "there is no case of other or arm64 or portable"),
    ("return 0;", "return nothing;", 1, "the benchmark program does not build:"),
    ("return 0;", "return *(volatile int *)0;", 1, "the benchmark program: run sum portable ended with -11"),
)


@pytest.mark.parametrize("wrong", WRONG, ids=[said for *_, said in WRONG])
def test_benchmarks_that_are_wrong(
    wrong: tuple[str, str, int, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_native()
    old, new, code, said = wrong
    manifest = broken(tmp_path / "copy", "bench.c", old, new)
    text = manifest.read_text(encoding="utf-8")
    other = "  other:\n    functions: [benched_other]\n    variants: [{name: other, sources: [portable.c]}]\n"
    manifest.write_text(text.replace("families:\n", f"families:\n{other}"), encoding="utf-8")
    got, out, err = bench(capsys, manifest, "--toolchain", "native", "--sizes", "16", "-q")
    assert said in err
    assert out == ""
    assert got == code


def test_time_on_this_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    require_native()
    words = (MANIFEST, "--toolchain", "native", "--sizes", "1024", "--family", "sum")
    code, out, err = bench(capsys, *words, "--json")
    assert code == 0, err
    assert err == "native: building the benchmarks\n"
    document = json.loads(out)
    assert document["unit"] == "nanoseconds"
    assert costs(document)["sum", "portable", 1024] > 1
    # Counts and times are never compared.
    document["unit"] = "instructions"
    file = tmp_path / "before.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    code, _, err = bench(capsys, *words, "--compare", file, "-q")
    assert code == 2
    assert "[other-unit]" in err


def test_a_leg_without_a_clock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leg_or_skip("zig-aarch64-macos", tmp_path)
    code, _, err = bench(capsys, MANIFEST, "--toolchain", "zig-aarch64-macos")
    assert code == 2
    assert "[no-clock]" in err


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_the_c_has_no_warnings(compiler: str, tmp_path: Path) -> None:
    program = require_tool(compiler)
    support = ROOT / "cmaketool" / "bench" / "support"
    kernels = resources.bundled_manifest().parent
    includes = [f"-I{folder}" for folder in (support, kernels, kernels / "include")]
    for source in (support / "main.c", kernels / "tests" / "benchmarks.c"):
        words = [
            program,
            "-std=c99",
            *WARNINGS.split(),
            *includes,
            "-c",
            str(source),
            "-o",
            str(tmp_path / "o"),
        ]
        result = process.run(words, timeout=60)
        assert result.returncode == 0, result.errors


@pytest.mark.nightly
def test_the_bundled_variants_do_the_same_work(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = bench(capsys, resources.bundled_manifest(), "--sizes", "16,1024,16384", "--json")
    assert code == 0, err + out
    document = json.loads(out)
    assert document["notes"] == ["without a benchmark: aes_key"]
    found = costs(document)
    assert all(cost == int(cost) for cost in found.values())
    assert found["aes_ctr", "arm64", 16384] * 25 < found["aes_ctr", "portable", 16384]
