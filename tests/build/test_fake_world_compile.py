"""The generated C compiles without a warning for every system, whatever the compiler and the headers lack."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.build.worlds import (
    COMPILERS,
    GENERATED,
    PAIRS,
    STANDARDS,
    STRICT,
    SYSTEMS,
    ZIG,
    Compiler,
    Worlds,
    decode,
    planned,
    shared,
)
from tests.support import require_tool

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.build

KERNELS = tuple(f"-D{one.definition}" for one in planned().kernels)
# By name: definitions that change what is compiled.
VARIATIONS = {
    "all": KERNELS,
    "no-kernel": (),
    "no-override": (*KERNELS, "-DPOL_CPU_NO_OVERRIDE"),
    "counted": (*KERNELS, "-DPOL_DISPATCH_COUNT"),
}
LINUX_VARIATIONS = VARIATIONS | {"no-header": (*KERNELS, "-DPOL_CPU_NO_AUXV_H")}
TARGETS = (
    "aarch64-linux-musl",
    "x86_64-linux-musl",
    "aarch64-windows-gnu",
    "x86_64-windows-gnu",
    "aarch64-macos",
    "x86_64-macos",
    "aarch64-freebsd",
    "x86_64-freebsd",
    "aarch64-openbsd",
    "x86_64-openbsd",
    "x86_64-netbsd",
    "riscv64-linux-musl",
    "wasm32-wasi",
)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Worlds:
    return shared(tmp_path_factory.getbasetemp())


def compile_all(command: Sequence[str], sources: Path, folder: Path, *, at_once: bool = True) -> None:
    """Compile all generated C; whatever a compiler says is a fault."""
    require_tool(command[0])
    files = [str(sources / name) for name in GENERATED]
    for words in [files] if at_once else [[file] for file in files]:
        done = subprocess.run(
            [*command, *STRICT, "-c", *words], capture_output=True, text=True, cwd=folder, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), " ".join([*command, *words])


def compile_for(target: str, flags: Sequence[str], sources: Path, folder: Path) -> None:
    """Compile it with zig, which makes one object of all files of a command, but none for Windows."""
    command = [*ZIG, "-target", target, *flags]
    compile_all(command, sources, folder, at_once="windows" not in target)


@pytest.mark.parametrize(
    ("compiler", "system"),
    [pytest.param(one, system, id=f"{one.name}-{system}[B30]") for one, system in PAIRS],
)
def test_no_warning(worlds: Worlds, tmp_path: Path, compiler: Compiler, system: str) -> None:
    command = [*compiler.command, *SYSTEMS[system].flags, *worlds.includes(system, compiler.isa)]
    standards = STANDARDS if system != "other" else ("c11",)  # before, C has no atomics of its own
    variations = LINUX_VARIATIONS if system == "linux" else VARIATIONS
    for standard in standards:
        compile_all([*command, f"-std={standard}", "-O2", *KERNELS], worlds.sources, tmp_path)
    for flags in variations.values():
        compile_all([*command, f"-std={standards[0]}", "-fsyntax-only", *flags], worlds.sources, tmp_path)


@pytest.mark.parametrize("target", [pytest.param(one, id=f"{one}[B30]") for one in TARGETS])
def test_no_warning_with_real_headers(worlds: Worlds, tmp_path: Path, target: str) -> None:
    own = worlds.own_includes()
    for standard in STANDARDS:
        compile_for(target, [*own, f"-std={standard}", *KERNELS], worlds.sources, tmp_path)
    least = ["-DPOL_CPU_NO_OVERRIDE", "-DPOL_DISPATCH_COUNT"]
    compile_for(target, [*own, "-std=c99", *least], worlds.sources, tmp_path)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_warning_on_this_system(worlds: Worlds, tmp_path: Path, compiler: str) -> None:
    command = [*COMPILERS[compiler].command, *worlds.own_includes()]
    for flags in LINUX_VARIATIONS.values():
        compile_all([*command, "-std=c99", "-fsyntax-only", *flags], worlds.sources, tmp_path)
    for standard in ("c11", "gnu11"):
        compile_all([*command, f"-std={standard}", "-fsyntax-only", *KERNELS], worlds.sources, tmp_path)


@pytest.mark.parametrize("compiler", ["clang-arm64", "clang-x86_64"])
def test_the_public_header_is_cplusplus_too(worlds: Worlds, tmp_path: Path, compiler: str) -> None:
    source = tmp_path / "user.cpp"
    text = '#include "policies_cpu.h"\nuint32_t word();\nuint32_t word() { return pol_cpu_features(); }\n'
    source.write_text(text, encoding="utf-8")
    strict = [flag for flag in STRICT if flag != "-Wmissing-prototypes"]
    command = [*COMPILERS[compiler].command, "-std=c++11", *strict, *worlds.own_includes(), "-fsyntax-only"]
    require_tool(command[0])
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# Systems and architectures that nobody told us how to ask


@pytest.mark.parametrize("compiler", ["gcc-arm64", "clang-arm64"])
def test_an_unknown_system(worlds: Worlds, tmp_path: Path, compiler: str) -> None:
    require_tool(COMPILERS[compiler].command[0])
    unknown = SYSTEMS["unknown"]
    command = [
        *COMPILERS[compiler].command,
        *unknown.flags,
        *worlds.includes("unknown", "arm64"),
        "-fsyntax-only",
    ]
    source = worlds.sources / "policies_cpu.c"
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "unknown_system: none" in done.stderr
    allowed = worlds.render("unknown-allowed", "none")
    for standard in STANDARDS:
        for flags in VARIATIONS.values():
            compile_all([*command, f"-I{allowed}", f"-std={standard}", *flags], allowed, tmp_path)


def test_an_unknown_system_that_is_allowed_has_no_features(tmp_path: Path) -> None:
    program = Worlds(tmp_path, unknown_system="none").program("gcc-arm64", "unknown")
    said = program.ask("hwcap=0xffffffff", "present=30", "env=2d616573", "features", "report", "call")
    assert decode("arm64", said.words("features")[0]) == set()
    assert said.report["override"] == "unavailable"
    assert said.calls[0] == {
        "ghash": "portable", "digest": "portable", "sha3": "portable,portable", "first": "portable",
        "blocks": "portable",
    }  # fmt: skip


# Linux without its header

HWCAP = {"aes": 3, "pmull": 4, "sha1": 5, "sha2": 6, "sha3": 17, "sha512": 21}


def mirror(source: Path, target: Path, *left_out: str) -> None:
    """Link to all of an include folder but some files."""
    target.mkdir()
    for one in source.iterdir():
        if not any(name.split("/")[0] == one.name for name in left_out):
            (target / one.name).symlink_to(one)
    for name in {name.split("/")[0] for name in left_out if "/" in name}:
        rest = [one.partition("/")[2] for one in left_out if one.startswith(f"{name}/")]
        mirror(source / name, target / name, *rest)


@pytest.fixture(scope="module")
def old_headers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Headers of a C library for arm64 that lacks sys/auxv.h."""
    require_tool("aarch64-linux-gnu-gcc")
    found = Path("/usr/aarch64-linux-gnu/include")
    folder = tmp_path_factory.mktemp("headers") / "include"
    mirror(found, folder, "sys/auxv.h")
    return folder


