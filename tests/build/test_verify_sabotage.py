"""Each way of getting it wrong turns verification red, at the right rung and kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import ExitCode
from cmaketool.verify.model import Verdict
from tests.build.verify_support import Edit, MiniProject, Sabotage, failures, x86_64_only

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.build, x86_64_only]

CALL = "mini_target_kernels(mini)\n"


MSVC_ONLY = Edit(
    "kernels.yml", "by a per-source flag", "by a per-source flag\n    requires: {compilers: [msvc]}"
)
WARNINGS = Edit("CMakeLists.txt", "add_library", "add_compile_options(-Wall)\nadd_library")
TRIES_IMC = "        imc(variant, mini_imc_x86);"
TRIES_CLMUL = "        clmul(variant, mini_clmul_x86);"
USES_CLMUL = "        mini_clmul_x86((uint64_t[2]){0}, 1, 1);"
PLAN = '    printf("1..%d\\n", number);'
KEEPS = """\
if(MINI_IMC STREQUAL ON)
  set(kept ON CACHE INTERNAL "")
elseif(kept)
  set(MINI_IMC ON)
endif()"""
STORES_PORTABLE = "    mini_imc_portable(block);\n    return;"


def before(text: str) -> Edit:
    """CMake text in front of the call that adds the kernels."""
    return Edit("CMakeLists.txt", CALL, f"{text}\n{CALL}")


def after(text: str) -> Edit:
    """CMake text behind it."""
    return Edit("CMakeLists.txt", CALL, f"{CALL}{text}\n")


def without(word: str, what: str) -> Edit:
    """CMake text that takes what holds `word` out of a property of the target."""
    return after(
        f"get_target_property(left mini {what})\nlist(FILTER left EXCLUDE REGEX {word})\n"
        f'set_property(TARGET mini PROPERTY {what} "${{left}}")'
    )


SABOTAGE = {
    # What B56 lists.
    "flag_deleted[B56]": Sabotage(
        (after('set_source_files_properties(imc_x86.c PROPERTIES COMPILE_OPTIONS "")'),),
        "imc_x86",
        "flags",
        "lacks -maes",
        "sources",
    ),
    "guard_false_empty_object[B56]": Sabotage(
        (),
        "imc_x86",
        "symbols",
        "holds no code, its guard was false",
        manifest=(Edit("kernels.yml", "    flags: {features: true}\n", ""),),
    ),
    "wrong_guard_macro[B56]": Sabotage(
        (Edit("clmul_x86.c", "MINI_BUILD_CLMUL_X86", "MINI_BUILD_CLMUL_X68"),),
        "clmul_x86",
        "symbols",
        "no code",
    ),
    "source_not_in_target[B56]": Sabotage(
        (without("imc_x86", "SOURCES"),), "imc_x86", "sources", "is not in target mini", "sources"
    ),
    # Configured: accepted; refused without a reason, for another, without cause. AUTO takes less.
    "on_is_accepted[B55]": Sabotage(
        (before("if(MINI_IMC STREQUAL ON)\nset(MINI_IMC OFF)\nendif()"),),
        "imc_x86",
        "configured",
        "MINI_IMC=ON was accepted",
        "configure",
        manifest=(MSVC_ONLY,),
    ),
    "refusal_names_nothing[B55]": Sabotage(
        (before('if(MINI_IMC STREQUAL ON)\nmessage(FATAL_ERROR "mini: it cannot be")\nendif()'),),
        "imc_x86",
        "configured",
        "does not name the option MINI_IMC and the kernel imc_x86 and the reason",
        "configure",
        manifest=(MSVC_ONLY,),
    ),
    "refused_for_another_reason": Sabotage(
        (before('if(MINI_IMC STREQUAL ON)\nmessage(FATAL_ERROR "no")\nendif()'),),
        "imc_x86",
        "configured",
        "failed for another reason",
        "configure",
        manifest=(MSVC_ONLY,),
    ),
    "refused_without_cause": Sabotage(
        (before('if(MINI_IMC STREQUAL ON)\nmessage(FATAL_ERROR "mini: no imc_x86 for you")\nendif()'),),
        "imc_x86",
        "configured",
        "failed and should not have",
        "configure",
    ),
    "auto_takes_less": Sabotage(
        (before("if(MINI_CLMUL STREQUAL AUTO)\nset(MINI_CLMUL OFF)\nendif()"),),
        "clmul_x86",
        "sources",
        "is not in target mini",
        "sources",
    ),
    # Sources: there in OFF, kept from the state before.
    "source_in_off[B54]": Sabotage(
        (Edit("CMakeLists.txt", "STATIC base.c", "STATIC base.c imc_x86.c"),),
        "imc_x86",
        "sources",
        "is compiled in target mini and should not be",
        "sources",
    ),
    "kept_from_the_state_before[B54]": Sabotage(
        (before(KEEPS),),
        "imc_x86",
        "sources",
        "should not be",
        "sources",
    ),
    # Flags: for everyone, and a definition that is not given.
    "flag_for_the_whole_target": Sabotage(
        (
            Edit(
                "CMakeLists.txt",
                "STATIC base.c)",
                "STATIC base.c)\ntarget_compile_options(mini PRIVATE -maes)",
            ),
        ),
        "imc_x86",
        "flags",
        "which is for imc_x86 alone",
        "sources",
    ),
    "other_sources_change_their_flags": Sabotage(
        (after("if(MINI_CLMUL)\ntarget_compile_options(mini PRIVATE -O1)\nendif()"),),
        "clmul_x86",
        "flags",
        "compiled with other flags",
        "sources",
    ),
    "definition_not_given": Sabotage(
        (without("IMC_X86", "COMPILE_DEFINITIONS"),),
        "imc_x86",
        "flags",
        "MINI_KERNEL_IMC_X86 is not defined",
        "sources",
    ),
    # Compiled: with a warning, not at all.
    "warning": Sabotage(
        (Edit("clmul_x86.c", "    __m128i product", "    int unused;\n    __m128i product"), WARNINGS),
        "clmul_x86",
        "compiled",
        "with a warning",
    ),
    "does_not_compile": Sabotage(
        (Edit("imc_x86.c", "_mm_aesimc_si128(state)", "_mm_aesimc_si129(state)"),),
        "imc_x86",
        "compiled",
        "does not compile",
    ),
    "warning_in_what_is_generated": Sabotage(
        (Edit("mini_cpu.c", "    return found;", "    int unused;\n    return found;"), WARNINGS),
        "imc_x86",
        "compiled",
        "mini_cpu.c compiles with a warning",
    ),
    "generated_c_not_in_target": Sabotage(
        (without("mini_dispatch", "SOURCES"),),
        "imc/portable",
        "sources",
        "mini_dispatch.c is not in target mini: generate the fragment again",
        "sources",
    ),
    "warning_in_portable": Sabotage(
        (Edit("portable.c", "    uint8_t result = 0;", "    int unused;\n    uint8_t result = 0;"), WARNINGS),
        "imc/portable",
        "compiled",
        "with a warning",
    ),
    # Symbols: another name, static.
    "renamed_symbol": Sabotage(
        (
            Edit(
                "imc_x86.c", "void mini_imc_x86(", "void mini_imc_x68(uint8_t block[16]);\nvoid mini_imc_x68("
            ),
        ),
        "imc_x86",
        "symbols",
        "mini_imc_x86 is not defined",
    ),
    # Mnemonics: portable C under the kernel's name.
    "portable_c_in_the_kernel": Sabotage(
        (Edit("imc_x86.c", "    state = _mm_aesimc_si128(state);", STORES_PORTABLE),),
        "imc_x86",
        "mnemonics",
        "mini_imc_x86 in imc_x86.c.o has no aesimc",
    ),
    # Leak: instructions elsewhere, a way around dispatch.
    "instructions_in_another_source": Sabotage(
        (
            Edit(
                "base.c",
                "int mini_base(int value);",
                '#include <wmmintrin.h>\n__m128i mini_leak(__m128i v);\n__attribute__((target("aes")))\n'
                "__m128i mini_leak(__m128i v) { return _mm_aesimc_si128(v); }\nint mini_base(int value);",
            ),
        ),
        "imc_x86",
        "leak",
        "base.c.o contains aesimc",
    ),
    "exported_helper": Sabotage(
        (
            Edit(
                "clmul_x86.c",
                "MINI_TARGET_CLMUL_X86\n",
                "void mini_helper(void);\nvoid mini_helper(void) {}\nMINI_TARGET_CLMUL_X86\n",
            ),
        ),
        "clmul_x86",
        "leak",
        "exports mini_helper",
    ),
    "instructions_in_a_dispatcher": Sabotage(
        (
            Edit(
                "mini_dispatch.c",
                "void mini_imc(",
                '#include <wmmintrin.h>\n__m128i mini_leak(__m128i v);\n__attribute__((target("aes")))\n'
                "__m128i mini_leak(__m128i v) { return _mm_aesimc_si128(v); }\nvoid mini_imc(",
            ),
        ),
        "imc_x86",
        "leak",
        "mini_dispatch.c.o contains aesimc",
    ),
    # Answers: wrong, none, of another variant, of nobody.
    "wrong_value": Sabotage(
        (Edit("clmul_x86.c", "b, 0x00", "b, 0x10"),), "clmul_x86", "answers", "wrong answer: clmul x86", "run"
    ),
    "wrong_value_in_portable": Sabotage(
        (Edit("portable.c", "* 0x1b", "* 0x1d"),),
        "imc/portable",
        "answers",
        "wrong answer: imc portable",
        "run",
    ),
    "no_plan": Sabotage((Edit("answers.c", PLAN + "\n", ""),), "imc_x86", "answers", "no plan", "run"),
    "zero_checks": Sabotage(
        (
            Edit("answers.c", TRIES_IMC, "        mini_imc_x86((uint8_t[16]){0});"),
            Edit("answers.c", TRIES_CLMUL, USES_CLMUL),
        ),
        "imc_x86",
        "answers",
        "made no check",
        "run",
    ),
    "another_variant": Sabotage(
        (Edit("answers.c", TRIES_IMC, '        imc("portable", mini_imc_x86);'),),
        "imc_x86",
        "answers",
        "is of variant portable, not x86",
        "run",
    ),
    "nobody_tries_it": Sabotage(
        (Edit("answers.c", TRIES_IMC, "        imc(variant, mini_imc_portable);"),),
        "imc_x86",
        "answers",
        "no test refers to any of its symbols",
        "run",
    ),
    "test_crashes": Sabotage(
        (Edit("answers.c", PLAN, PLAN + "\n    fflush(stdout);\n    *(volatile int *)0 = 1;"),),
        "imc_x86",
        "answers",
        "the test ended with -11",
        "run",
    ),
    "test_does_not_link": Sabotage(
        (
            Edit("answers.c", "int main(", "int nowhere(void);\nint main("),
            Edit("answers.c", "return failed != 0;", "return failed != nowhere();"),
        ),
        "clmul_x86",
        "answers",
        "the test answers does not build",
        "run",
    ),
}


@pytest.mark.parametrize("name", SABOTAGE)
def test_is_found(name: str, tmp_path: Path) -> None:
    sabotage = SABOTAGE[name]
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    found = project.suffer(sabotage)
    # One fault is told once: no other rung of the same kernel is blamed for it.
    rungs = {rung for kernel, rung in found if kernel == sabotage.kernel}
    assert rungs == {sabotage.rung}


def test_instructions_that_nobody_lists_are_not_shown(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    project.drop_teeth()
    project.edit("kernels.yml", "    mnemonics: {mini_imc_x86: [aesimc]}\n", "")
    project.edit("imc_x86.c", "    state = _mm_aesimc_si128(state);", STORES_PORTABLE)
    project.generate()
    outcome = project.verify(until="objects")
    (leg,) = outcome.legs
    shown = {kernel.name: kernel.rungs.get("mnemonics") for kernel in leg.kernels if kernel.kernel}
    assert shown == {"imc_x86": Verdict.NOT_SHOWN, "clmul_x86": Verdict.PASS}


def test_without_sabotage_all_passes(tmp_path: Path) -> None:
    project = MiniProject.make(tmp_path / "mini")
    outcome = project.verify(teeth=("native",))
    assert not failures(outcome.findings)
    assert outcome.code is ExitCode.OK
    (leg,) = outcome.legs
    verdicts = {
        kernel.name: {str(verdict.value) for verdict in kernel.rungs.values()} for kernel in leg.kernels
    }
    assert verdicts["imc_x86"] == verdicts["clmul_x86"] == {"PASS"}
    states = ["fresh OFF", "AUTO", "toggled ON IMC", "toggled ON CLMUL", "toggled OFF", "fresh ON"]
    assert [state.name for state in leg.states] == states
