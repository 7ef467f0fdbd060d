"""A tooth counts only if the mutant was built, ran, and printed a wrong value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import ExitCode
from cmaketool.verify.model import Verdict
from tests.build.verify_support import MiniProject, failures, run, x86_64_only

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.build, x86_64_only]

TOOTH = """\
  {name}:
    kernel: {kernel}
    file: {file}
    search: {search}
    replace: {replace}
    test: answers
    check: {check}
"""

# name: kernel, file, search, replace, check, and what is said; no text: it bites.
TEETH = {
    "bites": ("imc_x86", "imc_x86.c", "_mm_aesimc_si128(state)", "state", "imc", None),
    "in_a_header": (
        "imc_x86",
        "mini.h",
        "void mini_imc_x86(",
        "extern int mini; void mini_imc_x86(",
        "imc",
        "tooth did not bite: in_a_header",
    ),
    "does_not_compile": (
        "imc_x86",
        "imc_x86.c",
        "_mm_aesimc_si128(state)",
        "_mm_aesimc_si129(state)",
        "imc",
        "tooth invalid: does_not_compile: it does not compile",
    ),
    "not_included": (
        "clmul_x86",
        "imc_x86.c",
        "_mm_aesimc_si128(state)",
        "state",
        "clmul",
        "tooth invalid: not_included: no source of clmul_x86 includes imc_x86.c",
    ),
    "does_not_bite": (
        "clmul_x86",
        "clmul_x86.c",
        "a, b, 0x00",
        "b, a, 0x00",
        "clmul",
        "tooth did not bite: does_not_bite: check clmul still passes",
    ),
    "bites_another_check": (
        "clmul_x86",
        "clmul_x86.c",
        "b, 0x00",
        "b, 0x10",
        "imc",
        "tooth did not bite: bites_another_check: check imc still passes",
    ),
    "no_such_check": (
        "clmul_x86",
        "clmul_x86.c",
        "b, 0x00",
        "b, 0x11",
        "sha256",
        "the test answers does not pass a check sha256 without the tooth",
    ),
    "crashes": (
        "imc_x86",
        "imc_x86.c",
        "_mm_loadu_si128((const __m128i *)(const void *)block)",
        "_mm_loadu_si128((const __m128i *)0)",
        "imc",
        "tooth invalid: crashes: the test ended with -11, not with a wrong value",
    ),
    "ends_the_test": (
        "imc_x86",
        "imc_x86.c",
        "_mm_aesimc_si128(state)",
        "(__builtin_exit(1), state)",
        "imc",
        "tooth invalid: ends_the_test: the test printed no check imc",
    ),
    "does_not_link": (
        "clmul_x86",
        "clmul_x86.c",
        "_mm_cvtsi64_si128((long long)x)",
        "_mm_cvtsi64_si128((long long)mini_nowhere())",
        "clmul",
        "it does not",
    ),
    "warns": ("clmul_x86", "clmul_x86.c", "0x00);", "0x10); int unused;", "clmul", None),
}


def test_of_every_kind(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    text = project.manifest.read_text(encoding="utf-8") + "teeth:\n"
    for name, (kernel, file, search, replace, check, _) in TEETH.items():
        quoted = {key: f'"{value}"' for key, value in {"search": search, "replace": replace}.items()}
        text += TOOTH.format(name=name, kernel=kernel, file=file, check=check, **quoted)
    project.manifest.write_text(text, encoding="utf-8", newline="\n")
    project.edit("CMakeLists.txt", "add_library", "add_compile_options(-Wall -Werror)\nadd_library")
    outcome = project.verify(teeth=("native",))
    said = {f.reason for f in outcome.findings if f.rung == "teeth" and f.verdict is Verdict.FAIL}
    for name, (*_, words) in TEETH.items():
        about = [reason for reason in said if f" {name}: " in reason]
        if words is None:
            assert about == []
        else:
            assert len(about) == 1, (name, said)
            assert words in about[0]
    assert {kernel for kernel, _ in failures(outcome.findings)} == {"imc_x86", "clmul_x86"}
    assert outcome.code is ExitCode.FAILED


def test_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cmaketool.verify.teeth.RUN_LIMIT", 2.0)
    project = MiniProject.make(tmp_path / "mini")
    project.edit(
        "kernels.yml",
        "replace: _mm_aesimc_si128(_mm_slli_si128(state, 8))",
        'replace: "state; for (volatile int one = 1; one;) {}"',
    )
    outcome = run(project.manifest, teeth=("native",))
    (finding,) = failures(outcome.findings)["imc_x86", "teeth"]
    assert finding.reason == "tooth invalid: imc_wrong_half: the test did not end within 2 s"
    assert finding.command


def test_are_not_tried_on_a_broken_kernel(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    project.edit("answers.c", "        imc(variant, mini_imc_x86);", '        imc("y86", mini_imc_x86);')
    outcome = run(project.manifest, teeth=("native",))
    verdicts = {f.kernel: f.verdict for f in outcome.findings if f.rung == "teeth"}
    assert verdicts == {"imc_x86": Verdict.NOT_RUN, "clmul_x86": Verdict.PASS}
