"""What real compilers' objects and programs hold."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import CmaketoolError
from cmaketool.verify import objects
from tests.build.objectlab import (
    ARM64,
    CLANG_APPLE,
    CLANG_ARM64,
    CLANG_WINDOWS,
    CLANG_X86_APPLE,
    GCC_ARM64,
    GCC_X86,
    LAYERS,
    X86,
    ZIG_ARM64,
    Compiler,
)
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build


def called(function: objects.Function | None) -> tuple[str, ...]:
    assert function is not None
    return tuple(name for name, _ in function.targets)


NEAR_AND_FAR = """
int far_away(int x);
int near_by(int x);
int tail(int x);
__attribute__((weak)) int soft(int x) { return x * 3; }
static __attribute__((noinline)) int hidden(int x) { return x * 77 + soft(x); }
int near_by(int x) { return hidden(x) + hidden(x + 1) + far_away(x); }
int tail(int x) { return hidden(x); }
"""


@pytest.mark.parametrize("compiler", [pytest.param(c, id=f"{c.name}[B85]") for c in ARM64])
def test_instructions_are_found_below_the_public_symbol(tmp_path: Path, compiler: Compiler) -> None:
    found = compiler.read(tmp_path, "k", LAYERS, "-O2")
    assert (found.format, found.architecture, found.is_bitcode) == (
        compiler.format,
        compiler.architecture,
        False,
    )
    enc, core = found.function("enc"), found.function("core")
    assert enc is not None
    assert core is not None
    assert "aese" not in enc.mnemonics
    assert core.mnemonics["aese"] == 2
    assert objects.reachable(found, "enc")["aese"] == 2
    assert "aese" not in objects.reachable(found, "thin")
    assert objects.reachable(found, "nowhere") == {}


@pytest.mark.parametrize("compiler", ARM64, ids=lambda c: c.name)
def test_symbols_are_told_apart(tmp_path: Path, compiler: Compiler) -> None:
    found = compiler.read(tmp_path, "k", LAYERS, "-O2")
    kinds = {f.name: (f.local, f.weak) for f in found.functions if "thunk" not in f.name}
    assert {name: local for name, (local, _) in kinds.items()} == {
        "core": True, "middle": True, "enc": False, "thin": False, "shared": False,
    }  # fmt: skip
    assert kinds["shared"][1]
    assert not kinds["core"][1]
    assert "outside" in found.undefined
    assert "shared" not in found.undefined
    assert called(found.function("middle")) == ("core",)


@pytest.mark.parametrize("compiler", X86, ids=lambda c: c.name)
@pytest.mark.parametrize("flags", [(), ("-ffunction-sections",)], ids=["plain", "sections"])
def test_x86_calls_and_tail_jumps(tmp_path: Path, compiler: Compiler, flags: tuple[str, ...]) -> None:
    found = compiler.read(tmp_path, "k", NEAR_AND_FAR, "-O2", *flags)
    assert (found.format, found.architecture) == (compiler.format, "x86_64")
    calls = {function.name: called(function) for function in found.functions}
    assert calls["near_by"] == ("far_away", "hidden")
    assert calls["tail"] == ("hidden",)
    assert calls["hidden"] == ("soft",)
    assert found.undefined == ("far_away",)
    assert objects.reachable(found, "tail")["imul"] == 1


def test_a_call_by_section_symbol_and_addend(tmp_path: Path) -> None:
    text = """
    .text
    .globl entry
    entry: call .Lsecond
    ret
    .section .text.other,"ax"
    .type first,@function
    first: nop
    ret
    .size first,.-first
    .type second,@function
    .Lsecond:
    second: pause
    ret
    .size second,.-second
    """
    found = GCC_X86.read(tmp_path, "k", text)
    assert called(found.function("entry")) == ("second",)
    assert objects.reachable(found, "entry") == {"call": 1, "pause": 1, "ret": 2}


def test_data_in_arm64_code_is_passed_over(tmp_path: Path) -> None:
    text = """
    .arch armv8-a+crypto
    .text
    .globl f
    .type f,%function
    f: ldr w0, table
    .inst 0
    aese v0.16b, v1.16b
    ret
    table: .word 0x4e284820
    .word 0xffffffff
    .size f,.-f
    .globl g
    .type g,%function
    g: aesmc v0.16b, v0.16b
    ret
    .size g,.-g
    """
    found = GCC_ARM64.read(tmp_path, "k", text)
    f, g = found.function("f"), found.function("g")
    assert f is not None
    assert g is not None
    assert f.mnemonics["aese"] == 1  # 0x4e284820 is aese too, but it is a table's word
    assert g.mnemonics == {"aesmc": 1, "ret": 1}


def test_data_in_macho_code_is_passed_over(tmp_path: Path) -> None:
    cases = "".join(f"case {n}: o{n % 3}(p + {n}); return p[{n * n}];" for n in range(9))
    text = "void o0(int*); void o1(int*); void o2(int*); int s(unsigned, int*);\n"
    text += f"int s(unsigned x, int *p) {{ switch (x) {{ {cases} }} return 1; }}\n"
    found = CLANG_X86_APPLE.read(tmp_path, "k", text, "-O2")
    s = found.function("s")
    assert s is not None
    end = s.ranges[-1][1]
    assert end < s._code.image.sections[s.section].size
    assert found.unnamed == ()


def test_mnemonics_say_what_they_need(tmp_path: Path) -> None:
    text = """
    .text
    f: rep movsb
    lock incl (%rax)
    vaesenc %xmm0, %xmm1, %xmm2
    vaesenc %ymm0, %ymm1, %ymm2
    pclmulqdq $0x11, %xmm0, %xmm1
    vpclmulqdq $0, %ymm0, %ymm1, %ymm2
    verr %ax
    vzeroupper
    jne f
    """
    found = GCC_X86.read(tmp_path, "k", ".globl f\n" + text)
    f = found.function("f")
    assert f is not None
    assert f.mnemonics == {
        "movsb": 1, "inc": 1, "vaesenc_xmm": 1, "vaesenc": 1, "pclmulqdq": 1, "vpclmulqdq": 1, "verr": 1,
        "vzeroupper": 1, "jne": 1,
    }  # fmt: skip
    arm = """
    .arch armv8.2-a+crypto+sha3
    .globl f
    f: pmull v0.8h, v1.8b, v2.8b
    pmull v0.1q, v1.1d, v2.1d
    pmull2 v0.1q, v1.2d, v2.2d
    pmull2 v0.8h, v1.16b, v2.16b
    eor3 v0.16b, v1.16b, v2.16b, v3.16b
    sha512h q0, q1, v2.2d
    b.ne f
    """
    g = GCC_ARM64.read(tmp_path, "a", arm).function("f")
    assert g is not None
    assert g.mnemonics == {
        "pmull_8h": 1,
        "pmull": 1,
        "pmull2": 1,
        "pmull2_8h": 1,
        "eor3": 1,
        "sha512h": 1,
        "b": 1,
    }


@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        pytest.param(GCC_ARM64, ("-flto",), id="gcc-slim[B85]"),
        pytest.param(GCC_ARM64, ("-flto", "-ffat-lto-objects"), id="gcc-fat[B85]"),
        pytest.param(CLANG_ARM64, ("-flto",), id="clang[B85]"),
        pytest.param(CLANG_ARM64, ("-flto=thin",), id="clang-thin[B85]"),
        pytest.param(CLANG_APPLE, ("-flto",), id="clang-apple[B85]"),
        pytest.param(ZIG_ARM64, ("-flto",), id="zig[B85]"),
    ],
)
def test_bitcode_is_known_as_such(tmp_path: Path, compiler: Compiler, flags: tuple[str, ...]) -> None:
    found = compiler.read(tmp_path, "k", LAYERS, "-O2", *flags)
    assert found.is_bitcode
    assert found.mentions("enc")
    assert found.mentions("outside")
    assert not found.mentions("no_such_name")


MAIN = """
void enc(unsigned char *p);
void thin(unsigned char *p);
void outside(void *p);
void outside(void *p) { *(volatile char *)p = 1; }
int main(void)
{
    static unsigned char b[64];
    void (*volatile f)(unsigned char *) = enc;
    f(b);
    thin(b);
    return b[0];
}
"""


@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        pytest.param(GCC_ARM64, (), id="gcc[B85]"),
        pytest.param(GCC_ARM64, ("-flto",), id="gcc-lto[B85]"),
        pytest.param(GCC_ARM64, ("-static",), id="gcc-static[B85]"),
        pytest.param(CLANG_ARM64, ("-fuse-ld=lld-19",), id="clang[B85]"),
        pytest.param(CLANG_ARM64, ("-flto", "-fuse-ld=lld-19"), id="clang-lto[B85]"),
    ],
)
def test_linked_programs_are_followed_by_address(
    tmp_path: Path, compiler: Compiler, flags: tuple[str, ...]
) -> None:
    parts = [compiler.compile(tmp_path, "k", LAYERS, "-O2", *flags[:1] if "lto" in str(flags) else ())]
    parts += [compiler.compile(tmp_path, "m", MAIN, "-O2", *flags[:1] if "lto" in str(flags) else ())]
    found = objects.read(compiler.link(tmp_path / "program", *parts, "-O2", *flags))
    assert (found.format, found.is_bitcode) == ("elf", False)
    assert objects.reachable(found, "enc")["aese"] >= 2
    assert objects.reachable(found, "main").get("aese", 0) == 0


def test_a_linked_macho_library(tmp_path: Path) -> None:
    part = CLANG_APPLE.compile(tmp_path, "k", LAYERS, "-O2")
    output = tmp_path / "k.dylib"
    command = [
        require_tool("ld64.lld-19"),
        "-dylib",
        "-arch",
        "arm64",
        "-platform_version",
        "macos",
        "11.0",
        "11.0",
    ]
    subprocess.run([*command, "-undefined", "dynamic_lookup", str(part), "-o", str(output)], check=True)
    found = objects.read(output)
    assert (found.format, found.architecture) == ("macho", "arm64")
    assert objects.reachable(found, "enc")["aese"] == 2


def test_a_linked_dll(tmp_path: Path) -> None:
    part = CLANG_WINDOWS.compile(tmp_path, "k", LAYERS + "void outside(void *p) { *(char *)p = 1; }\n", "-O2")
    output = tmp_path / "k.dll"
    command = [
        require_tool("lld-link-19"),
        "/dll",
        "/noentry",
        "/export:enc",
        "/export:thin",
        f"/out:{output}",
    ]
    subprocess.run([*command, str(part)], check=True, capture_output=True)
    found = objects.read(output)
    assert (found.format, found.architecture) == ("coff", "arm64")
    assert {function.name for function in found.functions if not function.local} >= {"enc", "thin"}
    assert sum(f.mnemonics.get("aese", 0) for f in found.functions + found.unnamed) == 2


def test_a_universal_file_is_read_slice_by_slice(tmp_path: Path) -> None:
    parts = [str(CLANG_APPLE.compile(tmp_path, "a", LAYERS, "-O2"))]
    parts += [str(CLANG_X86_APPLE.compile(tmp_path, "x", NEAR_AND_FAR, "-O2"))]
    output = tmp_path / "both.o"
    subprocess.run([require_tool("llvm-lipo-19"), "-create", *parts, "-output", str(output)], check=True)
    assert objects.reachable(objects.read(output, "arm64"), "enc")["aese"] == 2
    assert objects.read(output, "x86_64").function("near_by") is not None
    assert objects.reachable(objects.read(output, "x86_64"), "tail")["imul"] == 1
    assert objects.read(output).architecture in {"arm64", "x86_64"}


@pytest.mark.parametrize("contents", [b"", b"int main(void) { return 0; }\n", b"\x7fELF\x02\x01\x01"])
def test_what_is_no_object_is_said_to_be_none(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "k.o"
    path.write_bytes(contents)
    with pytest.raises(CmaketoolError, match="is no object file of a known format and machine"):
        objects.read(path)


def test_a_machine_without_kernels_is_refused(tmp_path: Path) -> None:
    path = GCC_X86.compile(tmp_path, "k", "int f(void);\nint f(void) { return 1; }\n", "-m32")
    with pytest.raises(CmaketoolError, match="is no object file of a known format and machine"):
        objects.read(path)


def test_an_object_without_code_is_empty(tmp_path: Path) -> None:
    found = GCC_X86.read(tmp_path, "k", "typedef int nothing;\n")
    assert (found.functions, found.unnamed, found.is_bitcode) == ((), (), False)
