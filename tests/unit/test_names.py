from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest, names, plan, render
from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (names.module("cmk"), "cmk_kernels"),
        (names.variable("cmk", "AES"), "CMK_AES"),
        (names.require_variable("cmk"), "CMK_REQUIRE"),
        (names.definition("cmk", "aes_arm64"), "CMK_KERNEL_AES_ARM64"),
        (names.build_macro("cmk", "aes_arm64"), "CMK_BUILD_AES_ARM64"),
        (names.target_macro("cmk", "aes_arm64"), "CMK_TARGET_AES_ARM64"),
        (names.target_end_macro("cmk"), "CMK_TARGET_END"),
        (names.symbol("cmk_aes_ctr", "arm64"), "cmk_aes_ctr_arm64"),
        (names.probe_function("cmk", "aes_arm64"), "cmk_probe_aes_arm64_"),
        (names.slice_macro("cmk", "arm64ec"), "CMK_SLICE_ARM64EC"),
        (names.generated_file("cmk", "cpu.h"), "cmk_cpu.h"),
        (names.cpu_macro("cmk", "aes"), "CMK_CPU_AES"),
        (names.cpu_macro("cmk", "sse4.1"), "CMK_CPU_SSE4_1"),
        (names.needs_macro("cmk", "aes_arm64"), "CMK_CPU_NEEDS_AES_ARM64"),
        (names.cpu_function("cmk", "features"), "cmk_cpu_features"),
        (names.select_function("cmk", "aes_ctr"), "cmk_select_aes_ctr"),
        (names.override_variable("cmk"), "CMK_CPU_FEATURES"),
        (names.no_override_macro("cmk"), "CMK_CPU_NO_OVERRIDE"),
        (names.count_macro("cmk"), "CMK_DISPATCH_COUNT"),
        (names.call_macro("cmk"), "CMK_CALL"),
    ],
)
def test_derived_names(call: str, name: str) -> None:
    assert call == name


def test_macros_are_in_upper_case_and_c_names_as_given() -> None:
    assert names.cpu_macro("Demo", "aes") == "DEMO_CPU_AES"
    assert names.cpu_function("Demo", "fill") == "Demo_cpu_fill"


def test_what_is_reserved_for_run_time() -> None:
    reserved = names.cpu_reserved("cmk")
    assert len(set(reserved)) == len(reserved)
    assert {names.override_variable("cmk"), names.count_macro("cmk"), names.call_macro("cmk")} <= set(
        reserved
    )
    assert names.no_override_macro("cmk").startswith(names.cpu_switches("cmk"))
    assert names.cpu_function("cmk", "report").startswith(names.cpu_beginning("cmk"))
    assert not set(reserved) & set(names.reserved("cmk"))


def test_every_generated_macro_is_reserved_or_follows_from_the_manifest(tmp_path: Path) -> None:
    """Else a policy or an option could be given its name, and nobody would say so."""
    path = ROOT / "tests" / "manifests" / "policies" / "kernels.yml"
    found = plan.resolve(manifest.load(path), catalogue.load())
    assert found.cpu is not None
    text = "".join(render.render(found, tmp_path).values())
    macros = set(re.findall(rf"^ *# *define ({found.upper}_\w+)", text, re.MULTILINE))
    macros |= set(re.findall(rf"\b{found.upper}_(?:CPU|DISPATCH)_\w+", text))
    own = {*names.reserved(found.prefix), *names.cpu_reserved(found.prefix)}
    own |= {one.macro for one in found.cpu.features} | {one.macro for one in found.cpu.policies}
    own |= {names.slice_macro(found.prefix, name) for name in catalogue.load().architectures}
    for kernel in found.kernels:
        own |= {kernel.definition, kernel.build_macro, kernel.target_macro}
        own.add(names.needs_macro(found.prefix, kernel.name))
    beginnings = tuple(f"{found.upper}_CPU_{word}" for word in ("OVERRIDE_", "NO_"))
    assert {name for name in macros - own if not name.startswith(beginnings)} == set()


def test_every_generated_function_begins_as_reserved(tmp_path: Path) -> None:
    path = ROOT / "tests" / "manifests" / "policies" / "kernels.yml"
    found = plan.resolve(manifest.load(path), catalogue.load())
    files = render.render(found, tmp_path)
    headers = "".join(text for name, text in files.items() if name.endswith((".h", "dispatch.c")))
    functions = set(re.findall(rf"\b{found.prefix}_\w+(?=\()", headers))
    given = {function for family in found.families for function in family.functions}
    given |= {symbol for family in found.families for one in family.variants for symbol in one.symbols}
    given |= {names.select_function(found.prefix, family.name) for family in found.dispatched}
    begin = names.cpu_beginning(found.prefix)
    assert functions
    assert {name for name in functions - given if not name.startswith(begin)} == set()


@pytest.mark.parametrize(
    "name", ["none", "all", "features", "ready", "override_unset", "no_override", "needs_x"]
)
def test_no_policy_has_a_word_of_the_override_or_a_generated_name(name: str) -> None:
    assert not names.is_policy_name(name)


@pytest.mark.parametrize("name", ["fast_sha3", "needs", "nothing", "no", "overrides", "ready_made"])
def test_other_words_may_name_a_policy(name: str) -> None:
    assert names.is_policy_name(name)


def test_every_feature_could_be_named_in_the_override() -> None:
    """What no policy may be called, no feature of the catalogue is called either."""
    known = catalogue.load()
    assert all(names.is_policy_name(feature) for isa in known.isas for feature in known.features(isa))
