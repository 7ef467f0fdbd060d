"""Each witness of the rung "selected" can turn it red, for the unit that answers for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from cmaketool import catalogue
from cmaketool.process import Result
from cmaketool.toolchains.model import ALL_RUNGS, Processor
from cmaketool.verify import tap
from cmaketool.verify.judge import Judge
from cmaketool.verify.model import Verdict
from cmaketool.verify.selected import Selected
from cmaketool.verify.selection import Ground, Selection, Trial
from cmaketool.verify.testprograms import Answer
from cmaketool.verify.units import units
from tests.unit.manifests import planned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cmaketool.plan import Plan
    from cmaketool.verify.model import Finding

MANIFEST = """\
schema: 1
name: pick
options:
  AES: {help: AES}
  SHA: {help: hashes}
kernels:
  aes_arm: {option: AES, architecture: arm64, features: [aes], sources: [a.c], symbols: [seal_arm, open_arm]}
  sha_arm: {option: SHA, architecture: arm64, features: [sha2], sources: [b.c], symbols: [sha_arm]}
families:
  aes:
    functions: ["void seal(unsigned char *block)", "void open(unsigned char *block)"]
    headers: [pick.h]
    variants:
      - {name: arm, kernel: aes_arm}
      - {name: portable, sources: [c.c]}
  sha:
    functions: ["void sha(unsigned char *block)"]
    headers: [pick.h]
    variants:
      - {name: arm, kernel: sha_arm}
      - {name: portable, sources: [c.c]}
tests:
  kat: {sources: [d.c]}
