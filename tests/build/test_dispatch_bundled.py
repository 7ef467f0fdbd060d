"""Case B44: the compiler may use every instruction, the CPU has none; and each feature masked alone.

The project is built as its users may build it, with the instructions allowed everywhere. What the CPU has is
told by the emulator, or taken away by the environment variable. The report, the counted calls and the
emulator's watch over forbidden instructions must agree with what the manifest says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue
from cmaketool.toolchains.unicorn_aarch64 import DEFAULT_HWCAP
from cmaketool.verify import tap
from tests.build.dispatched import Ran, Report, expected, load, must, run
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cmaketool import toolchains

pytestmark = pytest.mark.build

KERNELS = ROOT / "kernels"
PLAN = load(KERNELS / "kernels.yml")
KNOWN = catalogue.load()
assert PLAN.cpu is not None
FEATURES = PLAN.cpu.names("arm64")
UNASKED = {name for name in FEATURES if KNOWN.feature("arm64", name).detection.always}  # no word lacks them
ZIG, GCC, CLANG = "zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu", "clang-19-aarch64-linux-gnu"
LEGS = [ZIG, GCC, pytest.param(CLANG, marks=pytest.mark.nightly)]  # zig is clang too
ALLOWED = {ZIG: "-mcpu=generic+aes+sha2", GCC: "-march=armv8-a+crypto", CLANG: "-march=armv8-a+crypto"}
NEED_NO_MORE = {"chacha20", "chacha20_poly1305", "poly1305"}
# Case B53: texts of the variable, and what those of them leave that take something away.
TEXTS = {
    "empty": "", "zero": "0", "none": "none", "all": "all", "sha3": "sha3", "empty-item": "aes,,sha2",
    "blanks": " AES ", "unknown": "foo", "0x": "0x", "minus": "-1", "number": "9" * 20, "long": "a" * 5000,
}  # fmt: skip
LEFT: dict[str, set[str]] = {"none": set(), "sha3": {"sha1", "sha2"}, " AES ": {"aes"}}
INCLUDED = """\
add_compile_options({allowed})
set_source_files_properties("{dispatch}" PROPERTIES COMPILE_DEFINITIONS CMK_DISPATCH_COUNT)
"""


@dataclass
class Tree:
    """The programs of one leg."""

    leg: toolchains.Leg
    embedded: toolchains.Leg
    folder: Path

    def known_answers(self, *, missing: set[str], way: str) -> Ran:
        """Run them through the dispatchers on a CPU without some features, watched if it is the embedded one.

        `way`: "word" is the operating system's answer, "variable" the environment's.
        """
        program, arguments = self.folder / "cmk_known_answers", ["--variant", "dispatch"]
        forbid = sorted({one for name in missing for one in KNOWN.feature("arm64", name).mnemonics})
        if way == "word":
            bits = (KNOWN.feature("arm64", name).detection.hwcap for name in missing)
            word = DEFAULT_HWCAP & ~sum(1 << bit for bit in bits if bit is not None)
            return run(self.embedded.invoke(program, arguments, hwcap=word, forbid=forbid))
        items = "none" if missing == set(FEATURES) else ",".join(f"-{name}" for name in sorted(missing))
        environment = {"CMK_CPU_FEATURES": items}
        if self.leg.any_hwcap:
            return run(self.leg.invoke(program, arguments, forbid=forbid, environment=environment))
        return run(self.leg.invoke(program, arguments, environment=environment))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tree]:
    """Return a function that builds the project for a leg, once: everything allowed, calls counted."""
    made: dict[str, Tree] = {}

    def build(name: str) -> Tree:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            leg, embedded = leg_or_skip(name, folder / "leg"), leg_or_skip(ZIG, folder / "embedded")
            included = folder / "allowed.cmake"
            text = INCLUDED.format(allowed=ALLOWED[name], dispatch=(KERNELS / "cmk_dispatch.c").as_posix())
            included.write_text(text, encoding="utf-8")
            configure = configure_command(leg, ROOT, folder / "build")
            # As compile options: with zig the linker must not hear of them, or it makes its C library anew.
            must([*configure, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PROJECT_cmk_INCLUDE={included}"])
            must([cmake_or_skip(), "--build", str(folder / "build")])
            made[name] = Tree(leg, embedded, folder / "build")
        return made[name]

    return build


def _symbols(selected: Mapping[str, str]) -> set[str]:
    """Return what the dispatchers call when they select these variants."""
    return {
        f"{function}_{selected[family.name]}" for family in PLAN.dispatched for function in family.functions
    }


def _without(name: str) -> set[str]:
    """Return the features that are gone with one: it, and what implies it."""
    return {one for one in FEATURES if name in KNOWN.closure("arm64", [one])}


def _check(ran: Ran, *, detected: set[str], features: set[str]) -> None:
    assert ran.code == 0, ran.output[-2000:] + ran.errors[-2000:]
    result = tap.parse(ran.output)
    assert tap.evaluate(result, "dispatch") == []
    assert all(check.ok for check in result.checks)
    assert {check.algorithm.partition("/")[0] for check in result.checks} == {
        one.name for one in PLAN.dispatched
    }
    report = Report.read(ran.output)
    selected = expected(PLAN, "arm64", features)
    assert set(report.compiled) == {kernel.name for kernel in PLAN.kernels}
    assert set(report.detected) == detected
    assert set(report.features) == features
    assert report.selected == selected
    assert report.moved == _symbols(selected)
    assert set(report.calls) == {
        symbol for one in PLAN.dispatched for v in one.variants for symbol in v.symbols
    }


@pytest.mark.parametrize("leg", LEGS)
def test_all_features(tree: Callable[[str], Tree], leg: str) -> None:
    ran = tree(leg).known_answers(missing=set(), way="word")
    _check(ran, detected=set(FEATURES), features=set(FEATURES))
    selected = dict(Report.read(ran.output).selected)
    assert selected.pop("sha3") == "portable", "fast_sha3 does not hold on this CPU"
    assert selected.pop("aes_gcm") == "arm64_eor3"
    assert set(selected.values()) == {"arm64"}


@pytest.mark.parametrize("leg", LEGS)
def test_a_policy_decides(tree: Callable[[str], Tree], leg: str) -> None:
    made = tree(leg)
    program, arguments = made.folder / "cmk_known_answers", ["--variant", "dispatch"]
    ran = run(made.leg.invoke(program, arguments, environment={"CMK_CPU_FEATURES": "+fast_sha3"}))
    assert ran.code == 0, ran.output[-2000:] + ran.errors[-2000:]
    report = Report.read(ran.output)
    assert report.selected == expected(PLAN, "arm64", set(FEATURES), {"fast_sha3"})
    assert set(report.selected.values()) == {"arm64", "arm64_eor3"}
    assert report.moved == _symbols(report.selected)


@pytest.mark.parametrize("way", [pytest.param(way, id=f"{way}-B44") for way in ("word", "variable")])
@pytest.mark.parametrize("leg", LEGS)
def test_no_features(tree: Callable[[str], Tree], leg: str, way: str) -> None:
    ran = tree(leg).known_answers(missing=set(FEATURES), way=way)
    left = UNASKED if way == "word" else set[str]()
    _check(ran, detected=left or set(FEATURES), features=left)
    chosen = {name for name, variant in Report.read(ran.output).selected.items() if variant != "portable"}
    assert chosen == (NEED_NO_MORE if way == "word" else set())


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("way", [pytest.param(way, id=f"{way}-B44") for way in ("word", "variable")])
@pytest.mark.parametrize("leg", LEGS)
def test_one_feature_less(tree: Callable[[str], Tree], leg: str, way: str, feature: str) -> None:
    ran = tree(leg).known_answers(missing={feature}, way=way)
    left = set(FEATURES) - (_without(feature) - UNASKED if way == "word" else _without(feature))
    _check(ran, detected=left if way == "word" else set(FEATURES), features=left)
    if way == "variable":
        assert Report.read(ran.output).override == f'applied "-{feature}"'


def test_the_emulator_watches(tree: Callable[[str], Tree]) -> None:
    """With the CPU's word left as it is, what is forbidden is executed, and that is seen."""
    built = tree(GCC)
    program = built.folder / "cmk_known_answers"
    ran = run(built.embedded.invoke(program, ["--variant", "dispatch"], forbid=["aese"]))
    assert ran.code == 125
    assert "aese" in ran.errors
    assert "_arm64" in ran.errors