def without_header(how: str, old_headers: Path) -> tuple[str, tuple[str, ...]]:
    """Return a compiler and the flags by which it has no sys/auxv.h, or is told so."""
    if how == "told":
        return "gcc-arm64", ("-DPOL_CPU_NO_AUXV_H",)
    if how == "cannot-ask":  # the header is there, and fails
        return "clang-arm64", ("-DPOL_CPU_NO_AUXV_H", "-U__has_include", "-Wno-builtin-macro-redefined")
    return "clang-arm64", ("-nostdlibinc", "-isystem", str(old_headers))


@pytest.mark.parametrize(
    "how", [pytest.param(one, id=f"{one}[B42]") for one in ("told", "cannot-ask", "missing")]
)
def test_without_the_header(worlds: Worlds, old_headers: Path, how: str) -> None:
    compiler, flags = without_header(how, old_headers)
    program = worlds.program(compiler, "linux", *flags, real=True)
    for model, names in {
        "cortex-a72": {"aes", "pmull", "sha1", "sha2"},
        "cortex-a57": {"aes", "pmull", "sha1", "sha2"},
        "max": {*HWCAP},
    }.items():
        said = program.ask("features", "env=2d616573", "report", runner=("qemu-aarch64", "-cpu", model))
        assert decode("arm64", said.words("features")[0]) & {*HWCAP} == names
        assert said.report["override"] == 'applied "-aes"'  # AT_SECURE is there too
        said = program.ask(
            "files=3", "env=2d616573", "features", "report", "call", runner=("qemu-aarch64", "-cpu", model)
        )
        assert decode("arm64", said.words("features")[0]) == set()  # nothing can be read
        assert said.report["override"] == "ignored: set-id program"


@pytest.mark.parametrize("case", ["B52"])
def test_nothing_that_old_libraries_lack_is_called(worlds: Worlds, tmp_path: Path, case: str) -> None:
    poison = tmp_path / "poison.h"
    text = "#include <stdlib.h>\n#include <unistd.h>\n#pragma GCC poison secure_getenv __secure_getenv\n"
    poison.write_text(text, encoding="utf-8")
    own = [*worlds.own_includes(), "-include", str(poison), *KERNELS]
    for compiler in COMPILERS.values():
        compile_all([*compiler.command, *own], worlds.sources, tmp_path)
    for target in ("aarch64-linux-musl", "x86_64-linux-musl"):
        compile_for(target, own, worlds.sources, tmp_path)
