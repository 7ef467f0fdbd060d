"""Case B79: one set of kernels vendored twice, under two names, whole in one program."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.build.dispatched import Report, expected, generate, must, run
from tests.build.verify_support import MANIFESTS
from tests.support import cmake_or_skip, configure_command, leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan

pytestmark = pytest.mark.build

SECOND = {"first": "second", "FIRST": "SECOND", "alpha": "beta", "ALPHA": "BETA"}
ROUND = "a49c7ff2689f352b6b5bea43026a5049"  # FIPS 197, appendix B: the start of round 2
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wundef -Werror"


def _render_twice(folder: Path) -> dict[str, Plan]:
    """Write both copies and what is generated for them into `folder`, each in a folder of its own."""
    source = MANIFESTS / "twice"
    plans = {}
    for name in ("first", "second"):
        copy = folder / name
        copy.mkdir(parents=True)
        for path in source.iterdir():
            if path.name in {"CMakeLists.txt", "main.c"}:
                continue
            text, target = path.read_text(encoding="utf-8"), path.name
            for old, new in SECOND.items() if name == "second" else ():
                text, target = text.replace(old, new), target.replace(old, new)
            (copy / target).write_text(text, encoding="utf-8")
        plans[name] = generate(copy / "kernels.yml")
    for name in ("CMakeLists.txt", "main.c"):
        shutil.copy(source / name, folder / name)
    return plans


def _globals(nm: str, archive: Path) -> set[str]:
    """Return the symbols that an archive defines and other objects can see, hidden ones among them."""
    printed = must([nm, "--defined-only", "--extern-only", str(archive)])
    return set(re.findall(r"^[0-9a-f]+ [A-Za-z] (\S+)$", printed, re.MULTILINE))


@pytest.mark.parametrize(
    ("name", "nm"),
    [
        pytest.param("native", "nm", id="native-B79"),
        pytest.param("zig-aarch64-linux-musl", "aarch64-linux-gnu-nm", id="zig-B79"),
        pytest.param("gcc-12-aarch64-linux-gnu", "aarch64-linux-gnu-nm", id="gcc-B79"),
    ],
)
def test_two_copies_in_one_program(name: str, nm: str, tmp_path: Path) -> None:
    leg = leg_or_skip(name, tmp_path / "leg")
    folder, build = tmp_path / "twice", tmp_path / "build"
    plans = _render_twice(folder)
    must(
        [*configure_command(leg, folder, build), "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS={WARNINGS}"]
    )
    must([cmake_or_skip(), "--build", str(build)])

    for copy, prefix in (("first", "alpha_"), ("second", "beta_")):
        symbols = _globals(require_tool(nm), build / f"lib{copy}.a")
        assert f"{prefix}round" in symbols
        assert f"{prefix}cpu_word" in symbols
        assert not {symbol for symbol in symbols if not symbol.startswith(prefix)}

    architecture = leg.facts.architectures[0]
    features = leg.processors[0].features
    assert features is not None
    for gone, variable in ((None, None), ("first", "ALPHA_CPU_FEATURES"), ("second", "BETA_CPU_FEATURES")):
        ran = run(leg.invoke(build / "twice", environment={variable: "none"} if variable else {}))
        assert ran.code == 0, ran.errors
        assert [line for line in ran.output.splitlines() if re.fullmatch("[0-9a-f]{32}", line)] == [ROUND] * 2
        for copy in ("first", "second"):
            report = Report.read(ran.output, copy)
            has = set() if copy == gone else set(features) & {"aes"}
            assert report.selected == expected(plans[copy], architecture, has)
            assert report.override == ('applied "none"' if copy == gone else "unset")
