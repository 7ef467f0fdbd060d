"""The C of run time, built through the fragment as users build it: it chooses, counts and reports."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.build.dispatched import Report, generate, must, run
from tests.build.verify_support import MANIFESTS
from tests.support import cmake_or_skip, configure_command, leg_or_skip, require_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cmaketool.plan import Plan
    from cmaketool.toolchains import Leg

pytestmark = pytest.mark.build

WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wundef -Werror"
# Three libraries of the same kernels, and the program that comes with them.
PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(runtime C)
set(CMAKE_C_FLAGS "${{CMAKE_C_FLAGS}} {warnings}")
include("{folder}/policies_kernels.cmake")
add_library(plain STATIC)
set_target_properties(plain PROPERTIES UNITY_BUILD ON)
target_precompile_headers(plain PRIVATE <stdlib.h>)
add_library(counted STATIC)
target_compile_definitions(counted PRIVATE POL_DISPATCH_COUNT)
add_library(shared SHARED EXCLUDE_FROM_ALL)
foreach(library IN ITEMS plain counted shared)
  policies_target_kernels(${{library}})
  add_executable(asks_${{library}} asks.c)
  target_include_directories(asks_${{library}} PRIVATE "{folder}")
  target_link_libraries(asks_${{library}} PRIVATE ${{library}})
endforeach()
set_target_properties(asks_shared PROPERTIES EXCLUDE_FROM_ALL ON)
add_executable(policies_info "{folder}/policies_info.c")
target_link_libraries(policies_info PRIVATE plain)
"""
# Each function twice, and what it answers.
ASKS = """\
#include "policies.h"

#include <stdio.h>

static const char *digest(void)
{
    const char *variant = NULL;
    pol_digest(&variant);
    return variant;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        printf("ghash=%s digest=%s sha3=%s first=%s blocks=%s\\n", pol_ghash(i), digest(), pol_sha3(),
               pol_first(), pol_blocks());
    }
    return 0;
}
"""
LINES = ("compiled", "detected", "override", "features", "policy", "selected")
LEGS = ("native", "zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu")
FEATURES = {
    "arm64": ("aes", "pmull", "sha1", "sha2", "sha512", "sha3"),
    "x86_64": ("aes", "pclmul", "ssse3", "sse4.1", "avx2", "vaes"),
}


