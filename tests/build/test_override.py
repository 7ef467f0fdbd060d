"""The environment variable: what each text comes to, by the rules written down once more in Python."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.build.worlds import Answer, Decision, Program, Worlds, bits, decode, planned, shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

pytestmark = pytest.mark.build

UNSET, APPLIED, MALFORMED, SET_ID, UNAVAILABLE = range(5)  # pol_cpu_override
VARIABLE = "POL_CPU_FEATURES"
APPLE = 0x611F0221
CPUID_READABLE = 1 << 11
HWCAP = {"aes": 3, "pmull": 4, "sha1": 5, "sha2": 6, "sha3": 17, "sha512": 21}
LONGEST = 255


# The rules


class Known(NamedTuple):
    """What an instruction set's words may be."""

    implies: dict[str, set[str]]  # of each feature, all of it
    policies: dict[str, set[str]]  # and the features that they need

    @classmethod
    def of(cls, isa: str) -> Known:
        cpu = planned().cpu
        assert cpu is not None
        return cls(
            {one.name: set(one.implies) for one in cpu.features if one.isa == isa},
            {one.name: set(one.features) for one in cpu.policies if one.isa == isa},
        )

    def closed(self, names: Iterable[str]) -> set[str]:
        """Return those features whose implied ones are all there."""
        given = set(names)
        return {name for name in given if self.implies[name] <= given}

    def with_policies(self, features: set[str], policies: Iterable[str]) -> set[str]:
        return features | {name for name in policies if self.policies[name] <= features}


def decided(known: Known, text: bytes | None, detected: set[str]) -> tuple[int, set[str]]:
    """Return what becomes of a text, and the names that stand then. `detected` holds policies too."""
    if text is None or not text.strip(b" \t"):
        return UNSET, detected
    items = [item.strip(b" \t").decode("latin-1") for item in text.split(b",")]
    items = ["".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in item) for item in items]
    plain = {item for item in items if item[:1] not in {"+", "-"}}
    taken = {item[1:] for item in items if item[:1] == "-"}
    added = {item[1:] for item in items if item[:1] == "+"}
    wrong = (
        len(text) > LONGEST
        or not plain <= {"none", *known.implies}
        or ("none" in plain and len(plain) > 1)
        or not taken <= {*known.implies, *known.policies}
        or not added <= {*known.policies}
    )
    if wrong:
        return MALFORMED, detected
    features = detected & {*known.implies}
    if plain:
        named = plain - {"none"}
        features &= named.union(*(known.implies[name] for name in named))
    features = known.closed(features - taken)
    policies = detected & {*known.policies} | added
    return APPLIED, known.with_policies(features, policies - taken)


# Texts, in the order of case B53, and some more


class Row(NamedTuple):
    """A text and its outcome. `stays` are features; policies follow by the rules."""

    name: str
    text: bytes | None
    override: int
    stays: frozenset[str] | None  # None: all that was detected
    why: str = ""  # a part of what is wrong


def row(name: str, text: bytes | None, override: int, stays: str | None = None, why: str = "") -> Row:
    return Row(name, text, override, None if stays is None else frozenset(stays.split()), why)


