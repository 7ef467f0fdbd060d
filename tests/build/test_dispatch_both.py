"""Case B46: a kernel that needs two features runs only where both are there, and must declare both."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains import Invocation
from cmaketool.verify import tap
from tests.build import verify_support
from tests.build.dispatched import Ran, Report, expected, generate, must, run
from tests.build.verify_support import MANIFESTS, x86_64_only
from tests.support import cmake_or_skip, configure_command, leg_or_skip, require_tool

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from cmaketool.plan import Plan

pytestmark = [pytest.mark.build, x86_64_only]

FEATURES = {"aes", "pclmul"}
# qemu's model: what it has of the two.
PROCESSORS: dict[str, AbstractSet[str]] = {
    "max": FEATURES,
    "Westmere": FEATURES,
    "Westmere,-pclmulqdq": {"aes"},
    "Westmere,-aes": {"pclmul"},
    "Haswell,-aes": {"pclmul"},
    "Haswell,-pclmulqdq": {"aes"},
    "Nehalem": set(),
}
# The variable's text: what it leaves of the two.
ITEMS: dict[str, AbstractSet[str]] = {
    "none": set(),
    "aes": {"aes"},
    "pclmul": {"pclmul"},
    "pclmul,aes": FEATURES,
    "-aes": {"pclmul"},
    "-pclmul": {"aes"},
    "-pclmul,-aes": set(),
}
PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(both_counted C)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wundef -Werror)
include("{folder}/both_kernels.cmake")
add_library(both STATIC)
both_target_kernels(both)
set_source_files_properties("{folder}/both_dispatch.c" PROPERTIES COMPILE_DEFINITIONS BOTH_DISPATCH_COUNT)
add_executable(answers "{folder}/answers.c")
target_include_directories(answers PRIVATE "{folder}")
target_compile_definitions(answers PRIVATE $<TARGET_PROPERTY:both,COMPILE_DEFINITIONS>)
target_link_libraries(answers PRIVATE both)
"""


@dataclass
class Built:
    """The counting test program of the manifest "both"."""

    plan: Plan
    program: Path

    def check(self, ran: Ran, features: AbstractSet[str]) -> Report:
        """Check answers, report and counters of a run through the dispatcher, on a CPU with `features`."""
        assert ran.code == 0, ran.output + ran.errors
        result = tap.parse(ran.output)
        assert tap.evaluate(result, "dispatch") == []
        assert {check.algorithm for check in result.checks} == {"mix/fips197", "mix/clmul", "mix/plain_c"}
        report = Report.read(ran.output, "both")
        assert report.compiled == ("mix_x86",)
        assert set(report.features) == features
        variant = "x86" if features == FEATURES else "portable"
        assert report.selected == {"mix": variant} == expected(self.plan, "x86_64", features)
        assert set(report.calls) == {"both_mix_x86", "both_mix_portable"}
        assert report.moved == {f"both_mix_{variant}"}
        return report


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("both")
    leg = leg_or_skip("native", folder / "leg")
    shutil.copytree(MANIFESTS / "both", folder / "kernels")
    plan = generate(folder / "kernels" / "kernels.yml")
    (folder / "project").mkdir()
    text = PROJECT.format(folder=(folder / "kernels").as_posix())
    (folder / "project" / "CMakeLists.txt").write_text(text, encoding="utf-8")
    configure = configure_command(leg, folder / "project", folder / "build")
    must([*configure, "-DCMAKE_BUILD_TYPE=Release", "-DBOTH_MIX=ON"])
    must([cmake_or_skip(), "--build", str(folder / "build")])
    return Built(plan, folder / "build" / "answers")


@pytest.mark.parametrize("processor", [pytest.param(name, id=f"{name}-B46") for name in PROCESSORS])
def test_processors(built: Built, processor: str) -> None:
    qemu = require_tool("qemu-x86_64")
    words = [qemu, "-cpu", processor, str(built.program), "--variant", "dispatch"]
    report = built.check(run(Invocation(words, {})), PROCESSORS[processor])
    assert set(report.detected) == PROCESSORS[processor]
    assert report.override == "unset"


@pytest.mark.parametrize("items", [pytest.param(items, id=f"{items}-B46") for items in ITEMS])
def test_variable(built: Built, items: str) -> None:
    qemu = require_tool("qemu-x86_64")
    words = [qemu, "-cpu", "max", str(built.program), "--variant", "dispatch"]
    report = built.check(run(Invocation(words, {"BOTH_CPU_FEATURES": items})), ITEMS[items])
    assert set(report.detected) == FEATURES
    assert report.override == f'applied "{items}"'


def test_this_machine(built: Built, tmp_path: Path) -> None:
    leg = leg_or_skip("native", tmp_path / "leg")
    features = leg.processors[0].features
    if features is None:
        pytest.skip("this system does not tell what the CPU has")
    built.check(run(leg.invoke(built.program, ["--variant", "dispatch"])), features & FEATURES)


@pytest.mark.parametrize("variant", ["x86", "portable"])
def test_variants(built: Built, variant: str) -> None:
    qemu = require_tool("qemu-x86_64")
    words = [qemu, "-cpu", "max", str(built.program), "--variant", variant]
    ran = run(Invocation(words, {}))
    assert ran.code == 0, ran.output + ran.errors
    assert tap.evaluate(tap.parse(ran.output), variant) == []
    assert "calls" not in ran.output, "a program that dispatches nothing counts nothing"


@pytest.mark.parametrize("left_out", [pytest.param(name, id=f"{name}-B46") for name in sorted(FEATURES)])
def test_both_must_be_declared(left_out: str, tmp_path: Path) -> None:
    """With the instructions allowed everywhere the kernel compiles; verify names what is not declared."""
    folder = tmp_path / "both"
    shutil.copytree(MANIFESTS / "both", folder)
    (declared,) = FEATURES - {left_out}
    manifest, lists = folder / "kernels.yml", folder / "CMakeLists.txt"
    text = manifest.read_text(encoding="utf-8").partition("teeth:")[0]
    text = text.replace("features: [aes, pclmul]", f"features: [{declared}]")
    manifest.write_text(text, encoding="utf-8")
    with pytest.raises(
        CmaketoolError, match=f"needs feature '{left_out}', which kernel 'mix_x86' does not list"
    ):
        generate(manifest)

    instruction = {"aes": "aesenc", "pclmul": "pclmulqdq"}[declared]
    manifest.write_text(text.replace("[aesenc, pclmulqdq]", f"[{instruction}]"), encoding="utf-8")
    everywhere = "project(both C)\nadd_compile_options(-maes -mpclmul)"
    text = lists.read_text(encoding="utf-8").replace("project(both C)", everywhere)
    lists.write_text(text, encoding="utf-8")
    generate(manifest)
    outcome = verify_support.run(manifest, project=folder, target="both", until="objects")
    reasons = [one.reason for found in verify_support.failures(outcome.findings).values() for one in found]
    assert any(f"feature {left_out} not declared" in reason for reason in reasons), reasons
