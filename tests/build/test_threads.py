"""The word is filled by whoever comes first, or by several at once, and is the same for all."""

from __future__ import annotations

import pytest

from tests.build.worlds import Answer, Program, Worlds, shared

pytestmark = pytest.mark.build

THREADS = 8
SANITIZER = "-fsanitize=thread"
ALL = ("cpuid=0,20,0,0,0", "cpuid=1,0,0,1a080202,0", "cpuid=7,0,20,200,0", "xcr0=7")
CALLS = "ghash=x86 digest=avx2 sha3=portable,portable first=portable blocks=vaes"


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return shared(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def sanitized(worlds: Worlds) -> Program:
    return worlds.program("gcc-x86_64", "linux", SANITIZER, static=False)


@pytest.fixture(scope="module")
def counted(worlds: Worlds) -> Program:
    """The same with counters of calls, as test builds have them."""
    return worlds.program("gcc-x86_64", "linux", SANITIZER, "-DPOL_DISPATCH_COUNT", static=False)


def race(program: Program, *commands: str) -> Answer:
    """Let threads ask at once. A data race would be told on standard error, and by the exit code."""
    said = program.ask(*commands, f"race={THREADS}", environment={"TSAN_OPTIONS": "exitcode=66"})
    assert len([line for line in said.lines if line.startswith("race ")]) == THREADS
    return said


@pytest.mark.parametrize("attempt", [pytest.param(number, id=f"{number}[B51]") for number in range(10)])
def test_the_first_calls_at_once(sanitized: Program, attempt: int) -> None:
    (expected,) = sanitized.ask(*ALL, "fill").words("fill")
    said = race(sanitized, *ALL)
    assert said.errors == []
    assert {line for line in said.lines if line.startswith("race ")} == {
        f"race features={expected:x} {CALLS}"
    }
    assert said.report["features"] == "aes pclmul ssse3 sse4.1 avx2 vaes"


@pytest.mark.parametrize("case", [pytest.param("portable only", id="B51")])
def test_threads_without_features(sanitized: Program, case: str) -> None:
    said = race(sanitized, "env=" + b"none".hex())
    portable = "ghash=portable digest=portable sha3=portable,portable first=portable blocks=portable"
    assert {line for line in said.lines if line.startswith("race ")} == {f"race features=1 {portable}"}


@pytest.mark.parametrize("attempt", [pytest.param(number, id=f"{number}[B51]") for number in range(10)])
def test_what_is_wrong_is_said_once(sanitized: Program, attempt: int) -> None:
    said = race(sanitized, *ALL, "env=" + b"foo".hex())
    (line,) = said.errors
    assert "'foo'" in line
    assert said.report["override"].startswith('ignored "foo"')
    assert CALLS in said.lines[0]


@pytest.mark.parametrize("case", [pytest.param("counters", id="B51")])
def test_counters(counted: Program, case: str) -> None:
    said = race(counted, *ALL)
    assert said.errors == []
    (line,) = (line for line in said.lines if line.startswith("# policies: calls: "))
    counts = dict(word.split("=") for word in line.split(": ")[2].split())
    called = (
        "pol_ghash_x86",
        "pol_digest_avx2",
        "pol_blocks_vaes",
        "pol_sha3_portable",
        "pol_sha3_blocks_portable",
    )
    assert {name for name, count in counts.items() if count != "0"} == {*called, "pol_first_portable"}
    assert {counts[name] for name in called} == {str(THREADS)}


@pytest.mark.parametrize("case", [pytest.param("before and after", id="B51")])
def test_filling_again_and_deciding_change_nothing(worlds: Worlds, case: str) -> None:
    program = worlds.program("gcc-x86_64")
    foo, less = (f"env={text.hex()}" for text in (b"foo", b"-aes"))
    said = program.ask("word", *ALL, "decide", "word", "features", "word", "fill", "word", "fill", "word")
    empty, still_empty, *words = said.words("word")
    (first,) = said.words("features")
    assert empty == still_empty == 0
    assert {first, *words, *said.words("fill")} == {first}
    said = program.ask(*ALL, "features", less, "decide", "report", foo, "decide", "word", "call", "features")
    assert said.words("features") == [first, first]
    assert said.words("word") == [first]
    assert said.decisions[0].decided != first
    assert said.calls[0]["ghash"] == "x86"
    assert said.errors == []
