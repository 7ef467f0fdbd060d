from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest, names, plan
from tests.support import ROOT
from tests.unit import manifests

if TYPE_CHECKING:
    from pathlib import Path

TWO = """\
schema: 1
name: demo
prefix: Demo
options:
  B: {help: b, requires: {compilers: [gcc, msvc, zig], architectures: [arm64ec, x86_64]}}
  A: {help: a, default: ON, conflicts: [X], definitions: {public: [P], private: [Q=1]}}
kernels:
  z:
    option: B
    architecture: x86_64
    features: [sse4.1, aes]
    sources: [z.c]
    symbols: [z]
    minimum: {gcc: 9.2, msvc: "19.30"}
    flags: {features: true, extra: {gcc: [-O3]}}
  y:
    option: B
    architecture: arm64
    features: [sha3]
    sources: [y.c]
    symbols: [y]
    minimum: {gcc: "7"}
    probe: |
      int extra(void);
  x:
    option: A
    architecture: arm64
    features: [aes, pmull]
    sources: [x.c]
    symbols: [x]
"""
FILES = {"x.c": "", "y.c": "", "z.c": ""}


def test_everything_stands_as_in_the_manifest(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path, TWO, FILES)
    assert [one.name for one in found.options] == ["B", "A"]
    assert [one.name for one in found.kernels] == ["z", "y", "x"]
    assert (found.name, found.prefix, found.upper, found.manifest) == ("demo", "Demo", "DEMO", "kernels.yml")


def test_options(tmp_path: Path) -> None:
    b, a = manifests.planned(tmp_path, TWO, FILES).options
    assert (b.variable, b.default, b.compilers) == ("DEMO_B", "AUTO", ("gcc", "msvc", "zig"))
    assert b.architectures == ("arm64ec", "x86_64")
    assert (a.variable, a.default, a.conflicts) == ("DEMO_A", "ON", ("X",))
    assert a.compilers == tuple(catalogue.load().compilers)
    assert a.architectures == ("arm64", "arm64ec")
    assert (a.public_definitions, a.private_definitions) == (("P",), ("Q=1",))


def test_kernels(tmp_path: Path) -> None:
    z, y, x = manifests.planned(tmp_path, TWO, FILES).kernels
    assert [one.architectures for one in (z, y, x)] == [("x86_64",), ("arm64ec",), ("arm64", "arm64ec")]
    assert z.closure == ("aes", "sse4.1", "ssse3")
    assert z.flags == {
        "gcc": ("-maes", "-msse4.1", "-mssse3", "-O3"),
        "zig": ("-mcpu=x86_64+aes+sse4_1+ssse3",),
    }
    assert (y.flags, x.flags) == ({}, {})
    assert z.minimum == {"gcc": "9.2", "msvc": "19.30"}
    assert y.minimum == {"gcc": "8"}  # what the feature asks for is newer than what the manifest does
    assert x.attribute == {"gcc": "+crypto", "clang": "aes"}
    assert (x.definition, x.build_macro, x.target_macro) == (
        "DEMO_KERNEL_X", "DEMO_BUILD_X", "DEMO_TARGET_X",
    )  # fmt: skip


def test_no_two_probes_share_a_name(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path, TWO, FILES)
    functions = [
        name
        for kernel in found.kernels
        for name in re.findall(r"^void (\w+)\(.*\)$", kernel.probe, re.MULTILINE)
    ]
    assert len(functions) == len(set(functions)) == 5
    assert functions[0] == names.probe_function("Demo", "z") + "sse4_1"
    assert found.kernels[1].probe.endswith("}\n\nint extra(void);\n")


def test_families(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path)
    (family,) = found.families
    assert [(one.name, one.symbols, one.kernel, one.sources) for one in family.variants] == [
        ("arm64", ("demo_aes_arm64",), "aes_arm64", ()),
        ("portable", ("demo_aes_portable",), None, ("aes_portable.c",)),
    ]
    assert found.portable_sources == ("aes_portable.c",)


def test_equal_manifests_give_equal_plans(tmp_path: Path) -> None:
    assert manifests.planned(tmp_path) == manifests.planned(tmp_path)


def test_links_are_resolved_in_root_and_kept_in_folder(tmp_path: Path) -> None:
    (tmp_path / "real" / "sub").mkdir(parents=True)
    manifests.write(tmp_path / "real")
    manifests.write(tmp_path / "real" / "sub", manifests.MANIFEST + "root: ..\n", {})
    (tmp_path / "link").symlink_to("real")
    given = tmp_path / "link" / "x" / ".." / "sub" / "kernels.yml"
    (tmp_path / "real" / "x").mkdir()
    found = plan.resolve(manifest.load(given), catalogue.load())
    assert found.root == (tmp_path / "real").resolve()
    assert found.folder == tmp_path / "link" / "sub"
    assert found.root_from_folder == ".."


def test_the_seeds() -> None:
    """One option, for MSVC alone; the same sources with `requires` widened."""
    folder = ROOT / "tests" / "manifests" / "seeds"
    files = ("kernels.yml", "kernels_any.yml")
    narrow, wide = (plan.resolve(manifest.load(folder / name), catalogue.load()) for name in files)
    (option,) = narrow.options
    assert (option.variable, option.default) == ("WOLFSSL_ARMASM_INTRINSICS", "OFF")
    assert (option.compilers, option.architectures) == (("msvc",), ("arm64", "arm64ec"))
    assert [len(kernel.sources) for kernel in narrow.kernels] == [1] * 4
    assert [sum(map(len, kernel.mnemonics.values())) for kernel in narrow.kernels] == [1] * 4
    assert [one.sources for one in wide.kernels] == [one.sources for one in narrow.kernels]
    assert len(wide.options[0].compilers) == 6


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (names.variable("cmk", "AES"), "CMK_AES"),
        (names.require_variable("cmk"), "CMK_REQUIRE"),
        (names.definition("cmk", "aes_arm64"), "CMK_KERNEL_AES_ARM64"),
        (names.build_macro("cmk", "aes_arm64"), "CMK_BUILD_AES_ARM64"),
        (names.target_macro("cmk", "aes_arm64"), "CMK_TARGET_AES_ARM64"),
        (names.target_end_macro("cmk"), "CMK_TARGET_END"),
        (names.symbol("cmk_aes_ctr", "arm64"), "cmk_aes_ctr_arm64"),
    ],
)
def test_derived_names(call: str, name: str) -> None:
    assert call == name