"""
EVERYTHING = frozenset({"aes", "pmull", "sha1", "sha2", "sha512", "sha3"})
GROUND = Ground(
    "arm64", (Processor(name="max", features=EVERYTHING),), "unicorn", any_hwcap=True, can_forbid=True
)
BUILT = frozenset({"aes_arm", "sha_arm"})


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return planned(tmp_path_factory.mktemp("pick"), MANIFEST, {f"{letter}.c": "" for letter in "abcd"})


def honest(plan: Plan, trial: Trial) -> str:
    """What a test of a right library prints."""
    override = trial.circumstances.override
    chosen = {family: f"{family}={variant}" for family, variant in trial.chosen.items()}
    calls = [
        f"{function}_{variant.name}={int(trial.chosen[family.name] == variant.name)}"
        for family in plan.families
        for function in family.functions
        for variant in family.variants
    ]
    lines = {
        "compiled": "aes_arm sha_arm",
        "detected": " ".join(trial.detected) or "none",
        "override": f'applied "{override}"' if override else "unset",
        "features": " ".join(trial.features) or "none",
        "policy": "none",
        "selected": " ".join(chosen.values()),
        "calls": " ".join(calls),
    }
    report = "".join(f"# pick: {name}: {text}\n" for name, text in lines.items())
    return f"ok 1 - aes dispatch 1 vectors\nok 2 - sha dispatch 1 vectors\n1..2\n{report}"


class Library:
    """Stands for the programs of a state: prints what `tampered` makes of the honest output."""

    def __init__(
        self, plan: Plan, tampered: Callable[[Trial, str], str | int] = lambda _, text: text
    ) -> None:
        self._plan, self._tampered = plan, tampered
        self.trials: list[str] = []

    def run(self, _: str, __: Path, variant: str, trial: Trial, *, libraries: Sequence[Path]) -> Answer:
        assert not libraries
        assert variant == "dispatch"
        self.trials.append(trial.name)
        made = self._tampered(trial, honest(self._plan, trial))
        text, code = (made, 0) if isinstance(made, str) else ("", made)
        errors = "" if isinstance(made, str) else "unicorn_aarch64: aese at pc 0x1 in seal_arm"
        result = Result(("t",), code, text, errors, 0.1, timed_out=False)
        return Answer(variant, result, tap.parse(text), f"run {trial.name}")


class Programs:
    """Stands for the tests of a state: one, which calls `functions`."""

    libraries = ()

    def __init__(self, functions: Iterable[str] = ("seal", "open", "sha"), *, built: bool = True) -> None:
        self._functions, self._built = frozenset(functions), built

    def referring(self, symbols: Iterable[str]) -> tuple[str, ...]:
        return ("kat",) if self._functions & set(symbols) else ()

    def program(self, test: str) -> Path:
        return Path(test)

    def unbuilt(self, tests: Sequence[str]) -> list[str]:
        return [] if self._built else list(tests)

    def hindrance(self, *_: object) -> str:
        return ""

    def about(self, _: object) -> str:
        return "undefined reference to seal"


def spread(works: Sequence[Callable[[], object]]) -> None:
    for work in works:
        work()


def judged(
    plan: Plan,
    library: Library,
    tests: Programs | None = None,
    *,
    full: bool = True,
    ground: Ground = GROUND,
    judge: Judge | None = None,
) -> dict[str, list[Finding]]:
    """Return the findings of the rung by unit."""
    judge = judge or Judge("leg", "fresh ON", "run", ALL_RUNGS)
    selection = Selection(plan, catalogue.load(), ground)
    selected = Selected(
        plan, selection, cast("Any", tests or Programs()), cast("Any", library), built=BUILT, spread=spread
    )
    selected.judge(judge, units(plan), full=full)
    found: dict[str, list[Finding]] = {}
    for finding in (one for one in judge.findings if one.rung == "selected"):
        found.setdefault(str(finding.kernel), []).append(finding)
    return found


def failed(found: dict[str, list[Finding]]) -> dict[str, str]:
    return {name: one.reason for name, given in found.items() for one in given if one.verdict is Verdict.FAIL}


def test_an_honest_library_passes(plan: Plan) -> None:
    library = Library(plan)
    found = judged(plan, library)
    assert {one.verdict for given in found.values() for one in given} == {Verdict.PASS}
    assert list(found) == ["aes_arm", "sha_arm", "aes/portable", "sha/portable"]
    assert len(set(library.trials)) == 1 + 3 + 1 + 3 + 1


def test_in_other_states_there_is_one_run(plan: Plan) -> None:
    library = Library(plan)
    found = judged(plan, library, full=False)
    assert set(library.trials) == {"on max"}
    assert {name: given[0].verdict for name, given in found.items()} == {
        "aes_arm": Verdict.PASS,
        "sha_arm": Verdict.PASS,
        "aes/portable": Verdict.NOT_SHOWN,
        "sha/portable": Verdict.NOT_SHOWN,
    }


def replaced(old: str, new: str, *, where: str = "on max") -> Callable[[Trial, str], str]:
    def tamper(trial: Trial, text: str) -> str:
        if trial.name != where:
            return text
        assert old in text
        return text.replace(old, new)

    return tamper


NO_AES = "with PICK_CPU_FEATURES=-aes"


@pytest.mark.parametrize(
    ("tamper", "guilty", "words"),
    [
        (replaced("ok 1 - aes", "not ok 1 - aes"), ["aes_arm"], "wrong answer: aes dispatch"),
        (replaced("ok 1 - aes", "not ok 1 - aes", where=NO_AES), ["aes/portable"], "wrong answer: aes"),
        (replaced("aes dispatch", "aes arm"), ["aes_arm"], "is of variant arm, not dispatch"),
        (replaced("compiled: aes_arm ", "compiled: "), ["aes_arm"], "compiled is said to be 'sha_arm'"),
        (replaced("detected: aes ", "detected: "), ["aes_arm"], "detected is said to be"),
        (replaced("override: unset", 'override: applied "x"'), None, "override is said to be applied"),
        (replaced('applied "-aes"', "unset", where=NO_AES), ["aes_arm"], "not applied"),
        (replaced("features: sha1", "features: aes sha1", where=NO_AES), ["aes_arm"], "features is said"),
        (replaced("policy: none", "policy: fast"), None, "policy is said to be 'fast', not 'none'"),
        (replaced("aes=arm", "aes=portable"), ["aes_arm"], "aes is to be arm, and is said to be portable"),
        (
            replaced("aes=portable", "aes=arm", where=NO_AES),
            ["aes_arm", "aes/portable"],
            "aes is to be portable, and is said to be arm",
        ),
        (replaced("aes=arm ", ""), ["aes_arm"], "is said to be nothing"),
        (
            replaced("seal_arm=1", "seal_arm=0"),
            ["aes_arm"],
            "on max: no test called seal so that it came to seal_arm",
        ),
        (replaced("open_arm=1 ", ""), ["aes_arm"], "on max: no test called open so that it came to open_arm"),
        (replaced("open_portable=0", "open_portable=2"), ["aes_arm"], "and open_portable was called"),
        (
            replaced("open_arm=0", "open_arm=2", where=NO_AES),
            ["aes_arm", "aes/portable"],
            "aes is to be portable, and open_arm was called",
        ),
        (replaced("# pick: calls", "# pock: calls"), ["aes_arm", "sha_arm"], "the report lacks calls"),
        (replaced("# pick", "# pock"), ["aes_arm", "sha_arm"], "PICK_DISPATCH_COUNT"),
    ],
)
def test_each_witness(
    plan: Plan, tamper: Callable[[Trial, str], str], guilty: list[str] | None, words: str
) -> None:
    found = failed(judged(plan, Library(plan, tamper)))
    everyone = ["aes_arm", "sha_arm", "aes/portable", "sha/portable"]
    assert list(found) == (everyone if guilty is None else guilty)
    assert all(words in reason for reason in found.values()), found
    where = NO_AES if any(NO_AES in reason for reason in found.values()) else "on max"
    assert all(where in reason for reason in found.values()), found


def test_an_instruction_that_is_forbidden(plan: Plan) -> None:
    """The program breaks off and cannot say more: those answer that may have met what is not there."""
    where = "without aes pmull in the capability word"
    found = judged(plan, Library(plan, lambda trial, text: 125 if trial.name == where else text))
    reasons = failed(found)
    assert list(reasons) == ["aes_arm", "aes/portable"]
    said = "the test ended with 125: unicorn_aarch64: aese at pc 0x1 in seal_arm"
    assert set(reasons.values()) == {f"kat {where}: {said}"}
    (fault,) = found["aes_arm"]
    assert fault.command == f"run {where}"
    assert "aese" in fault.detail


def test_a_test_that_calls_no_dispatcher(plan: Plan) -> None:
    found = failed(judged(plan, Library(plan), Programs(["sha"])))
    assert list(found) == ["aes_arm", "aes/portable"]
    assert "no test calls seal, open: one must, when run with --variant dispatch" in found["aes_arm"]
    found = failed(judged(plan, Library(plan), Programs(built=False)))
    assert found["sha_arm"] == "the test kat does not build"


def test_every_family_is_called(plan: Plan) -> None:
    """A kernel of two families, one of which no test calls."""
    aes, sha = plan.families
    both = sha._replace(variants=(sha.variants[0]._replace(kernel="aes_arm"), sha.variants[1]))
    shared = plan._replace(families=(aes, both))
    found = failed(judged(shared, Library(shared), Programs(["seal", "open"])))
    assert found["aes_arm"] == "no test calls sha: one must, when run with --variant dispatch"


def test_who_failed_before_answers_alone(plan: Plan) -> None:
    """What is said of its names is told of it already."""
    tamper = replaced("compiled: aes_arm ", "compiled: ")
    judge = Judge("leg", "fresh ON", "run", ALL_RUNGS)
    judge.say("aes_arm", "flags", Verdict.FAIL, "PICK_KERNEL_AES_ARM is not defined")
    assert failed(judged(plan, Library(plan, tamper), judge=judge)) == {}
    assert judge.findings[1].reason == "flags failed before it"


def test_an_unknown_cpu_is_not_run(plan: Plan) -> None:
    ground = Ground("arm64", (Processor(name="host"),), "native", any_hwcap=False, can_forbid=False)
    found = judged(plan, Library(plan), ground=ground)
    assert {given[0].verdict for given in found.values()} == {Verdict.NOT_RUN}
    assert found["aes_arm"][0].reason == "what features host has is not known"


def test_a_cpu_without_the_feature(plan: Plan) -> None:
    a53 = GROUND._replace(processors=(Processor(name="a53", features=frozenset({"sha1", "sha2"})),))
    found = judged(plan, Library(plan), ground=a53)
    assert [(one.verdict, one.reason) for one in found["aes_arm"]] == [
        (Verdict.NOT_RUN, "aes: arm needs aes, not to be had on a53"),
        (Verdict.NOT_SHOWN, "in this state nothing chooses it"),
    ]
    assert found["sha_arm"][0].verdict is Verdict.PASS


def test_a_family_without_a_dispatcher(plan: Plan) -> None:
    bare = plan._replace(families=tuple(one._replace(prototypes=()) for one in plan.families))
    library = Library(bare)
    found = judged(bare, library)
    assert {given[0].verdict for given in found.values()} == {Verdict.NOT_SHOWN}
    assert library.trials == []


def test_a_crash_for_another_reason(plan: Plan) -> None:
    found = failed(judged(plan, Library(plan, lambda trial, text: -11 if trial.name == "on max" else text)))
    assert list(found) == ["aes_arm", "sha_arm"]
    assert found["sha_arm"].startswith("kat on max: the test ended with -11")
