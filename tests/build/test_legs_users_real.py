"""Toolchain files of the user's: which compiler they mean, what it is, and what can be shown with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cmaketool import process, toolchains
from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains import files
from cmaketool.toolchains.model import ALL_RUNGS
from tests.msvc_model.support import leg as model
from tests.support import leg_or_skip, require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

TO_LEAK = ALL_RUNGS[: ALL_RUNGS.index("answers")]
CROSS = "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\n"
GCC = CROSS + "set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)\n"


def leg_of(text: str, folder: Path) -> toolchains.Leg:
    path = folder / "board.cmake"
    path.write_text(text, encoding="utf-8")
    (file,) = toolchains.users(None, (path,))
    leg = toolchains.find(file, folder / "work")
    assert isinstance(leg, toolchains.Leg), leg
    assert leg.toolchain_file == path.resolve()
    assert leg.configure_arguments == (f"-DCMAKE_TOOLCHAIN_FILE={path.resolve()}",)
    return leg


def test_a_cross_compiler_without_an_emulator(tmp_path: Path) -> None:
    compiler = require_tool("aarch64-linux-gnu-gcc")
    leg = leg_of(GCC, tmp_path)
    assert (leg.facts.family, leg.facts.architectures, leg.facts.features) == ("gcc", ("arm64",), ())
    assert str(leg.compiler) == compiler
    assert (leg.file.emulator.kind, leg.processors, leg.file.rungs) == ("none", (), TO_LEAK)


def test_flags_and_an_emulator_of_the_toolchain_file(tmp_path: Path) -> None:
    require_tool("aarch64-linux-gnu-gcc")
    emulator = require_tool("qemu-aarch64")
    more = "set(CMAKE_C_FLAGS_INIT -mcpu=neoverse-n1+crypto)\n"
    more += "set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)\n"
    leg = leg_of(GCC + more, tmp_path)
    assert set(leg.facts.features) == {"aes", "pmull", "sha1", "sha2"}
    assert leg.emulator == (emulator, "-L", "/usr/aarch64-linux-gnu")
    assert [(one.name, one.features) for one in leg.processors] == [("qemu-aarch64", None)]
    assert leg.file.rungs == ALL_RUNGS
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text("int main(void) { return 5; }\n", encoding="utf-8")
    assert process.run([str(leg.compiler), str(source), "-o", str(program)], timeout=60).returncode == 0
    assert process.run(leg.invoke(program).words, timeout=60).returncode == 5


def test_a_native_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-O9 -no-such-flag")  # facts are those of no flags of the environment
    leg = leg_of(f"set(CMAKE_C_COMPILER {require_tool('gcc')})\n", tmp_path)
    assert (leg.facts.family, leg.file.emulator.kind, leg.emulator) == ("gcc", "native", ())
    assert [one.name for one in leg.processors] == ["host"]
    assert leg.file.rungs == ALL_RUNGS


def test_zig_in_a_script_of_another_name(tmp_path: Path) -> None:
    leg_or_skip("zig-aarch64-linux-musl", tmp_path / "zig")
    command = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl"]
    script = files.wrapper(tmp_path, "our-cc", command, may_link=False)
    text = f"{CROSS}set(CMAKE_C_COMPILER {script})\nset(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n"
    assert leg_of(text, tmp_path).facts.family == "zig"


@pytest.mark.parametrize("name", ["clang-19", "clang-16", "clang-14"])
@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "aarch64-linux-gnu"])
def test_clang_is_not_taken_for_zig(name: str, target: str, tmp_path: Path) -> None:
    text = f"{CROSS}set(CMAKE_C_COMPILER {require_tool(name)})\nset(CMAKE_C_COMPILER_TARGET {target})\n"
    text += "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n"
    leg = leg_of(text, tmp_path)
    assert leg.facts.family == "clang"
    assert leg.facts.architectures == ("arm64" if target.startswith("aarch64") else "x86_64",)


@pytest.mark.parametrize("architecture", ["arm64", "arm64ec"])
def test_a_compiler_with_the_command_line_of_cl(architecture: str, tmp_path: Path) -> None:
    text = f'include("{model(architecture).toolchain_file}")\n'
    leg = leg_of(text, tmp_path)
    assert (leg.facts.family, leg.facts.architectures) == ("msvc", (architecture,))
    assert leg.facts.version == "19.44.35207.1"
    assert leg.file.rungs == TO_LEAK


@pytest.mark.parametrize("name", ["macos-universal", "clang-cl-arm64", "clang-windows-msvc-arm64"])
def test_the_toolchain_file_of_a_bundled_leg_comes_to_the_same(name: str, tmp_path: Path) -> None:
    bundled = leg_or_skip(name, tmp_path / "leg")
    leg = leg_of(f'include("{bundled.toolchain_file}")\n', tmp_path)
    assert leg.facts == bundled.facts
    assert leg.compiler == bundled.compiler


def test_a_leg_file_beside_the_manifest_names_a_toolchain_file(tmp_path: Path) -> None:
    require_tool("aarch64-linux-gnu-gcc")
    emulator = require_tool("qemu-aarch64")
    (tmp_path / "cmake").mkdir()
    (tmp_path / "cmake" / "board.cmake").write_text(GCC, encoding="utf-8")
    text = """\
name: board
stands_for: our board
toolchain_file: cmake/board.cmake
facts: {architectures: [arm64], family: gcc}
emulator:
  kind: command
  command: [qemu-aarch64]
  processors: [{name: a72, words: [-cpu, cortex-a72], features: [aes, pmull, sha1, sha2]}]
packages: ask us
"""
    (tmp_path / "board.leg.yml").write_text(text, encoding="utf-8")
    (file,) = toolchains.users(tmp_path / "kernels.yml")
    leg = toolchains.find(file, tmp_path / "work")
    assert isinstance(leg, toolchains.Leg)
    assert leg.emulator == (emulator,)
    assert [one.name for one in leg.processors] == ["a72"]
    assert leg.facts.version is not None
    (tmp_path / "board.leg.yml").write_text(text.replace("family: gcc", "family: clang"), encoding="utf-8")
    (file,) = toolchains.users(tmp_path / "kernels.yml")
    with pytest.raises(
        CmaketoolError, match=r"board\.leg\.yml: error: .* is gcc .*the leg board says .*\[leg-facts\]"
    ):
        toolchains.find(file, tmp_path / "work")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("set(CMAKE_C_COMPILER no-such-compiler)\n", "no-such-compiler"),
        ("message(FATAL_ERROR set BOARD_SDK first)\n", "set BOARD_SDK first|setBOARD_SDKfirst"),
        ("if(\n", "Parse error"),
    ],
)
def test_a_toolchain_file_that_cmake_does_not_take(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CmaketoolError) as caught:
        leg_of(text, tmp_path)
    (fault,) = caught.value.diagnostics
    assert (fault.rule, fault.file) == ("toolchain-file", str(tmp_path / "board.cmake"))
    assert "CMake does not configure with it" in fault.message
    assert any(word in fault.message for word in said.split("|"))
