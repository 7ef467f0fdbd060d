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
FILES = {"x.c": "", "y.c": "", "z.c": "", "f.h": "", "g.h": ""}


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


# What is decided at run time

RUN_TIME = """\
schema: 1
name: demo
options:
  ALL: {help: all}
cpu:
  unknown_system: none
  policies:
    slow: {help: slow, architecture: x86_64, features: [sse4.1], when: {always: true}}
    fast:
      help: fast
      architecture: arm64
      features: [sha512]
      when: {apple: true, midr: [{implementer: 0x41, parts: [0xd08, 0xD0c]}, {implementer: "0xC0"}]}
      unless: [{implementer: 0x53, parts: [0x001]}]
    odd: {help: odd, architecture: arm64, features: [aes]}
kernels:
  z:
    option: ALL
    architecture: x86_64
    features: [aes, pclmul]
    sources: [z.c]
    symbols: [f_z]
  y:
    option: ALL
    architecture: arm64
    features: [pmull, aes]
    sources: [y.c]
    symbols: [f_y, f_fast]
families:
  f:
    headers: [f.h, g.h]
    functions:
      - int f(const unsigned char *in, size_t length)
    variants:
      - {name: fast, kernel: y, policy: fast}
      - {name: y, kernel: y}
      - {name: z, kernel: z}
      - {name: portable, sources: [x.c]}
  by_name:
    functions: [g]
    variants: [{name: portable, sources: [x.c]}]
"""


def test_nothing_at_run_time_where_nothing_asks(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path)
    assert found.cpu is None
    assert found.dispatched == ()
    assert all(not family.prototypes and not family.headers for family in found.families)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(manifests.MANIFEST + "cpu: {}\n", id="cpu"),
        pytest.param(
            manifests.MANIFEST.replace(
                "functions: [demo_aes]", "headers: [demo.h]\n    functions: [void demo_aes(unsigned char *p)]"
            ),
            id="prototypes",
        ),
    ],
)
def test_either_asks_for_run_time(text: str, tmp_path: Path) -> None:
    cpu = manifests.planned(tmp_path, text).cpu
    assert cpu is not None
    assert (cpu.names("arm64"), cpu.names("x86_64")) == (("aes",), ())
    assert (cpu.policies, cpu.unknown_system) == ((), "error")


def test_bits(tmp_path: Path) -> None:
    """Each instruction set has bits of its own from 1 on: what is implied first, policies last."""
    cpu = manifests.planned(tmp_path, RUN_TIME, FILES).cpu
    assert cpu is not None
    assert cpu.unknown_system == "none"
    assert [(one.isa, one.name, one.bit, one.macro, one.implies) for one in cpu.features] == [
        ("arm64", "aes", 1, "DEMO_CPU_AES", ()),
        ("arm64", "pmull", 2, "DEMO_CPU_PMULL", ("aes",)),
        ("arm64", "sha1", 3, "DEMO_CPU_SHA1", ()),
        ("arm64", "sha2", 4, "DEMO_CPU_SHA2", ("sha1",)),
        ("arm64", "sha512", 5, "DEMO_CPU_SHA512", ("sha1", "sha2")),
        ("x86_64", "aes", 1, "DEMO_CPU_AES", ()),
        ("x86_64", "pclmul", 2, "DEMO_CPU_PCLMUL", ()),
        ("x86_64", "ssse3", 3, "DEMO_CPU_SSSE3", ()),
        ("x86_64", "sse4.1", 4, "DEMO_CPU_SSE4_1", ("ssse3",)),
    ]
    assert all(one.detection is catalogue.load().feature(one.isa, one.name).detection for one in cpu.features)
    assert [(one.isa, one.name, one.bit, one.macro) for one in cpu.policies] == [
        ("arm64", "fast", 6, "DEMO_CPU_FAST"),
        ("arm64", "odd", 7, "DEMO_CPU_ODD"),
        ("x86_64", "slow", 5, "DEMO_CPU_SLOW"),
    ]


def test_policies(tmp_path: Path) -> None:
    cpu = manifests.planned(tmp_path, RUN_TIME, FILES).cpu
    assert cpu is not None
    fast, odd, slow = cpu.policies
    assert fast.features == ("sha1", "sha2", "sha512")
    assert (fast.always, fast.apple, fast.unless) == (False, True, ((0x53, (0x001,)),))
    assert fast.midr == ((0x41, (0xD08, 0xD0C)), (0xC0, ()))
    assert (odd.always, odd.apple, odd.midr, odd.unless) == (False, False, (), ())
    assert (slow.always, slow.features, slow.help) == (True, ("sse4.1", "ssse3"), "slow")


def test_the_same_bits_whatever_the_order(tmp_path: Path) -> None:
    """A kernel moved in the manifest must not move the bits of what was built with it."""
    head, rest = RUN_TIME.split("  z:\n")
    z, tail = rest.split("  y:\n")
    y, families = tail.split("families:\n")
    moved = f"{head}  y:\n{y}  z:\n{z}families:\n{families}"
    assert manifests.planned(tmp_path, moved, FILES).cpu == manifests.planned(tmp_path, RUN_TIME, FILES).cpu


def test_dispatched_families(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path, RUN_TIME, FILES)
    (family,) = found.dispatched
    assert (family.functions, family.headers) == (("f",), ("f.h", "g.h"))
    (prototype,) = family.prototypes
    assert (prototype.name, prototype.arguments) == ("f", ("in", "length"))
    assert [(one.name, one.symbols, one.policy) for one in family.variants] == [
        ("fast", ("f_fast",), "fast"),
        ("y", ("f_y",), None),
        ("z", ("f_z",), None),
        ("portable", ("f_portable",), None),
    ]
    assert found.families[1].functions == ("g",)


@pytest.mark.parametrize(
    ("variant", "needs"),
    [
        pytest.param("fast", ("pmull", "fast"), id="policy"),
        pytest.param("y", ("pmull",), id="implied-left-out"),
        pytest.param("z", ("aes", "pclmul"), id="both[B46]"),
        pytest.param("portable", (), id="portable"),
    ],
)
def test_what_a_variant_needs(variant: str, needs: tuple[str, ...], tmp_path: Path) -> None:
    (family,) = manifests.planned(tmp_path, RUN_TIME, FILES).dispatched
    assert {one.name: one.needs for one in family.variants}[variant] == needs


def test_as_many_bits_as_there_are(tmp_path: Path) -> None:
    lines = [f"    p{number}: {{help: x, architecture: arm64, features: [aes]}}" for number in range(30)]
    text = manifests.MANIFEST + "\n".join(["cpu:", "  policies:", *lines]) + "\n"
    cpu = manifests.planned(tmp_path, text).cpu
    assert cpu is not None
    assert [one.bit for one in cpu.features] == [1]
    assert [one.bit for one in cpu.policies] == list(range(2, 32))
