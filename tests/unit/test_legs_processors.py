"""Processors of legs: what leg files may say of them, what /proc/cpuinfo says, how programs are invoked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from cmaketool import catalogue, toolchains
from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.aarch64_code import places, spans
from cmaketool.toolchains.aarch64_image import Segment
from cmaketool.toolchains.found import Invocation, Leg
from cmaketool.toolchains.model import Facts, LegFile, Processor
from cmaketool.toolchains.processors import features, this_machine

if TYPE_CHECKING:
    from collections.abc import Mapping

ARM64 = ["aes", "pmull", "sha1", "sha2", "sha512", "sha3"]
MAX = {"name": "max", "features": ["aes"]}
QEMU = {
    "kind": "command",
    "command": ["qemu"],
    "processors": [MAX, {"name": "a72", "words": ["-cpu", "a72"]}],
}
UNICORN = {"kind": "unicorn", "processors": [MAX, {"name": "m1", "words": ["--midr", "1"]}]}


def read(emulator: Mapping[str, Any], facts: object = None) -> LegFile:
    stated = facts or {"architectures": ["arm64"], "family": "gcc"}
    leg = {"name": "small", "stands_for": "a test", "compiler": ["cc"], "packages": "install it"}
    return toolchains.read(yaml.safe_dump({**leg, "facts": stated, "emulator": dict(emulator)}), "small.yml")


def leg(emulator: Mapping[str, Any], *words: str) -> Leg:
    file = read(emulator)
    return Leg(
        file=file,
        facts=Facts(architectures=("arm64",), family="gcc"),
        version="",
        toolchain_file=None,
        configure_arguments=(),
        compiler=Path("cc"),
        emulator=words,
        processors=(Processor(name="host"),) if file.emulator.kind == "native" else file.emulator.processors,
    )


def test_the_bundled_processors() -> None:
    by_name = {leg.name: leg for leg in toolchains.legs()}
    listed = {name: [one.name for one in leg.emulator.processors] for name, leg in by_name.items()}
    assert listed == {
        "zig-aarch64-linux-musl": ["max"],
        **{
            name: ["max", "cortex-a72", "neoverse-n1"]
            for name in listed
            if name.startswith(("gcc", "clang-1"))
        },
        **{name: ["all", "crypto", "none"] for name in ("msvc-model-arm64", "clang-cl-arm64")},
        **{name: [] for name, leg in by_name.items() if leg.emulator.kind in {"native", "none"}},
    }
    known = catalogue.load()
    for one in (one for leg in toolchains.legs() for one in leg.emulator.processors):
        assert one.features is not None
        assert one.features == set(known.closure("arm64", one.features))


@pytest.mark.parametrize(
    ("emulator", "message"),
    [
        ({"kind": "native", "processors": [MAX]}, "a native leg the one of this machine"),
        ({"kind": "unicorn"}, "every emulator has processors"),
        ({"kind": "command", "processors": [MAX]}, "a command is what the kind command has"),
        ({**UNICORN, "command": ["qemu"]}, "a command is what the kind command has, and no other"),
        ({**QEMU, "processors": [MAX, MAX]}, "two processors have one name"),
        ({**QEMU, "processors": [{"name": "a", "cores": 2}]}, "emulator.processors.0.cores: Extra inputs"),
    ],
)
def test_emulators_that_cannot_be(emulator: Mapping[str, Any], message: str) -> None:
    with pytest.raises(CmaketoolError) as caught:
        read(emulator)
    text = str(caught.value)
    assert text.startswith("small.yml: error: emulator")
    assert message in text
    assert "[leg-file]" in text


def test_features_that_the_catalogue_does_not_have() -> None:
    wrong = {"name": "a", "features": ["sha22", "aes", "vaes", "altogether_different"]}
    with pytest.raises(CmaketoolError) as caught:
        read({**QEMU, "processors": [MAX, wrong]})
    text = str(caught.value)
    assert text.count("small.yml: error: emulator.processors.1.features: no feature is named ") == 3
    assert "'sha22' [leg-file]\n  did you mean 'sha2'?" in text
    assert "'altogether_different' [leg-file]\n  known: aes, neon, pmull, sha1, sha2, sha3, sha512" in text
    assert "'aes'" not in text.replace("did you mean 'aes'", "")
    either = read({**QEMU, "processors": [{"name": "a", "features": ["vaes", "aes"]}]}, "from-compiler")
    assert either.emulator.processors[0].features == frozenset({"vaes", "aes"})


X86 = "processor\t: {}\nvendor_id\t: Any\nflags\t\t: fpu sse2 ssse3 {}\nbugs\t\t: sha_ni\n\n"
ARM = "processor\t: {}\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd {}\nCPU part\t: 0xd08\n\n"


@pytest.mark.parametrize(
    ("isa", "text", "words", "expected"),
    [
        ("x86_64", X86, ["aes pclmulqdq", "aes pclmulqdq"], {"aes", "pclmul", "ssse3"}),
        ("x86_64", X86, ["aes sse4_1 avx2 vaes", "avx2 sse4_1 vaes"], {"ssse3", "sse4.1", "avx2"}),
        ("arm64", ARM, ["aes pmull sha1 sha2 sha512 sha3", "sha2 sha1"], {"neon", "sha1", "sha2"}),
        ("arm64", ARM, ["pmull sha3 sha512 sha1"], {"neon", "sha1"}),
        ("arm64", ARM, [""], {"neon"}),
    ],
    ids=["alike", "not alike", "big and little", "without what they imply", "nothing"],
)
def test_what_cpuinfo_says(isa: str, text: str, words: list[str], expected: set[str]) -> None:
    assert features(isa, "".join(text.format(at, one) for at, one in enumerate(words))) == frozenset(expected)


def test_where_nobody_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    assert features("arm64", "") is None
    assert features("arm64", "processor : 0\nmodel name : ARMv8\n") is None
    assert this_machine(["other"]) == Processor(name="host")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert this_machine(["arm64"]) == Processor(name="host")


SETTINGS = {"CMK_CPU_FEATURES": "-aes, none", "EMPTY": "", "GONE": None}


def test_invocations_of_native_programs() -> None:
    call = leg({}).invoke(Path("a program"), ["--variant", "x"], environment=SETTINGS)
    assert call == Invocation(["a program", "--variant", "x"], SETTINGS)
    assert call.line == "CMK_CPU_FEATURES='-aes, none' EMPTY='' 'a program' --variant x"
    assert leg({}).invoke(Path("p")) == Invocation(["p"], {})
    assert leg({}).invoke(Path("p"), processor="host").line == "p"


def test_invocations_of_an_emulator() -> None:
    call = leg(QEMU, "/bin/qemu").invoke(Path("p"), ["x"], processor="a72", environment=SETTINGS)
    assert call == Invocation(["/bin/qemu", "-cpu", "a72", "p", "x"], SETTINGS)
    assert leg(QEMU, "/bin/qemu").invoke(Path("p")) == Invocation(["/bin/qemu", "p"], {})


def test_invocations_of_the_emulator_of_our_own() -> None:
    ours = leg(UNICORN, "run")
    assert ours.any_hwcap
    call = ours.invoke(
        Path("p"), ["x"], processor="m1", hwcap=0x18, forbid=["aese", "aesd"], environment=SETTINGS
    )
    options = ["--midr", "1", "--hwcap", "0x18", "--forbid", "aese,aesd"]
    settings = ["--env", "CMK_CPU_FEATURES=-aes, none", "--env", "EMPTY="]
    assert call == Invocation(["run", *options, *settings, "p", "x"], {})
    assert ours.invoke(Path("p"), processor="m1", hwcap=0).line == "run --midr 1 --hwcap 0x0 p"


WINDOWS = {
    "kind": "unicorn-windows",
    "processors": [
        {"name": "all", "words": ["--processor-features", "all"], "features": ARM64},
        {"name": "none", "words": ["--processor-features", "none"], "features": []},
    ],
}


def test_invocations_of_windows_programs() -> None:
    ours = leg(WINDOWS, "run")
    assert ours.can_forbid
    assert not ours.any_hwcap
    call = ours.invoke(Path("p.exe"), ["x"], forbid=["aese"], environment=SETTINGS)
    settings = ["--env", "CMK_CPU_FEATURES=-aes, none", "--env", "EMPTY="]
    words = ["run", "--processor-features", "all", "--forbid", "aese", *settings, "p.exe", "x"]
    assert call == Invocation(words, {})
    with pytest.raises(ValueError, match="small can neither answer a capability word nor forbid"):
        ours.invoke(Path("p.exe"), hwcap=0)


def test_what_a_processor_does_not_have_is_forbidden_where_that_can_be() -> None:
    def forbidden(one: Leg, processor: str) -> set[str]:
        words = one.invoke(Path("p"), forbid=["nop"], processor=processor).words
        return set(words[words.index("--forbid") + 1].split(","))

    assert forbidden(leg(WINDOWS, "run"), "all") == {"nop"}
    every = {word for one in catalogue.load().isas["arm64"].features.values() for word in one.mnemonics}
    assert forbidden(leg(WINDOWS, "run"), "none") == {"nop", *every}
    aes = catalogue.load().feature("arm64", "aes").mnemonics
    assert forbidden(leg(UNICORN, "run"), "max") == {"nop", *every - aes}
    assert forbidden(leg(UNICORN, "run"), "m1") == {"nop"}  # nobody knows what it has


def test_where_nothing_can_be_run() -> None:
    with pytest.raises(ValueError, match="small has no processor at all; it has none"):
        leg({"kind": "none"}).invoke(Path("p"))


@pytest.mark.parametrize("emulator", [{}, QEMU], ids=["native", "command"])
def test_what_cannot_be_invoked(emulator: Mapping[str, Any]) -> None:
    one = leg(emulator, *emulator.get("command", ()))
    assert not one.any_hwcap
    with pytest.raises(ValueError, match="small can neither answer a capability word nor forbid"):
        one.invoke(Path("p"), hwcap=0)
    with pytest.raises(ValueError, match="small can neither answer a capability word nor forbid"):
        one.invoke(Path("p"), forbid=["aese"])
    names = ", ".join(processor.name for processor in one.processors)
    with pytest.raises(ValueError, match=f"small has no processor z80; it has {names}"):
        one.invoke(Path("p"), processor="z80")


AESE, PMULL, PMULL_8H, EOR3, NOP = 0x4E284820, 0x0EE0E000, 0x0E20E000, 0xCE020C20, 0xD503201F


def segment(address: int, *words: int, protection: int = 5, before: bytes = b"") -> Segment:
    data = before + b"".join(word.to_bytes(4, "little") for word in words)
    return Segment(address, len(data), data, protection)


def test_where_instructions_stand() -> None:
    segments = [
        segment(0x2002, NOP, PMULL, PMULL_8H, before=b"\0\0"),
        segment(0x1000, AESE, NOP, 0, 0xFFFFFFFF, EOR3, before=b""),
        segment(0x3000, AESE, protection=3),
    ]
    found = places(segments, ["AESE", "pmull", "pmull2", "eor3", ""])
    assert list(found.items()) == [(0x1000, "aese"), (0x1010, "eor3"), (0x2008, "pmull")]
    assert places(segments, ["bcax"]) == {}


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (9, [(4, 12), (20, 20), (60, 60), (72, 76)]),
        (4, [(4, 12), (20, 20), (60, 60), (72, 76)]),
        (3, [(4, 20), (60, 60), (72, 76)]),
        (2, [(4, 20), (60, 76)]),
        (1, [(4, 76)]),
    ],
)
def test_ranges_join_what_is_close(limit: int, expected: list[tuple[int, int]]) -> None:
    assert spans([4, 8, 12, 20, 60, 72, 76], limit) == expected
    assert spans([], limit) == []
    assert spans([8], limit) == [(8, 8)]