SHARED = (
    row("unset", None, UNSET),
    row("empty", b"", UNSET),
    row("blank", b" ", UNSET),
    row("blanks", b" \t ", UNSET),
    row("zero", b"0", MALFORMED, why="'0'"),
    row("none", b"none", APPLIED, ""),
    row("NONE", b" NONE ", APPLIED, ""),
    row("all", b"all", MALFORMED, why="'all'"),
    row("aes-in-capitals", b" AES ", APPLIED, "aes"),
    row("unknown", b"foo", MALFORMED, why="'foo'"),
    row("0x", b"0x", MALFORMED, why="'0x'"),
    row("minus-one", b"-1", MALFORMED, why="1'"),
    row("huge-number", b"99999999999999999999", MALFORMED, why="'99999999999999999999'"),
    row("5000-characters", b"a" * 5000, MALFORMED, why="255"),
    row("256-characters", b"aes," * 63 + b"aes ", MALFORMED, why="255"),
    row("255-characters", b"aes," * 63 + b"aes", APPLIED, "aes"),
    row("plus-aes", b"+aes", MALFORMED, why="only be taken away"),
    row("aes-and-not", b"aes,-aes", APPLIED, ""),
    row("not-and-aes", b"-aes,aes", APPLIED, ""),
    row("none-and-aes", b"none,aes", MALFORMED, why="none"),
    row("aes-and-none", b"aes,none", MALFORMED, why="none"),
    row("none-and-not-aes", b"none,-aes", APPLIED, ""),
    row("a-part-of-a-name", b"ae", MALFORMED, why="'ae'"),
    row("more-than-a-name", b"aess", MALFORMED, why="'aess'"),
    row("semicolon", b"aes;sha2", MALFORMED, why="'aes;sha2'"),
    row("blank-between", b"aes sha2", MALFORMED, why="'aes sha2'"),
    row("comma", b",", MALFORMED, why="empty"),
    row("comma-at-the-end", b"aes,", MALFORMED, why="empty"),
    row("comma-at-the-beginning", b",aes", MALFORMED, why="empty"),
    row("sign-alone", b"-", MALFORMED),
    row("two-signs", b"--aes", MALFORMED),
    row("not-none", b"-none", MALFORMED),
    row("plus-none", b"+none", MALFORMED),
    row("ready-bit", b"ready", MALFORMED, why="'ready'"),
    row("non-ascii", "aès".encode(), MALFORMED, why="'a??s'"),
    row("high-bytes", b"\xff\x80,aes", MALFORMED, why="'??'"),
    row("newline", b"-aes\n", MALFORMED, why="'-aes?'"),
    row("newline-alone", b"\n", MALFORMED, why="'?'"),
    row("control", b"\x1b[31maes", MALFORMED, why="'?[31maes'"),
    row("format", b"%s%n", MALFORMED, why="'%s%n'"),
    row("format-long", b"%s%n%p%x" * 20, MALFORMED, why="%s%n"),
    row("quotes", b'"aes"', MALFORMED, why="'\"aes\"'"),
)  # fmt: skip
ARM64 = (
    *SHARED,
    row("sha3", b"sha3", APPLIED, "sha1 sha2 sha512 sha3"),
    row("empty-item", b"aes,,sha2", MALFORMED, why="empty"),
    row("policy", b"+fast_sha3", APPLIED, "aes pmull sha1 sha2 sha512 sha3"),
    row("no-policy", b"-fast_sha3", APPLIED, "aes pmull sha1 sha2 sha512 sha3"),
    row("policy-without-sign", b"fast_sha3", MALFORMED, why="fast_sha3"),
    row("not-aes", b"-aes", APPLIED, "sha1 sha2 sha512 sha3"),
    row("not-sha2", b"-sha2", APPLIED, "aes pmull sha1"),
    row("neither", b"-AES , -sha2", APPLIED, "sha1"),
    row("a-list-and-a-policy", b"sha3,+fast_sha3", APPLIED, "sha1 sha2 sha512 sha3"),
    row("policy-without-features", b"none,+fast_sha3", APPLIED, ""),
    row("x86", b"pclmul", MALFORMED, why="'pclmul'"),
)
X86 = (
    *SHARED,
    row("sha3", b"sha3", MALFORMED, why="'sha3'"),
    row("empty-item", b"aes,,pclmul", MALFORMED, why="empty"),
    row("policy", b"+odd", APPLIED, "aes pclmul ssse3 sse4.1 avx2 vaes"),
    row("no-policy", b"-wide", APPLIED, "aes pclmul ssse3 sse4.1 avx2 vaes"),
    row("policy-of-arm64", b"+fast_sha3", MALFORMED, why="fast_sha3"),
    row("policy-without-sign", b"wide", MALFORMED, why="wide"),
    row("not-aes", b"-aes", APPLIED, "pclmul ssse3 sse4.1 avx2"),
    row("not-ssse3", b"-ssse3", APPLIED, "aes pclmul"),
    row("a-name-with-a-point", b"SSE4.1", APPLIED, "ssse3 sse4.1"),
    row("a-list", b"vaes", APPLIED, "aes ssse3 sse4.1 avx2 vaes"),
    row("policy-without-features", b"none,+odd", APPLIED, ""),
)