@pytest.mark.parametrize("processor", ["cortex-a72", "neoverse-n1"])
def test_processors(tree: Callable[[str], Tree], processor: str) -> None:
    built = tree(GCC)
    ran = run(built.leg.invoke(built.folder / "cmk_info", processor=processor))
    assert ran.code == 0
    (model,) = (one for one in built.leg.processors if one.name == processor)
    assert model.features is not None
    report = Report.read(ran.output)
    assert set(report.detected) == set(report.features) == model.features & set(FEATURES) | UNASKED
    assert "sha3" not in report.detected
    assert report.selected == expected(PLAN, "arm64", set(report.features))


@pytest.mark.parametrize("text", [pytest.param(text, id=f"{name}-B53") for name, text in TEXTS.items()])
def test_the_answers_are_right_whatever_the_variable_holds(tree: Callable[[str], Tree], text: str) -> None:
    """On a CPU without SHA-3, of which no text makes one that has it."""
    built = tree(GCC)
    (model,) = (one for one in built.leg.processors if one.name == "cortex-a72")
    assert model.features is not None
    detected = set(model.features) & set(FEATURES) | UNASKED
    program, arguments = built.folder / "cmk_known_answers", ["--variant", "dispatch"]
    setting = {"CMK_CPU_FEATURES": text}
    ran = run(built.leg.invoke(program, arguments, processor=model.name, environment=setting))
    _check(ran, detected=detected, features=detected & LEFT.get(text, detected))


@pytest.mark.parametrize(
    "part", ["kernels_config.h", "cpu.h", "cpu.c", "dispatch.h", "dispatch.c", "report.c"]
)
@pytest.mark.parametrize("case", ["B44"])
def test_the_compilers_macros_are_not_asked(case: str, part: str) -> None:
    text = (KERNELS / f"cmk_{part}").read_text(encoding="utf-8")
    macros = {macro for isa in KNOWN.isas.values() for one in isa.features.values() for macro in one.macros}
    assert "__ARM_FEATURE_AES" in macros
    assert not {macro for macro in {*macros, "__ARM_FEATURE_", "__ARM_NEON"} if macro in text}
