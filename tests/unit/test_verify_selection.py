"""What must be chosen at run time, and in which trials, follows from manifest, states and leg alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue
from cmaketool.toolchains.model import Processor
from cmaketool.verify import cpureport
from cmaketool.verify.capabilities import Capabilities
from cmaketool.verify.model import Verdict
from cmaketool.verify.selection import Circumstances, Ground, Selection, Trial
from tests.unit.manifests import planned

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan

MANIFEST = """\
schema: 1
name: pick
cpu:
  policies:
    fast:
      {help: worth it, architecture: arm64, features: [sha3], when: {apple: true}}
    usual: {help: always, architecture: arm64, features: [sha2], when: {always: true}}
options:
  AES: {help: AES}
  WIDE: {help: wide AES}
  SHA: {help: hashes}
kernels:
  gcm_arm: {option: AES, architecture: arm64, features: [pmull], sources: [a.c], symbols: [gcm_wide]}
  aes_arm: {option: AES, architecture: arm64, features: [aes], sources: [b.c], symbols: [aes_arm, gcm_arm]}
  again_arm: {option: WIDE, architecture: arm64, features: [aes], sources: [c.c], symbols: [aes_again]}
  sha_arm: {option: SHA, architecture: arm64, features: [sha3], sources: [d.c], symbols: [sha_arm]}
  vaes_x86: {option: WIDE, architecture: x86_64, features: [vaes], sources: [e.c], symbols: [aes_wide]}
  alone_arm: {option: SHA, architecture: arm64, features: [sha512], sources: [g.c], symbols: [alone]}
families:
  aes:
    functions: ["void aes(unsigned char *block)"]
    headers: [pick.h]
    variants:
      - {name: wide, kernel: vaes_x86}
      - {name: arm, kernel: aes_arm}
      - {name: again, kernel: again_arm}
      - {name: portable, sources: [f.c]}
  gcm:
    functions: ["void gcm(unsigned char *block)"]
    headers: [pick.h]
    variants:
      - {name: wide, kernel: gcm_arm}
      - {name: arm, kernel: aes_arm}
      - {name: portable, sources: [f.c]}
  sha:
    functions: ["void sha(unsigned char *block)"]
    headers: [pick.h]
    variants:
      - {name: arm, kernel: sha_arm, policy: fast}
      - {name: portable, sources: [f.c]}