def shown(text: bytes) -> str:
    """Return a text as reports show it."""
    printable = "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in text)
    return printable if len(printable) <= 60 else f"{printable[:60]}..."


def setting(text: bytes | None) -> str:
    return "unset" if text is None else f"env={text.hex()}"


def check_row(isa: str, said: Answer, row: Row, detected: set[str], *, shows_long: bool = True) -> None:
    """Hold the word, the decision, the report and standard error against a row.

    Windows gives nothing of a text that is longer than what there is room for: not `shows_long`.
    """
    known = Known.of(isa)
    override, names = decided(known, row.text, detected)
    features = detected & {*known.implies}
    assert override == row.override
    assert names & {*known.implies} == (features if row.stays is None else features & row.stays)
    (word,), (decision,) = said.words("features"), said.decisions
    assert decode(isa, word) == names
    assert decision == Decision(decision.detected, word, row.override)
    assert decode(isa, decision.detected) == detected
    report = said.report
    assert report["detected"].split() == (ordered(isa, features, known) or ["none"])
    assert report["features"].split() == (ordered(isa, names & {*known.implies}, known) or ["none"])
    assert report["policy"].split() == (ordered(isa, names - {*known.implies}, known) or ["none"])
    text = shown(row.text or b"")
    if not shows_long and len(row.text or b"") > LONGEST + 1:
        text = shown(b"?" * LONGEST)
    if override == MALFORMED:
        found = re.fullmatch(r'ignored "(.*?)": (.+)', report["override"])
        assert found is not None
        assert found[1] == text
        assert row.why in found[2]
        (line,) = said.errors
        assert line.startswith(f'policies: {VARIABLE}="{text}" is ignored: ')
        assert row.why in line
        assert all(" " <= c <= "~" for c in line)
    else:
        assert report["override"] == ("unset" if override == UNSET else f'applied "{text}"')
        assert said.errors == []


def ordered(isa: str, names: set[str], known: Known) -> list[str]:
    return [name for name in (*known.implies, *known.policies) if name in names]


QUESTIONS = ("features", "decide", "report", "report", "features")


def answer(program: Program, *commands: str, runner: Sequence[str] | None = None) -> Answer:
    """Ask for all there is, some of it twice, since what is wrong may be said only once."""
    said = program.ask(*commands, *QUESTIONS, runner=runner)
    first, again = said.words("features")
    assert first == again
    said.lines.remove(f"features={first:x}")
    return said


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return shared(tmp_path_factory.getbasetemp())


def params(rows: Iterable[Row]) -> list[object]:
    return [pytest.param(one, id=f"{one.name}[B53]") for one in rows]


# Real machines


@pytest.mark.parametrize("row", params(X86))
def test_this_machine(worlds: Worlds, row: Row) -> None:
    if sys.platform != "linux":
        pytest.skip("/proc/cpuinfo says what this machine has")
    cpu = planned().cpu
    assert cpu is not None
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    if flags is None:
        pytest.skip("no x86-64 machine")
    known = Known.of("x86_64")
    has = known.closed(
        one.name for one in cpu.features if one.isa == "x86_64" and one.detection.cpuinfo in flags[1].split()
    )
    detected = known.with_policies(has, ["wide"])
    check_row("x86_64", answer(worlds.program("gcc-x86_64", real=True), setting(row.text)), row, detected)


@pytest.mark.parametrize("row", params(ARM64))
@pytest.mark.parametrize("model", ["cortex-a72"])
def test_qemu(worlds: Worlds, model: str, row: Row) -> None:
    program = worlds.program("gcc-arm64", real=True)
    said = answer(program, setting(row.text), runner=("qemu-aarch64", "-cpu", model))
    # Its MIDR is one that the policy `early` lists, and qemu lets it be read.
    check_row("arm64", said, row, {"aes", "pmull", "sha1", "sha2", "early"})


# Machines that have everything


