"""Each way of choosing wrong at run time turns the rung "selected" red, for the kernel concerned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import ExitCode
from cmaketool.verify.model import Verdict
from tests.build.verify_support import Edit, MiniProject, Sabotage, failures, run, x86_64_only
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

ZIG = "zig-aarch64-linux-musl"
WINDOWS = "clang-cl-arm64"
CALL = "mini_target_kernels(mini)\n"


def chosen_wrong(kernel: str, words: str, *edits: Edit) -> Sabotage:
    return Sabotage(edits, kernel, "selected", words, "run")


# The x86-64 kernels of "mini", on the machine itself.
NATIVE = {
    "entry_goes_to_portable[B56]": chosen_wrong(
        "imc_x86",
        "imc is to be x86, and mini_imc_portable was called",
        Edit("mini_dispatch.c", "MINI_CALL(mini_imc_x86, ", "MINI_CALL(mini_imc_portable, "),
    ),
    "capabilities_are_none[B56]": chosen_wrong(
        "imc_x86",
        "detected is said to be 'none', not 'aes pclmul'",
        Edit("mini_cpu.c", "    return found;", "    (void)found;\n    return 0;"),
    ),
    "override_is_not_heeded": chosen_wrong(
        "imc_x86",
        "with MINI_CPU_FEATURES=-aes: features is said to be 'aes pclmul', not 'pclmul'",
        Edit("mini_cpu.c", "        asked->clear |= known->bit;", "        asked->clear |= 0;"),
    ),
    "chosen_although_masked": chosen_wrong(
        "imc_x86",
        "with MINI_CPU_FEATURES=-aes: imc is to be portable, and is said to be x86",
        Edit("mini_dispatch.h", "if (MINI_CPU_HAS(word, MINI_CPU_NEEDS_IMC_X86))", "if (word != 0)"),
    ),
    "asks_for_another_feature": chosen_wrong(
        "imc_x86",
        "with MINI_CPU_FEATURES=-pclmul: imc is to be x86, and is said to be portable",
        Edit(
            "mini_cpu.h", "MINI_CPU_NEEDS_IMC_X86 (MINI_CPU_AES)", "MINI_CPU_NEEDS_IMC_X86 (MINI_CPU_PCLMUL)"
        ),
    ),
    "counters_not_compiled_in": chosen_wrong(
        "imc_x86",
        "mini_dispatch.c is not compiled with MINI_DISPATCH_COUNT",
        Edit("mini_dispatch.c", "defined(MINI_DISPATCH_COUNT)", "defined(MINI_DISPATCH_COUNTS)"),
    ),
    "report_says_nothing_of_a_kernel": chosen_wrong(
        "clmul_x86",
        "compiled is said to be 'imc_x86', not 'imc_x86 clmul_x86'",
        Edit("mini_report.c", '"clmul_x86",', ""),
    ),
    "no_test_calls_it": chosen_wrong(
        "imc_x86",
        "no test calls mini_imc: one must, when run with --variant dispatch",
        Edit("answers.c", "        imc(variant, mini_imc);\n", ""),
    ),
    "test_of_the_dispatcher_calls_the_kernel": chosen_wrong(
        "imc_x86",
        "on host: no test called mini_imc so that it came to mini_imc_x86",
        Edit(
            "answers.c",
            "        imc(variant, mini_imc);\n",
            "        void (*volatile idle)(uint8_t *) = mini_imc;\n"
            "        imc(variant, mini_imc_portable);\n",
        ),
    ),
    "wrong_answer_of_the_dispatcher": chosen_wrong(
        "clmul_x86",
        "wrong answer: clmul dispatch",
        Edit(
            "mini_dispatch.c",
            "MINI_CALL(mini_clmul_x86, (out, a, b))",
            "MINI_CALL(mini_clmul_x86, (out, a, a))",
        ),
    ),
}

# The arm64 kernels of "masks", where the capability word is ours and instructions can be forbidden.
EMULATED = {
    "bit_of_another_number": chosen_wrong(
        "imc_arm64",
        "without sha1 sha2 sha512 sha3 in the capability word: detected is said to be 'none'",
        Edit("masks_cpu.c", "found |= (hwcap & (1UL << 3))", "found |= (hwcap & (1UL << 5))"),
    ),
    "chosen_although_masked": chosen_wrong(
        "imc_arm64",
        "in masks_imc_arm64",
        Edit("masks_dispatch.h", "if (MASKS_CPU_HAS(word, MASKS_CPU_NEEDS_IMC_ARM64))", "if (word != 0)"),
    ),
    "what_falls_with_it_stands": chosen_wrong(
        "clmul_arm64",
        "in masks_clmul_arm64",
        Edit(
            "masks_cpu.c", '{"pmull", MASKS_CPU_PMULL, MASKS_CPU_AES, 0}', '{"pmull", MASKS_CPU_PMULL, 0, 0}'
        ),
    ),
    "policy_is_not_heeded": chosen_wrong(
        "fold_arm64",
        "fold is to be portable, and is said to be arm64",
        Edit(
            "masks_dispatch.h",
            "MASKS_CPU_NEEDS_FOLD_ARM64 | MASKS_CPU_FOLD_PAYS",
            "MASKS_CPU_NEEDS_FOLD_ARM64",
        ),
    ),
}


@x86_64_only
@pytest.mark.parametrize("name", NATIVE)
def test_is_found(name: str, tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    found = project.suffer(NATIVE[name])
    assert {rung for _, rung in found} == {"selected"}
    assert all(finding.command for finding in found[NATIVE[name].kernel, "selected"])


@pytest.mark.parametrize("name", EMULATED)
def test_is_found_by_the_emulator(name: str, tmp_path: Path) -> None:
    leg_or_skip(ZIG, tmp_path / "leg")
    found = MiniProject.make(tmp_path / "masks", "masks").suffer(EMULATED[name], toolchains=(ZIG,))
    assert {rung for _, rung in found} == {"selected"}


def test_is_found_in_the_exe(tmp_path: Path) -> None:
    """A word that does not come from Windows leads to what is forbidden where Windows says no."""
    leg_or_skip(WINDOWS, tmp_path / "leg")
    edit = Edit("masks_cpu.c", "IsProcessorFeaturePresent(30)", "1")
    sabotage = chosen_wrong("imc_arm64", "on none: the test ended with 125: ", edit)
    found = MiniProject.make(tmp_path / "masks", "masks").suffer(sabotage, toolchains=(WINDOWS,))
    assert {rung for _, rung in found} == {"selected"}
    assert "aesimc is forbidden" in found["imc_arm64", "selected"][0].reason


@x86_64_only
def test_the_users_own_choice_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINI_CPU_FEATURES", "none")
    project = MiniProject.make(tmp_path / "mini")
    outcome = project.verify(teeth=("native",))
    assert not failures(outcome.findings)
    assert outcome.code is ExitCode.OK


@x86_64_only
def test_sources_listed_by_hand_in_a_folder_of_their_own(tmp_path: Path) -> None:
    """They are named relative to that folder; another file has the dispatchers' name."""
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    project.generate()
    sources = ("mini_cpu.c", "mini_dispatch.c", "mini_report.c")
    project.edit(
        "mini_kernels.cmake", f"set(_generated_sources {' '.join(sources)})", "set(_generated_sources)"
    )
    project.edit("CMakeLists.txt", "base.c", " ".join(("base.c ../mini_dispatch.c", *sources)))
    project.edit("CMakeLists.txt", "project(mini C)\n", "")
    (tmp_path / "mini_dispatch.c").write_text("typedef int another;\n", encoding="utf-8")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(whole C)\nadd_subdirectory(mini)\n", encoding="utf-8"
    )
    outcome = run(project.manifest, project=tmp_path, target="mini")
    assert not failures(outcome.findings)
    assert outcome.code is ExitCode.OK


@x86_64_only
def test_without_an_override(tmp_path: Path) -> None:
    """The kernels are chosen; that others are, where a kernel is built, cannot be asked for."""
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    project.generate()
    project.edit(
        "CMakeLists.txt", CALL, f"{CALL}target_compile_definitions(mini PRIVATE MINI_CPU_NO_OVERRIDE)\n"
    )
    outcome = project.verify()
    assert outcome.code is ExitCode.OK
    (leg,) = outcome.legs
    said = {kernel.name: (kernel.rungs["selected"], kernel.reasons["selected"]) for kernel in leg.kernels}
    assert said["imc_x86"][0] is Verdict.PASS
    assert said["imc/portable"] == (
        Verdict.NOT_RUN,
        "imc: portable cannot be asked for, since MINI_CPU_NO_OVERRIDE is defined",
    )
    project.edit("CMakeLists.txt", "PRIVATE MINI_CPU_NO_OVERRIDE", "PRIVATE UNHEARD_OF")
    outcome = project.verify(require=True, defines=("CMAKE_C_FLAGS=-DMINI_CPU_NO_OVERRIDE",))
    assert outcome.code is ExitCode.NOT_SHOWN
    assert "imc/portable: selected on native" in outcome.summary