@dataclass(frozen=True)
class Built:
    """The project of one leg; `option` is the value of its one option."""

    leg: Leg
    plan: Plan
    build: Path

    @property
    def isa(self) -> str:
        return "x86_64" if "x86_64" in self.leg.facts.architectures else "arm64"

    def configure(self, option: str) -> None:
        must([cmake_or_skip(), f"-DPOL_CRYPTO={option}", str(self.build)])
        must([cmake_or_skip(), "--build", str(self.build)])

    def ask(self, program: str, text: str | None = None) -> str:
        """Run a program with the variable's text, and return what it printed."""
        ran = run(self.leg.invoke(self.build / program, environment={"POL_CPU_FEATURES": text}))
        assert (ran.code, ran.errors) == (0, "")
        return ran.output

    def choice(self, report: Report) -> dict[str, str]:
        """Return what must be chosen where these kernels are compiled in and these bits stand."""
        words = {*report.features, *report.policy}
        kernels = {one.name: {*one.closure} for one in self.plan.kernels if one.name in report.compiled}
        return {
            family.name: next(
                one.name
                for one in family.variants
                if (one.kernel is None or kernels.get(one.kernel, {""}) <= words)
                and (one.policy is None or one.policy in words)
            )
            for family in self.plan.dispatched
        }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Built]:
    """Return a function that builds the project for a leg, once."""
    made: dict[str, Built] = {}

    def build(name: str) -> Built:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            leg = leg_or_skip(name, folder / "leg")
            shutil.copytree(MANIFESTS / "policies", folder / "kernels")
            plan = generate(folder / "kernels" / "kernels.yml")
            text = PROJECT.format(folder=(folder / "kernels").as_posix(), warnings=WARNINGS)
            (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
            (folder / "asks.c").write_text(ASKS, encoding="utf-8")
            must([*configure_command(leg, folder, folder / "build"), "-DCMAKE_BUILD_TYPE=Release"])
            must([cmake_or_skip(), "--build", str(folder / "build")])
            made[name] = Built(leg, plan, folder / "build")
        return made[name]

    return build


def answers(output: str) -> Mapping[str, str]:
    """Return what the functions said, by family: twice the same."""
    first, second, *_ = output.splitlines()
    assert first == second
    return dict(word.split("=") for word in first.split())


def texts(isa: str) -> list[str | None]:
    """Return texts of the variable: nothing, each feature alone, each one missing, policies."""
    policies = {"arm64": "+fast_sha3,+early", "x86_64": "+odd,-wide"}
    each = [f"{sign}{name}" for name in FEATURES[isa] for sign in ("", "-")]
    return [None, "", "none", *each, policies[isa]]


@pytest.mark.parametrize("name", LEGS)
def test_the_first_variant_that_can_be_taken(built: Callable[[str], Built], name: str) -> None:
    one = built(name)
    known = one.leg.processors[0].features
    kernels = [kernel.name for kernel in one.plan.kernels if kernel.isa == one.isa]
    seen = set()
    for text in texts(one.isa):
        report = Report.read(one.ask("policies_info", text), "policies")
        assert report.selected == one.choice(report)
        assert answers(one.ask("asks_plain", text)) == report.selected
        assert list(report.compiled) == kernels
        assert known is None or {*report.detected} == known & {*FEATURES[one.isa]}
        assert {*report.features} <= {*report.detected}
        seen.add(tuple(report.selected.items()))
    assert len(seen) > 2, "the variable changes nothing"


@pytest.mark.parametrize("name", LEGS)
def test_the_report_and_the_counts(built: Callable[[str], Built], name: str) -> None:
    one = built(name)
    info = one.ask("policies_info", "-aes").splitlines()
    assert [line.split(": ")[:2] for line in info] == [["policies", line] for line in LINES]
    assert info[2] == 'policies: override: applied "-aes"'
    counted = one.ask("asks_counted", "-aes").splitlines()
    assert counted[2:-1] == ["", *(f"# {line}" for line in info)]

    start, _, calls = counted[-1].rpartition(": ")
    assert start == "# policies: calls"
    compiled = Report.read("\n".join(info), "policies").compiled
    wanted = []
    for family in one.plan.dispatched:
        chosen = answers("\n".join(counted))[family.name]
        for variant in family.variants:
            if variant.kernel is None or variant.kernel in compiled:
                count = 2 if variant.name == chosen else 0
                # pol_sha3_blocks is the one function that is not called
                wanted += [
                    f"{symbol}={0 if 'blocks_' in symbol and family.name == 'sha3' else count}"
                    for symbol in variant.symbols
                ]
    assert calls.split() == wanted


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{name}-B41") for name in LEGS])
def test_off_and_on_again(built: Callable[[str], Built], name: str) -> None:
    one = built(name)
    try:
        one.configure("OFF")
        report = Report.read(one.ask("policies_info"), "policies")
        assert report.compiled == ()
        assert set(report.selected.values()) == {"portable"}
        assert set(answers(one.ask("asks_plain")).values()) == {"portable"}
        last = one.ask("asks_counted").splitlines()[-1]
        assert re.findall(r"(\w+)=", last) == [
            symbol for family in one.plan.dispatched for symbol in family.variants[-1].symbols
        ]
    finally:
        one.configure("ON")
    report = Report.read(one.ask("policies_info"), "policies")
    assert report.compiled
    assert answers(one.ask("asks_plain")) == one.choice(report)


def test_without_kernels_the_word_is_not_looked_at(built: Callable[[str], Built], tmp_path: Path) -> None:
    folder = built("native").build.parent / "kernels"
    for compiler in ("gcc", "clang-19"):
        output = tmp_path / f"{compiler}.s"
        must([require_tool(compiler), "-O1", "-S", str(folder / "policies_dispatch.c"), "-o", str(output)])
        functions = re.split(r"^(\w+):.*\n", output.read_text(encoding="utf-8"), flags=re.MULTILINE)
        dispatchers = dict(zip(functions[1::2], functions[2::2], strict=True))
        for family in built("native").plan.dispatched:
            for function in family.functions:
                assert f"{function}_portable" in dispatchers[function]
                assert "pol_cpu_" not in dispatchers[function]


def test_a_shared_library(built: Callable[[str], Built]) -> None:
    one = built("native")
    must([cmake_or_skip(), "--build", str(one.build), "--target", "asks_shared"])
    for text in (None, "none", "-aes"):
        report = Report.read(one.ask("policies_info", text), "policies")
        assert answers(one.ask("asks_shared", text)) == report.selected
    (library,) = one.build.glob("libshared.*")
    exported = set(
        must([require_tool("nm"), "-D", "--defined-only", "--format=just-symbols", str(library)]).split()
    )
    assert {"pol_cpu_features", "pol_cpu_decide", "pol_cpu_report", "pol_ghash"} <= exported
    hidden = {"pol_cpu_word", "pol_cpu_fill", "pol_cpu_bits", "pol_cpu_append"}
    assert not hidden & exported
    # The word, unlike what is exported, has no entry in the table that a position-independent program asks.
    relocations = must([require_tool("readelf"), "-rW", str(library)])
    assert "pol_cpu_word" not in relocations


CONSUMER = """\
#include "policies_cpu.h"

#include <cstdio>

int main()
{
    pol_cpu_decision decision;
    pol_cpu_decide(&decision);
    return (pol_cpu_features() & POL_CPU_READY) != 0 && decision.override == POL_CPU_OVERRIDE_UNSET
               && pol_cpu_report(0, 0) > 0 ? 0 : 1;
}
"""


@pytest.mark.parametrize("standard", ["c++98", "c++11", "c++17", "c++20"])
@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_cxx(built: Callable[[str], Built], tmp_path: Path, compiler: str, standard: str) -> None:
    one = built("native")
    source, program = tmp_path / "consumer.cpp", tmp_path / "consumer"
    source.write_text(CONSUMER, encoding="utf-8")
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wold-style-cast", "-Wundef", "-Werror"]
    include = f"-I{one.build.parent / 'kernels'}"
    command = [require_tool(compiler), f"-std={standard}", *flags, include, str(source)]
    must([*command, str(one.build / "libplain.a"), "-o", str(program)])
    assert run(one.leg.invoke(program, environment={"POL_CPU_FEATURES": None})).code == 0
