"""Leg files: what they say, how wrong ones are refused, what is missing is named."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, toolchains
from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.files import toolchain_text
from cmaketool.toolchains.model import ALL_RUNGS, Facts, LegFile
from cmaketool.toolchains.programs import Missing, Tools
from cmaketool.toolchains.statements import agreed

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "zig-aarch64-linux-musl",
    "native",
    "gcc-12-aarch64-linux-gnu",
    "gcc-11-aarch64-linux-gnu",
    "clang-19-aarch64-linux-gnu",
    "clang-16-aarch64-linux-gnu",
    "clang-14-aarch64-linux-gnu",
    "msvc-model-arm64",
    "clang-cl-arm64",
    "msvc-model-arm64ec",
    "clang-windows-msvc-arm64",
    "zig-aarch64-macos",
    "zig-aarch64-windows-gnu",
    "macos-universal",
    "zig-aarch64_be-linux-musl",
    "zig-arm-linux-musleabihf",
    "zig-wasm32-wasi",
    "msvc-model-x64",
]
DEFAULT = [*NAMES[:3], "clang-19-aarch64-linux-gnu", "msvc-model-arm64", "clang-cl-arm64"]
TO_LEAK, TO_COMPILED = (ALL_RUNGS[: ALL_RUNGS.index(rung) + 1] for rung in ("leak", "compiled"))

SMALL = """
name: small
stands_for: a test
compiler: [no-such-compiler]
facts: {architectures: [arm64], family: gcc}
packages: install it
"""


def small(**changes: object) -> LegFile:
    return LegFile.model_validate({**toolchains.read(SMALL, "small.yml").model_dump(), **changes})


def test_the_bundled_legs_the_embedded_first() -> None:
    assert [leg.name for leg in toolchains.legs()] == NAMES
    assert [leg.name for leg in toolchains.legs() if leg.embedded] == NAMES[:1]
    assert [leg.name for leg in toolchains.legs() if leg.default] == DEFAULT


def test_facts_use_the_catalogues_words() -> None:
    known = catalogue.load()
    for leg in toolchains.legs():
        if leg.facts != "from-compiler":
            assert leg.facts.family in known.compilers
            assert set(leg.facts.architectures) <= {*known.architectures, "other"}


def test_what_legs_can_show_follows_from_what_they_are() -> None:
    for leg in toolchains.legs():
        runs = leg.emulator.kind != "none"
        known = leg.facts == "from-compiler" or leg.facts.architectures != ("other",)
        assert leg.rungs == (ALL_RUNGS if runs else TO_LEAK if known else TO_COMPILED), leg.name
        assert leg.links == (runs or leg.name == "msvc-model-x64"), leg.name


def test_a_stand_in_is_called_one_and_says_its_limits() -> None:
    for leg in toolchains.legs():
        assert (leg.stand_in is None) == (leg.limits is None), leg.name
        if leg.stand_in is not None and leg.stand_in.name == "msvc-model":
            assert leg.name.startswith("msvc-model-")


def test_a_leg_by_name_and_a_near_miss() -> None:
    assert toolchains.leg("native").name == "native"
    with pytest.raises(CmaketoolError, match=r"no toolchain is named 'nativ' .*\n  did you mean 'native'"):
        toolchains.leg("nativ")
    with pytest.raises(CmaketoolError, match=r"known: zig-aarch64-linux-musl, native, gcc"):
        toolchains.leg("xlc")


def test_a_wrong_leg_file_names_everything() -> None:
    with pytest.raises(CmaketoolError) as caught:
        toolchains.read(SMALL + "colour: red\nembedded: perhaps\n", "my.yml")
    text = str(caught.value)
    assert text.count("my.yml: error: ") == 2
    assert "colour: Extra inputs" in text
    assert "embedded: Input should be a valid boolean" in text


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("toolchain_file: a.cmake", "it has a compiler, or a toolchain_file that names one"),
        ("name: a b", "name: String should match pattern"),
        (
            "stand_in: {name: xlc-model}",
            "stand_in.name: Input should be 'msvc-model', 'windows-sdk' or 'macos'",
        ),
        ("emulator: {kind: none, processors: [{name: a}]}", "every emulator has processors"),
        ("emulator: {kind: unicorn-windows}", "every emulator has processors"),
        ("emulator: {kind: native, command: [a]}", "a command is what the kind command has"),
        ("name: all", "leg: 'all' means something else where legs are named"),
        ("name: none", "leg: 'none' means something else where legs are named"),
        ("stands_for: |\n  a board\n  message(FATAL_ERROR here)", "stands_for: String should match"),
        ("system_name: Linux)", "system_name: String should match"),
        ("target: a b", "target: String should match"),
        ("variables: {'A B': c}", "variables.A B.[key]: String should match"),
        ("compiler: ['']", "compiler.0: String should have at least 1 character"),
        ("compiler: ['{stand-in}/bin/cl']", "the folder of a stand_in, and there is none"),
        ("oldest_cmake: new", "oldest_cmake: String should match"),
        ("rungs: [flags, configured]", "rungs: each once, in this order: configured, sources"),
        ("rungs: [flags, flags]", "rungs: each once, in this order"),
        ("facts: {architectures: [], family: gcc}", "architectures: Tuple should have at least 1 item"),
        (
            "facts: {architectures: [arm46], family: gcc}",
            "no architecture is named 'arm46' [leg-file]\n  did",
        ),
        ("facts: {architectures: [arm64], family: icc}", "no compiler is named 'icc' [leg-file]"),
        ("name: small\nname: large", "my.yml:7:1: error: 'name' is there twice [leg-file-yaml]"),
        ("? [name]\n: small", "error: found unhashable key [leg-file-yaml]"),
        ("? {name: small}\n: large", "error: found unhashable key [leg-file-yaml]"),
    ],
)
def test_what_does_not_go_together(more: str, said: str) -> None:
    key = more.partition(":")[0]
    rest = "".join(line for line in SMALL.splitlines(keepends=True) if not line.startswith(f"{key}:"))
    with pytest.raises(CmaketoolError) as caught:
        toolchains.read(f"{rest}{more}\n", "my.yml")
    assert said in str(caught.value)


def test_a_toolchain_file_says_the_rest_itself() -> None:
    text = SMALL.replace(
        "compiler: [no-such-compiler]", "toolchain_file: a.cmake\nsystem_name: Linux\nlinks: false"
    )
    with pytest.raises(
        CmaketoolError, match=r"a toolchain_file says all of that itself: system_name, links "
    ):
        toolchains.read(text, "my.yml")


@pytest.mark.parametrize("text", ["", "hello", "[a, b]"])
def test_a_leg_file_is_a_mapping(text: str) -> None:
    with pytest.raises(CmaketoolError, match=r"^my.yml: error: a leg file is a mapping"):
        toolchains.read(text, "my.yml")


def test_a_leg_file_that_is_no_yaml_is_placed() -> None:
    with pytest.raises(CmaketoolError, match=r"my.yml:3:1: error: .*\[leg-file-yaml\]"):
        toolchains.read("name: a\ncompiler: [b: c\n", "my.yml")


# --- what a toolchain file says


def text_of(file: LegFile) -> list[str]:
    places = {"{folder}": "/f", "{stand-in}": "/s"}
    return toolchain_text(file, {"CMAKE_C_COMPILER": "/bin/cc"}, places).splitlines()


def test_the_toolchain_file_of_a_small_leg() -> None:
    assert text_of(small(system_name="Linux")) == [
        "# The toolchain small: a test.",
        "set(CMAKE_SYSTEM_NAME Linux)",
        'set(CMAKE_C_COMPILER "/bin/cc")',
        'set(CMAKE_FIND_ROOT_PATH "/f/root")',
        'set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM "NEVER")',
        'set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY "ONLY")',
        'set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE "ONLY")',
        'set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE "ONLY")',
    ]


def test_what_more_a_toolchain_file_may_say() -> None:
    more = text_of(
        small(
            system_name="Darwin",
            system_processor="arm64",
            target="t",
            links=False,
            stand_in={"name": "macos"},
            variables={"CMAKE_OSX_SYSROOT": "{stand-in}/sdk", "A": 'a "b" $c'},
        )
    )
    assert more[2:6] == [
        "set(CMAKE_SYSTEM_PROCESSOR arm64)",
        *(f"set(CMAKE_{language}_COMPILER_TARGET t)" for language in ("C", "CXX", "ASM")),
    ]
    assert more[-3:] == [
        'set(CMAKE_OSX_SYSROOT "/s/sdk" CACHE STRING "")',
        'set(A "a \\"b\\" \\$c")',
        "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)",
    ]


# --- facts


def test_facts_of_slices() -> None:
    one = Facts(architectures=("arm64",), family="gcc", features=("aes",))
    assert one.allowed("arm64") == ("aes",)
    two = Facts(
        architectures=("arm64", "x86_64"),
        family="appleclang",
        features_by_slice={"arm64": ("aes",), "x86_64": ("ssse3",)},
    )
    assert (two.allowed("arm64"), two.allowed("x86_64"), two.features) == (("aes",), ("ssse3",), ())


@pytest.mark.parametrize("stated", [None, "11", "11.3", "11.3.0"])
def test_a_version_may_be_stated_as_it_begins(stated: str | None) -> None:
    said = Facts(architectures=("arm64",), family="gcc", version="11.3.0")
    file = small(facts={"architectures": ["arm64"], "family": "gcc", "version": stated})
    assert agreed(file, "cc", said) == said


@pytest.mark.parametrize("stated", ["1", "12", "11.30", "11.3.0.1"])
def test_another_version_is_a_contradiction(stated: str) -> None:
    said = Facts(architectures=("arm64",), family="gcc", version="11.3.0")
    file = small(facts={"architectures": ["arm64"], "family": "gcc", "version": stated})
    with pytest.raises(
        CmaketoolError, match=r"cc is gcc 11\.3\.0 for arm64 .*the leg small says gcc .*\[leg-facts\]"
    ):
        agreed(file, "cc", said)


# --- what is missing


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    missing = toolchains.find(small(), tmp_path)
    assert isinstance(missing, Missing)
    assert (missing.what, missing.remedy) == ("no-such-compiler is not on PATH", "install it")
    assert missing.leg == small()
    assert not list(tmp_path.iterdir())


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    file = small(compiler=["sh"], programs={"CMAKE_AR": ["sh"], "CMAKE_RANLIB": ["no-such-part"]})
    missing = toolchains.find(file, tmp_path)
    assert isinstance(missing, Missing)
    assert missing.what == "no-such-part is not on PATH"


def test_a_missing_emulator_is_named(tmp_path: Path) -> None:
    emulator = {"kind": "command", "command": ["no-such-emulator"], "processors": [{"name": "max"}]}
    missing = toolchains.find(small(compiler=["sh"], emulator=emulator), tmp_path)
    assert isinstance(missing, Missing)
    assert missing.what == "no-such-emulator is not on PATH"


@pytest.mark.parametrize("name", [leg.name for leg in toolchains.legs() if leg.stand_in is not None])
def test_without_what_a_stand_in_is_made_of(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = toolchains.find(toolchains.leg(name), tmp_path / "leg")
    assert isinstance(missing, Missing)
    assert missing.what.endswith("clang-19 is not on PATH")
    assert "apt-get install clang-19 lld-19 llvm-19" in missing.remedy


def test_a_cmake_that_is_too_old(tmp_path: Path) -> None:
    file = small(compiler=["sh"], oldest_cmake="3.20")
    for version, old in (("3.18.6", True), ("3.9", True), ("3.20.0", False), ("4.4.5", False)):
        missing = toolchains.find(file, tmp_path, Tools(tmp_path, version, tmp_path, "1.11")) if old else None
        if old:
            assert isinstance(missing, Missing)
            assert missing.what == f"CMake {version} does not know its target"
            assert missing.remedy == "CMake 3.20 or newer"
        else:
            with pytest.raises(CmaketoolError, match="does not preprocess"):
                toolchains.find(file, tmp_path, Tools(tmp_path, version, tmp_path, "1.11"))


def test_without_the_packages_of_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden: set[str] = set()
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name in hidden else real(name, *rest)
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, what in (("unicorn", "unicorn is not installed"), ("ziglang", "ziglang is not installed")):
        hidden.add(name)
        missing = toolchains.find(toolchains.leg("zig-aarch64-linux-musl"), tmp_path)
        assert isinstance(missing, Missing)
        assert missing.what == what
        assert "pip install 'cmaketool[verify]'" in missing.remedy
    for name in ("ninja", "cmake"):
        hidden.add(name)
        missing_tool = toolchains.tools()
        assert missing_tool == Missing(None, name, "pip install 'cmaketool[verify]'")


def test_no_compiler_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    missing = toolchains.find(toolchains.leg("native"), tmp_path)
    assert isinstance(missing, Missing)
    assert missing.what == "no C compiler (cc, gcc, clang) is on PATH"
    monkeypatch.setenv("CC", "my-cc -m64")
    missing = toolchains.find(toolchains.leg("native"), tmp_path)
    assert isinstance(missing, Missing)
    assert missing.what == "no C compiler (my-cc -m64) is on PATH"


def test_looking_for_tools_imports_neither_compiler_nor_emulator() -> None:
    code = (
        "import sys; from pathlib import Path; from cmaketool import toolchains; toolchains.legs();"
        "import cmaketool.toolchains.locate, cmaketool.toolchains.programs;"
        "print({'ziglang', 'unicorn', 'cmake', 'ninja'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_name_that_the_package_has_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'fnd'"):
        _ = toolchains.fnd
