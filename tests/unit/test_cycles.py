"""The cycle model's own parts: yardsticks, loops found in traces, repairs, verdicts."""

from __future__ import annotations

import pytest

from benchmarks.cycles import loops, repairs, results, tools, yardsticks

GIVEN = yardsticks.load()
ROWS = {row.name: row for row in GIVEN.rows}


def measured(name: str, instructions: float, *cycles: float | None) -> results.Measured:
    return results.Measured(ROWS[name], "gcc-12", GIVEN.columns, instructions, cycles, 1.0)


@pytest.mark.parametrize(
    ("one", "state", "passes"),
    [
        pytest.param(measured("AES-CTR", 2.19, 0.88, 0.29, 0.28), "at target", ["neoverse-n1"], id="target"),
        pytest.param(measured("AES-CTR", 2.29, 0.88, 0.29, 0.28), "within", ["neoverse-n1"], id="count"),
        pytest.param(measured("AES-CTR", 2.19, 9.99, 0.29, 0.28), "within", [], id="cycles"),
        pytest.param(measured("AES-CTR", 2.31, 0.91, 0.28, 0.27), "OUTSIDE", [], id="count-outside"),
        pytest.param(measured("GHASH", 9.99, 0.37, 0.17, 0.17), "within", [], id="accepted-by-cycles"),
        pytest.param(measured("GHASH", 0.72, 0.33, 0.15, 0.18), "OUTSIDE", [], id="one-column-outside"),
        pytest.param(measured("SHA-512", 3.6, None, 1.893, 2.2), "at target", [], id="no-such-cpu"),
        pytest.param(measured("ChaCha20", 99.0, 2.19, 1.34, 1.24), "within", [], id="parity-is-not-better"),
        pytest.param(
            measured("ChaCha20", 99.0, 2.18, 1.33, 1.23), "at target", [*GIVEN.columns], id="better"
        ),
    ],
)
def test_verdicts(one: results.Measured, state: str, passes: list[str]) -> None:
    assert (one.state, one.passes) == (state, passes)
    assert bool(one.misses) == (state == "OUTSIDE")


def test_what_is_outside_is_named_with_its_limit() -> None:
    assert measured("GHASH", 0.72, 0.33, 0.15, 0.18).misses == ["cycles on oryon-1: 0.18 > 0.17"]


def test_the_table_has_every_row_and_number() -> None:
    text = results.table([measured("SHA-512", 3.6, None, 1.89, 2.2)], GIVEN.columns)
    assert "3.60 (20.00, 3.52, 3.60)" in text
    assert "2.20 (2.20, 2.20, 2.20)" in text


def test_a_yardstick_without_a_number_for_each_column_is_refused() -> None:
    row = GIVEN.rows[0].model_dump()
    row["cycles"]["bound"] = (1.0,)
    with pytest.raises(ValueError, match="one bound and one assembly for each"):
        yardsticks.Yardsticks(message=16, columns=GIVEN.columns, rows=(row,))


CODE = {
    **dict.fromkeys(range(0, 64, 4), ("add", "x0, x0, x1")),
    12: ("b.ne", "0x8"),
    24: ("bl", "0x28"),
    28: ("cbnz", "x3, 0x4"),
    44: ("ret", ""),
    60: ("b.ne", "0x30"),
}
INNER, CALLING, CALLED, CLOSING, OTHER = (8, 8), (16, 12), (40, 8), (28, 4), (48, 16)
BEGIN: tuple[int, int] = (4, 4)


def trace(messages: int, *, other: int = 0) -> loops.Trace:
    """Ten passes a message: two of an inner loop, a call, the branch that closes; then another loop."""
    blocks = [(0, 4)]
    for _ in range(messages):
        blocks += 10 * [BEGIN, INNER, INNER, CALLING, CALLED, CLOSING] + other * [OTHER]
    return loops.Trace(blocks, sum(size for _, size in blocks) // 4)


def test_the_outermost_loop_is_found_with_what_it_calls() -> None:
    (loop,) = loops.find(CODE, trace(1), trace(3), 2)
    assert (loop.passes, loop.share) == (10, 1.0)
    assert loop.lines == (
        *["add x0, x0, x1"] * 2, "b.ne #8", "add x0, x0, x1", "b.ne #8",
        *["add x0, x0, x1"] * 2, "b #8", "add x0, x0, x1", "b #8",
    )  # fmt: skip


def test_two_passes_over_data_are_two_loops() -> None:
    found = loops.find(CODE, trace(1, other=30), trace(3, other=30), 2)
    assert sorted(loop.passes for loop in found) == [10, 30]
    assert sum(loop.share for loop in found) == pytest.approx(1)


def test_work_outside_of_loops_is_an_error() -> None:
    once = [(8 * at, 8) for at in range(1000, 1100)]
    several = loops.Trace(trace(3).blocks + once, trace(3).instructions + 200)
    with pytest.raises(tools.CyclesError, match="not all of the work"):
        loops.find(CODE, trace(1), several, 2)


@pytest.mark.parametrize(
    ("line", "everywhere", "oryon"),
    [
        ("ldr q0, [x1], #0x10", ["ldr q0, [x1]", "add x1, x1, #16"], None),
        ("st1 { v0.16b }, [x1], x2", ["st1 { v0.16b }, [x1]", "adc x1, x1, x2"], None),
        ("stp q0, q1, [x1, #-0x20]!", ["sub x1, x1, #32", "stp q0, q1, [x1]"], None),
        ("ldr x0, [x1], #0x8", ["ldr x0, [x1]", "add x1, x1, #8"], ["ldur x0, [x1, #0]", "add x1, x1, #8"]),
        ("eor x0, x1, x2", ["eor x0, x1, x2"], ["adc x0, x1, x2"]),
        ("eor x0, x1, x2, ror #3", ["eor x0, x1, x2, ror #3"], None),
        ("eor x0, x1, #0x3", ["eor x0, x1, #0x3"], None),
        ("eor v0.16b, v1.16b, v2.16b", ["eor v0.16b, v1.16b, v2.16b"], None),
        ("subs x0, x1, x2", ["subs x0, x1, x2"], ["adcs x0, x1, x2"]),
        ("cmp x0, x1", ["cmp x0, x1"], ["cmp x0, #1"]),
        ("mov w0, wzr", ["mov w0, wzr"], ["adc w0, wzr, wzr"]),
        ("ldur w3, [x3, #-0x4]", ["ldur w3, [x3, #-0x4]"], ["ldur x3, [x3, #-4]"]),
        ("mov d0, v1.d[1]", ["mov d0, v1.d[1]"], ["dup v0.2d, v1.d[1]"]),
    ],
)
def test_repairs(line: str, everywhere: list[str], oryon: list[str] | None) -> None:
    assert repairs.repaired("neoverse-v2", [line]) == everywhere
    assert repairs.repaired("oryon-1", [line]) == (oryon or everywhere)


def test_only_a_round_and_its_mixing_in_one_register_are_fused() -> None:
    aese, aesmc = "aese v0.16b, v1.16b", "aesmc v0.16b, v0.16b"
    aesd, aesimc = "aesd v0.16b, v1.16b", "aesimc v0.16b, v0.16b"
    assert repairs.fused([aese, aesmc, aesd, aesimc]) == [aese, aesd]
    for apart in (
        [aese, aesimc],
        [aesd, aesmc],
        [aese, "aesmc v2.16b, v0.16b"],
        [aese, "add x0, x0, #1", aesmc],
    ):
        assert repairs.fused(apart) == apart
    assert repairs.fused([aese, aesmc, aesmc]) == [aese, aesmc]
