"""One option that only cl for ARM64 may have: there all four sources, elsewhere a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool import toolchains
from cmaketool.diagnostics import ExitCode
from tests.build.verify_support import MANIFESTS, run
from tests.support import leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

MANIFEST = MANIFESTS / "seeds" / "kernels.yml"
MSVC = ("msvc-model-arm64", "msvc-model-arm64ec")
# What is most like them; the others are as little to be had, and wait for the night.
NEAREST = ("clang-cl-arm64", "clang-windows-msvc-arm64", "msvc-model-x64")
OTHERS = tuple(leg.name for leg in toolchains.legs() if leg.name not in {*MSVC, *NEAREST})


@pytest.fixture(autouse=True)
def _stand_ins() -> None:
    for program in ("clang-19", "lld-link-19", "llvm-lib-19"):
        require_tool(program)


def test_cl_builds_all_four() -> None:
    outcome = run(MANIFEST, toolchains=MSVC, until="objects", require=True)
    assert outcome.code is ExitCode.OK, outcome.findings
    for leg in outcome.legs:
        states = {state.name: state.expected for state in leg.states}
        names = "aes_intrinsics, ghash_intrinsics, sha256_intrinsics, sha512_intrinsics"
        assert states["fresh ON"] == f"builds {names}"
        assert not leg.unproven
        for kernel in leg.kernels:
            assert set(kernel.rungs.values()) == {outcome.legs[0].verdict}, kernel


def test_clang_for_windows_and_x64_refuse() -> None:
    refuses(NEAREST)


@pytest.mark.nightly
def test_everyone_else_refuses(tmp_path: Path) -> None:
    for name in OTHERS:
        leg_or_skip(name, tmp_path / name)
    refuses(OTHERS)


def refuses(legs: tuple[str, ...]) -> None:
    outcome = run(MANIFEST, toolchains=legs, until="configure", expect_refused=True, require=True)
    assert outcome.code is ExitCode.OK, outcome.findings
    assert [leg.name for leg in outcome.legs] == [*legs]
    for leg in outcome.legs:
        on = next(state for state in leg.states if state.name == "fresh ON")
        assert on.expected == "refused: WOLFSSL_ARMASM_INTRINSICS"