"""
ARM_BY_NEON = "aes_arm: {option: AES, architecture: arm64, features: [neon]"
ARM = frozenset({"gcm_arm", "aes_arm", "again_arm", "sha_arm", "alone_arm"})
EVERYTHING = frozenset({"aes", "pmull", "sha1", "sha2", "sha512", "sha3"})
OLD = EVERYTHING - {"sha512", "sha3"}
MAX, A72 = Processor(name="max", features=EVERYTHING), Processor(name="a72", features=OLD)
UNICORN = Ground("arm64", (MAX,), "unicorn", any_hwcap=True, can_forbid=True)
QEMU = Ground("arm64", (MAX, A72), "command", any_hwcap=False, can_forbid=False)
WINDOWS = Ground("arm64", (MAX, A72), "unicorn-windows", any_hwcap=False, can_forbid=True)


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    sources = {f"{letter}.c": "" for letter in "abcdefg"}
    return planned(tmp_path_factory.mktemp("pick"), MANIFEST, sources)


def selection(plan: Plan, ground: Ground, *, overridable: bool = True) -> Selection:
    return Selection(plan, catalogue.load(), ground, overridable=overridable)


def trials(plan: Plan, ground: Ground, *, full: bool = True) -> dict[str, Trial]:
    return {trial.name: trial for trial in selection(plan, ground).trials(ARM, full=full)}


def test_one_run_on_each_cpu(plan: Plan) -> None:
    found = trials(plan, QEMU, full=False)
    assert list(found) == ["on max", "on a72"]
    assert found["on max"].chosen == {"aes": "arm", "gcm": "wide", "sha": "portable"}
    assert found["on max"].detected == ("aes", "pmull", "sha1", "sha2", "sha512", "sha3")
    assert found["on a72"].features == ("aes", "pmull", "sha1", "sha2")
    assert found["on a72"].policies == ("usual",)
    assert found["on a72"].circumstances == Circumstances("a72")


def test_what_is_built_decides(plan: Plan) -> None:
    (trial,) = selection(plan, UNICORN).trials({"again_arm", "vaes_x86"}, full=False)
    assert trial.chosen == {"aes": "again", "gcm": "portable", "sha": "portable"}
    (trial,) = selection(plan, UNICORN).trials(frozenset(), full=True)
    assert set(trial.chosen.values()) == {"portable"}


def test_each_feature_is_taken_away_alone(plan: Plan) -> None:
    found = trials(plan, UNICORN)
    features = ["aes", "pmull", "sha1", "sha2", "sha512", "sha3"]
    said = [f"with PICK_CPU_FEATURES={item}" for item in (*(f"-{one}" for one in features), "none")]
    falling = ["aes pmull", "pmull", "sha1 sha2 sha512 sha3", "sha2 sha512 sha3", "sha512 sha3", "sha3"]
    words = [f"without {names} in the capability word" for names in (*falling, " ".join(features))]
    constructed = ["with PICK_CPU_FEATURES=sha3,+fast,-usual"]
    assert list(found) == ["on max", *said, *words, *constructed]
    assert found["with PICK_CPU_FEATURES=-aes"].chosen == {
        "aes": "portable", "gcm": "portable", "sha": "portable"
    }  # fmt: skip
    assert found["with PICK_CPU_FEATURES=-pmull"].chosen["gcm"] == "arm"
    assert found[constructed[0]].chosen["sha"] == "arm"
    assert found[constructed[0]].policies == ("fast",)
    assert found["with PICK_CPU_FEATURES=none"].policies == ()


def test_what_no_system_is_asked_for(tmp_path: Path) -> None:
    """Every CPU has it, also one of which nobody said so; only an override takes it away."""
    text = MANIFEST.replace("aes_arm: {option: AES, architecture: arm64, features: [aes]", ARM_BY_NEON)
    found = trials(planned(tmp_path, text, {f"{letter}.c": "" for letter in "abcdefg"}), UNICORN)
    assert found["on max"].detected == ("neon", "aes", "pmull", "sha1", "sha2", "sha512", "sha3")
    assert found["with PICK_CPU_FEATURES=-neon"].chosen["aes"] == "again"
    assert found["with PICK_CPU_FEATURES=-neon"].circumstances.forbid == ()
    assert found["with PICK_CPU_FEATURES=none"].chosen["aes"] == "portable"
    nothing = found["without aes pmull sha1 sha2 sha512 sha3 in the capability word"]
    assert (nothing.detected, nothing.chosen["aes"]) == (("neon",), "arm")
    assert not any("without neon" in name for name in found)


def test_what_is_taken_away_is_forbidden(plan: Plan) -> None:
    found = trials(plan, UNICORN)
    by_word = found["without aes pmull in the capability word"]
    by_text = found["with PICK_CPU_FEATURES=-aes"]
    for trial in (by_word, by_text):
        assert {"aese", "aesmc", "pmull2"} <= set(trial.circumstances.forbid)
        assert "sha256h" not in trial.circumstances.forbid
        assert trial.masked == {"aes", "pmull"}
    assert by_word.circumstances.override is None
    assert by_word.circumstances.hwcap == 0b11 | 1 << 5 | 1 << 6 | 1 << 17 | 1 << 21
    assert by_word.detected == by_word.features == ("sha1", "sha2", "sha512", "sha3")
    assert by_text.circumstances.hwcap is None
    assert by_text.detected == found["on max"].detected
    assert found["on max"].circumstances.forbid == ()
    assert trials(plan, QEMU)["with PICK_CPU_FEATURES=-aes on max"].circumstances.forbid == ()


def test_windows_takes_no_capability_word_and_says_nothing_of_its_core(plan: Plan) -> None:
    found = trials(plan, WINDOWS)
    assert not any(trial.circumstances.hwcap for trial in found.values())
    assert found["on a72"].circumstances == Circumstances("a72")  # no policy must be said there
    trial = found["with PICK_CPU_FEATURES=-aes on max"]
    assert {"aese", "pmull2"} <= set(trial.circumstances.forbid)
    assert found["with PICK_CPU_FEATURES=sha3,+fast,-usual on max"].chosen["sha"] == "arm"


def test_a_shared_instruction_is_not_forbidden(plan: Plan) -> None:
    """vaesenc is that of aes, in another encoding, where only vaes is gone."""
    able = Capabilities(plan, catalogue.load(), "x86_64")
    assert able.mnemonics({"vaes"}) == ()
    assert "vaesenc" in able.mnemonics({"aes", "vaes"})
    assert able.falling({"avx2"}) == {"avx2", "vaes", "vpclmulqdq"}


def test_what_the_core_decides_is_said(plan: Plan) -> None:
    native = Ground(
        "arm64", (Processor(name="host", features=OLD),), "native", any_hwcap=False, can_forbid=False
    )
    found = trials(plan, native)
    assert list(found)[:2] == ["with PICK_CPU_FEATURES=-fast", "with PICK_CPU_FEATURES=-aes,-fast"]
    assert all("fast" in trial.name for trial in found.values())
    unsure = selection(plan, native, overridable=False)
    assert "whether fast holds is not known" in unsure.unknown
    assert selection(plan, QEMU, overridable=False).unknown == ""


def test_of_unknown_and_of_other_cpus(plan: Plan) -> None:
    unknown = Ground("arm64", (Processor(name="host"),), "native", any_hwcap=False, can_forbid=False)
    assert selection(plan, unknown).unknown == "what features host has is not known"
    for architecture in ("other", "arm64ec"):
        ground = unknown._replace(architecture=architecture)
        assert bool(selection(plan, ground).unknown) == (architecture == "arm64ec")
    (trial,) = selection(plan, unknown._replace(architecture="other")).trials((), full=True)
    assert trial.features == ()
    assert set(trial.chosen.values()) == {"portable"}


def test_why_a_variant_is_not_chosen(plan: Plan) -> None:
    here = selection(plan, UNICORN)
    verdict, reason = here.absence("aes", "again", ARM)
    assert (verdict, reason) == (Verdict.NOT_SHOWN, "aes: again gives way to arm wherever it could be chosen")
    assert here.absence("aes", "wide", ARM) == (
        Verdict.NOT_SHOWN,
        "aes: wide is not in the slice that runs",
    )
    old = UNICORN._replace(processors=(A72,))
    verdict, reason = selection(plan, old).absence("sha", "arm", ARM)
    assert (verdict, reason) == (Verdict.NOT_RUN, "sha: arm needs sha3, not to be had on a72")
    verdict, reason = selection(plan, UNICORN, overridable=False).absence("sha", "arm", ARM)
    assert (verdict, reason) == (
        Verdict.NOT_RUN,
        "sha: arm cannot be asked for, since PICK_CPU_NO_OVERRIDE is defined",
    )
    one_option = plan._replace(kernels=tuple(one._replace(option="AES") for one in plan.kernels))
    verdict, reason = selection(one_option, UNICORN).absence("aes", "again", ARM)
    assert verdict is Verdict.FAIL
    assert "again is never chosen, arm comes first and needs no more" in reason


def test_without_an_override(plan: Plan) -> None:
    found = selection(plan, UNICORN, overridable=False).trials(ARM, full=True)
    assert all(trial.circumstances.override is None for trial in found)
    assert len(found) == 1 + 6 + 1


@pytest.mark.parametrize(
    ("items", "features", "policies"),
    [
        ("", "aes pmull sha1 sha2", "usual"),
        ("aes", "aes", ""),
        ("pmull", "aes pmull", ""),
        ("none", "", ""),
        ("-aes", "sha1 sha2", "usual"),
        ("-sha1", "aes pmull", ""),
        ("sha2,-usual", "sha1 sha2", ""),
        ("sha3,+fast", "sha1 sha2", "usual"),  # it cannot be had here: no bit is ever set
        ("pmull,sha1,-aes", "sha1", ""),
    ],
)
def test_an_override(plan: Plan, items: str, features: str, policies: str) -> None:
    able = Capabilities(plan, catalogue.load(), "arm64")
    found = able.overridden([item for item in items.split(",") if item], OLD)
    assert (" ".join(able.ordered(found[0])), " ".join(sorted(found[1]))) == (features, policies)


REPORT = """\
ok 1 - aes dispatch 1 vectors
1..1
# pick: compiled: aes_arm
# pick: detected: aes pmull sha1 sha2
# pick: override: applied "-sha2"
# pick: features: aes pmull sha1
# pick: policy: none
# pick: selected: aes=arm gcm=arm sha=portable
# other: selected: aes=portable
# pick: calls: aes_arm=12 aes_portable=0
"""
TRIAL = Trial(
    "with PICK_CPU_FEATURES=-sha2",
    Circumstances(override="-sha2"),
    ("aes", "pmull", "sha1", "sha2"),
    ("aes", "pmull", "sha1"),
    (),
    frozenset({"sha2"}),
    {"aes": "arm", "gcm": "arm", "sha": "portable"},
)


def test_a_report_is_read() -> None:
    report = cpureport.parse(REPORT, "pick")
    assert report is not None
    assert report.selected == {"aes": "arm", "gcm": "arm", "sha": "portable"}
    assert report.calls == {"aes_arm": 12, "aes_portable": 0}
    assert report.missing == ()
    assert cpureport.discrepancies(report, TRIAL, ["aes_arm"], overridable=True) == []
    assert cpureport.parse(REPORT, "sick") is None
    short = cpureport.parse(REPORT.replace("# pick: calls", "# pick; calls"), "pick")
    assert short is not None
    assert short.missing == ("calls",)


@pytest.mark.parametrize(
    ("old", "new", "about"),
    [
        ("compiled: aes_arm", "compiled: none", {"aes_arm"}),
        ("detected: aes ", "detected: ", {"aes"}),
        ("features: aes pmull sha1", "features: aes pmull sha1 sha2", {"sha2"}),
        ("policy: none", "policy: usual", {"usual"}),
        ('applied "-sha2"', "unset", {"sha2"}),
        ('applied "-sha2"', "unavailable", {"sha2"}),
        ("aes pmull sha1\n", "pmull aes sha1\n", set()),  # the order is part of it
    ],
)
def test_each_line_of_a_report_is_held_against_the_trial(old: str, new: str, about: set[str]) -> None:
    assert REPORT.count(old) == 1
    report = cpureport.parse(REPORT.replace(old, new), "pick")
    assert report is not None
    (found,) = cpureport.discrepancies(report, TRIAL, ["aes_arm"], overridable=True)
    assert found.about == about


def test_a_long_override_is_cut() -> None:
    long = ",".join(["-sha2"] * 20)
    trial = Trial("", Circumstances(override=long), (), (), (), frozenset(), {})
    text = f'# pick: override: applied "{long[:60]}..."'
    report = cpureport.parse(text, "pick")
    assert report is not None
    assert cpureport.discrepancies(report, trial, [], overridable=True) == []
