"""Leg files: what they say, how wrong ones are refused, what is missing is named."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, toolchains
from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.model import LegFile
from cmaketool.toolchains.programs import Missing

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["zig-aarch64-linux-musl", "native", "gcc-aarch64-linux-gnu", "clang-19-aarch64-linux-gnu"]

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


def test_facts_use_the_catalogues_words() -> None:
    known = catalogue.load()
    for leg in toolchains.legs():
        if leg.facts != "from-compiler":
            assert leg.facts.family in known.compilers
            assert set(leg.facts.architectures) <= set(known.architectures)


def test_a_leg_by_name_and_a_near_miss() -> None:
    assert toolchains.leg("native").name == "native"
    with pytest.raises(CmaketoolError, match=r"no toolchain is named 'nativ' .*\n  did you mean 'native'"):
        toolchains.leg("nativ")
    with pytest.raises(CmaketoolError, match=r"known: zig-aarch64-linux-musl, native, gcc"):
        toolchains.leg("msvc")


def test_a_wrong_leg_file_names_everything() -> None:
    with pytest.raises(CmaketoolError) as caught:
        toolchains.read(SMALL + "colour: red\nembedded: perhaps\n", "my.yml")
    text = str(caught.value)
    assert text.count("my.yml: error: ") == 2
    assert "colour: Extra inputs" in text
    assert "embedded: Input should be a valid boolean" in text


def test_a_leg_file_that_is_no_yaml_is_placed() -> None:
    with pytest.raises(CmaketoolError, match=r"my.yml:3:1: error: .*\[leg-file-yaml\]"):
        toolchains.read("name: a\ncompiler: [b: c\n", "my.yml")


def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    missing = toolchains.find(small(), tmp_path)
    assert isinstance(missing, Missing)
    assert (missing.what, missing.remedy) == ("no-such-compiler is not on PATH", "install it")
    assert missing.leg == small()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("part", ["archiver", "ranlib"])
def test_a_missing_part_is_named(tmp_path: Path, part: str) -> None:
    missing = toolchains.find(small(compiler=["sh"], **{part: ["no-such-part"]}), tmp_path)
    assert isinstance(missing, Missing)
    assert missing.what == "no-such-part is not on PATH"


def test_a_missing_emulator_is_named(tmp_path: Path) -> None:
    emulator = {"kind": "command", "command": ["no-such-emulator"], "processors": [{"name": "max"}]}
    missing = toolchains.find(small(compiler=["sh"], emulator=emulator), tmp_path)
    assert isinstance(missing, Missing)
    assert missing.what == "no-such-emulator is not on PATH"


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
