"""Which flags a kernel is to have, and whether those on its sources reach its slice alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cmaketool import catalogue, manifest, plan
from cmaketool.toolchains.model import Facts
from cmaketool.verify.fileapi import Source
from cmaketool.verify.sliceflags import Flag, misplaced, placed, wanted
from tests.support import ROOT

MANIFEST = ROOT / "tests" / "manifests" / "slices" / "kernels.yml"
BOTH = Facts(
    architectures=("arm64", "x86_64"),
    family="appleclang",
    features_by_slice={"arm64": ("aes",), "x86_64": ()},
)
X86 = Facts(architectures=("x86_64",), family="appleclang")
AES, EXTRA = Flag("x86_64", "-maes"), Flag("arm64", "-fno-vectorize")


def of(name: str, facts: Facts) -> tuple[Flag, ...]:
    planned = plan.resolve(manifest.load(MANIFEST), catalogue.load())
    return wanted(next(kernel for kernel in planned.kernels if kernel.name == name), facts)


def test_flags_for_features_that_a_slice_has_are_left_out() -> None:
    assert of("mix_arm64", BOTH) == (EXTRA,)
    assert of("mix_x86", BOTH) == (AES,)
    assert of("mix_x86", X86) == (Flag("", "-maes"),)
    assert of("mix_x86", BOTH.model_copy(update={"features_by_slice": {"x86_64": ("aes",)}})) == ()


@pytest.mark.parametrize(
    ("words", "there", "strays"),
    [
        ("-O2 -Xarch_x86_64 -maes -Wall", True, []),
        ("-Xarch_x86_64 -mavx -maes", True, [Flag("", "-maes")]),
        ("-Xarch_arm64 -maes", False, [Flag("arm64", "-maes")]),
        ("-Xarch_x86_64 -mavx", False, []),
    ],
)
def test_where_a_flag_stands(words: str, there: bool, strays: list[Flag]) -> None:
    has = placed(Source(Path("a.c"), True, fragments=(words,)))
    assert AES.is_among(has) is there
    assert misplaced(has, [AES], BOTH) == strays
    assert misplaced(has, [AES], X86) == []