def everything(isa: str) -> tuple[list[str], set[str]]:
    """Return answers of a machine with all features, and what is detected there."""
    if isa == "x86_64":
        leaves = ["cpuid=0,20,0,0,0", "cpuid=1,0,0,1a080202,0", "cpuid=7,0,20,200,0", "xcr0=7"]
        return leaves, {"aes", "pclmul", "ssse3", "sse4.1", "avx2", "vaes", "wide"}
    word = sum(1 << bit for bit in HWCAP.values()) | CPUID_READABLE
    return [f"hwcap={word}", f"midr={APPLE}"], {*HWCAP, "fast_sha3", "trusted"}


@pytest.mark.parametrize(("row"), params(X86))
@pytest.mark.parametrize("system", ["linux", "windows", "cl"])
def test_all_of_x86_64(worlds: Worlds, system: str, row: Row) -> None:
    answers, detected = everything("x86_64")
    program = worlds.program("gcc-x86_64", system)
    shows_long = system == "linux"
    check_row("x86_64", answer(program, *answers, setting(row.text)), row, detected, shows_long=shows_long)


@pytest.mark.parametrize("row", params(ARM64))
def test_all_of_arm64(worlds: Worlds, row: Row) -> None:
    answers, detected = everything("arm64")
    program = worlds.program("gcc-arm64", "linux", '-DPOL_CPU_SYSFS="tree"')
    check_row("arm64", answer(program, *answers, setting(row.text)), row, detected)


@pytest.mark.parametrize("case", [pytest.param("names that are known", id="B53")])
def test_the_message_names_what_is_known(worlds: Worlds, case: str) -> None:
    answers, _ = everything("arm64")
    program = worlds.program("gcc-arm64", "linux", '-DPOL_CPU_SYSFS="tree"')
    (line,) = program.ask(*answers, setting(b"foo"), "features").errors
    assert line == (
        f"policies: {VARIABLE}=\"foo\" is ignored: 'foo' is neither a feature nor a policy; "
        "known: aes pmull sha1 sha2 sha512 sha3 fast_sha3 early trusted"
    )


# Any text

KNOWN = (*HWCAP, "fast_sha3", "early", "trusted", "none")
ANY = (*KNOWN, "all", "foo", "", "AES", "Sha2", "\xe9", "aes2", "x" * 90)


def texts() -> st.SearchStrategy[bytes]:
    blank = st.sampled_from(["", "", " ", "\t", "  "])
    sign = st.sampled_from(["", "", "-", "-", "+", "+-"])
    known = st.builds("{}{}{}{}".format, blank, sign, st.sampled_from(KNOWN), blank)
    item = st.builds("{}{}{}{}".format, blank, sign, st.sampled_from(ANY), blank)
    lists = st.lists(known, min_size=1, max_size=5) | st.lists(item, max_size=9)
    raw = st.binary(max_size=300).map(lambda data: data.replace(b"\0", b""))
    return lists.map(lambda items: ",".join(items).encode("latin-1")) | raw


def machines() -> st.SearchStrategy[tuple[int, int]]:
    words = st.sets(st.sampled_from(sorted(HWCAP))).map(lambda names: sum(1 << HWCAP[name] for name in names))
    full = st.just(sum(1 << bit for bit in HWCAP.values()))
    return st.tuples(
        (full | words).map(lambda word: word | CPUID_READABLE),
        st.sampled_from([APPLE, 0x411FD0C1, 0x531F0020]),
    )


def detected_by(known: Known, word: int, core: int) -> set[str]:
    features = known.closed(name for name, bit in HWCAP.items() if word >> bit & 1)
    policy = {APPLE: ["fast_sha3", "trusted"], 0x411FD0C1: ["early", "trusted"], 0x531F0020: []}[core]
    return known.with_policies(features, policy)


