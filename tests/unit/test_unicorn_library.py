"""unicorn's library as the emulators call it: its numbers, and what becomes of errors."""

from __future__ import annotations

import pytest
from unicorn import arm64_const, unicorn_const

from cmaketool.toolchains import unicorn_library as library

CODE = bytes.fromhex("200080d2 1f2003d5 c0035fd6")  # mov x0, #1; nop; ret
PLACE = 0x10000


def engine() -> library.Engine:
    made = library.Engine()
    made.map(PLACE, 0x1000, 5)
    made.write(PLACE, CODE)
    return made


def test_numbers_are_those_of_the_package() -> None:
    for name, number in library.REGISTERS.items():
        assert getattr(arm64_const, f"UC_ARM64_REG_{name.upper()}") == number, name
    ours = {
        "ARCH_ARM64": library._ARM64, "HOOK_INTR": library._INTERRUPT, "HOOK_INSN": library._INSTRUCTION,
        "HOOK_CODE": library._CODE, "HOOK_BLOCK": library._BLOCK, "HOOK_TLB_FILL": library._TRANSLATION,
        "HOOK_MEM_INVALID": library._INVALID_ACCESS, "CTL_CPU_MODEL": library._CPU_MODEL,
        "CTL_TB_REMOVE_CACHE": library._FORGET_CODE, "CTL_TLB_FLUSH": library._FORGET_TRANSLATIONS,
        "CTL_TLB_TYPE": library._TRANSLATES, "TLB_VIRTUAL": library._BY_HOOK, "MODE_ARM": library._NO_MODE,
        "MEM_READ": library.READ, "MEM_WRITE": library.WRITE, "MEM_FETCH": library.FETCH, "CTL_IO_WRITE": 1,
    }  # fmt: skip
    assert {name: getattr(unicorn_const, f"UC_{name}") for name in ours} == ours
    assert (arm64_const.UC_CPU_ARM64_MAX, arm64_const.UC_ARM64_INS_MRS) == (library._NEWEST, library._MRS)


def test_it_runs_and_stops_where_it_should() -> None:
    made = engine()
    seen: list[int] = []
    made.on_code(PLACE + 4, PLACE + 8, seen.append)
    made.set_register("lr", PLACE + 0x100)
    made.start(PLACE, PLACE + 0x100)
    assert (made.register("x0"), made.register("pc"), seen) == (1, PLACE + 0x100, [PLACE + 4, PLACE + 8])
    assert list(made.regions()) == [(PLACE, PLACE + 0xFFF, 5)]
    assert made.read(PLACE, len(CODE)) == CODE


def test_what_a_hook_raises_comes_out() -> None:
    made = engine()

    def fail(address: int, size: int) -> None:
        raise KeyError(address, size)

    made.on_block(fail)
    with pytest.raises(KeyError, match=str(PLACE)):
        made.start(PLACE, PLACE + 0x100)


def test_what_the_library_refuses_has_its_words() -> None:
    made = engine()
    with pytest.raises(library.UnicornError, match="READ_UNMAPPED"):
        made.read(0, 1)
    with pytest.raises(library.UnicornError, match="map"):
        made.map(PLACE, 0x1000, 5)