@pytest.mark.parametrize("case", [pytest.param("any text", id="B53")])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(machines(), texts()), min_size=20, max_size=100))
def test_never_more_than_was_detected(
    worlds: Worlds, case: str, rows: list[tuple[tuple[int, int], bytes]]
) -> None:
    program = worlds.program("gcc-arm64", "linux", '-DPOL_CPU_SYSFS="tree"')
    lines = [
        line
        for (word, core), text in rows
        for line in (f"hwcap={word}", f"midr={core}", setting(text), "decide")
    ]
    said = program.ask("-", text="".join(f"{line}\n" for line in lines))
    known = Known.of("arm64")
    numbers = bits("arm64")
    assert said.errors == []  # deciding prints nothing
    assert len(said.decisions) == len(rows)
    for ((word, core), text), decision in zip(rows, said.decisions, strict=True):
        detected = detected_by(known, word, core)
        assert decode("arm64", decision.detected) == detected, (text, word)
        assert (decision.override, decode("arm64", decision.decided)) == decided(known, text, detected), text
        capabilities = sum(1 << numbers[name] for name in known.implies)
        assert decision.decided & capabilities & ~decision.detected == 0


# Programs with another user's rights

SETUID = [
    pytest.param("gcc-arm64", "linux", "secure=1", id="arm64-linux[B52]"),
    pytest.param("gcc-x86_64", "linux", "secure=1", id="x86_64-linux[B52]"),
    pytest.param("gcc-x86_64", "android", "secure=1", id="x86_64-android[B52]"),
    pytest.param("clang-arm64", "apple", "setugid=1", id="arm64-apple[B52]"),
    pytest.param("clang-x86_64", "apple", "setugid=1", id="x86_64-apple[B52]"),
    pytest.param("clang-arm64", "freebsd", "setugid=1", id="arm64-freebsd[B52]"),
    pytest.param("clang-x86_64", "freebsd", "setugid=1", id="x86_64-freebsd[B52]"),
    pytest.param("clang-arm64", "openbsd", "setugid=1", id="arm64-openbsd[B52]"),
]


def full(isa: str, system: str) -> list[str]:
    if isa == "arm64" and system == "apple":
        return [f"sysctl=hw.optional.arm.FEAT_{name},4,1" for name in ("SHA512", "SHA3")]
    return everything(isa)[0]


@pytest.mark.parametrize("text", [b"-aes", b"none", b"foo"])
@pytest.mark.parametrize(("compiler", "system", "privileged"), SETUID)
def test_set_id_programs(worlds: Worlds, compiler: str, system: str, privileged: str, text: bytes) -> None:
    program = worlds.program(compiler, system)
    answers = full(program.isa, system)
    plain = program.ask(*answers, setting(None), "features").words("features")
    said = program.ask(*answers, privileged, setting(text), "features", "decide", "report")
    assert said.words("features") == plain
    assert said.decisions[0].override == SET_ID
    assert said.report["override"] == "ignored: set-id program"
    assert said.errors == []
    said = program.ask(*answers, setting(b"-aes"), "features", "decide", "report")
    assert said.words("features") != plain
    assert said.decisions[0].override == APPLIED
    assert said.report["override"] == 'applied "-aes"'


@pytest.mark.parametrize(
    ("compiler", "system", "flags"),
    [
        pytest.param("gcc-x86_64", "linux", ("-DPOL_CPU_NO_OVERRIDE",), id="x86_64-linux[B52]"),
        pytest.param("gcc-arm64", "linux", ("-DPOL_CPU_NO_OVERRIDE",), id="arm64-linux[B52]"),
        pytest.param("gcc-x86_64", "windows", ("-DPOL_CPU_NO_OVERRIDE",), id="x86_64-windows[B52]"),
        pytest.param("clang-arm64", "apple", ("-DPOL_CPU_NO_OVERRIDE",), id="arm64-apple[B52]"),
        pytest.param("gcc-x86_64", "unknown", (), id="x86_64-unknown[B52]"),
    ],
)
@pytest.mark.parametrize("text", [b"-aes", b"foo"])
def test_left_out(worlds: Worlds, compiler: str, system: str, flags: tuple[str, ...], text: bytes) -> None:
    program = worlds.program(compiler, system, *flags)
    answers = full(program.isa, system)
    plain = program.ask(*answers, setting(None), "features").words("features")
    said = program.ask(*answers, setting(text), "features", "decide", "report")
    assert said.words("features") == plain
    assert said.decisions[0].override == UNAVAILABLE
    assert said.report["override"] == "unavailable"
    assert said.errors == []
