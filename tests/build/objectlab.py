"""Compiles little C files with the compilers at hand, and reads what came of it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool.verify import objects
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

# A public function without aese; the work is done in local functions below it.
LAYERS = """
#include <arm_neon.h>
extern void outside(void *);
void enc(unsigned char *p);
void thin(unsigned char *p);
int shared(int x);
int table[4] = {1, 2, 3, 4};
__attribute__((weak)) int shared(int x) { return x * 3; }
static __attribute__((noinline)) uint8x16_t core(uint8x16_t a, uint8x16_t b)
{
    return vaesmcq_u8(vaeseq_u8(vaesmcq_u8(vaeseq_u8(a, b)), b));
}
static __attribute__((noinline)) uint8x16_t middle(uint8x16_t a, uint8x16_t b)
{
    return veorq_u8(core(a, b), core(b, a));
}
void enc(unsigned char *p)
{
    outside(p + shared(table[p[0] & 3]));
    vst1q_u8(p, middle(vld1q_u8(p), vld1q_u8(p + 16)));
}
void thin(unsigned char *p)
{
    outside(p);
}
"""


@dataclass(frozen=True)
class Compiler:
    """A command, and what its objects are."""

    name: str
    command: tuple[str, ...]
    format: str
    architecture: str

    def compile(self, folder: Path, name: str, text: str, *flags: str) -> Path:
        """Compile `text` to the object `name` in `folder`."""
        source = folder / (name + (".s" if text.lstrip().startswith(".") else ".c"))
        source.write_text(text, encoding="utf-8")
        output = folder / f"{name}.o"
        self.run(*flags, "-c", str(source), "-o", str(output))
        return output

    def link(self, output: Path, *arguments: str | Path) -> Path:
        """Link."""
        self.run(*map(str, arguments), "-o", str(output))
        return output

    def run(self, *arguments: str) -> None:
        """Run the compiler; what it says is the failure's text."""
        if self.command[0] != sys.executable:
            require_tool(self.command[0])
        done = subprocess.run([*self.command, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def read(self, folder: Path, name: str, text: str, *flags: str) -> objects.ObjectFile:
        """Compile and read."""
        return objects.read(self.compile(folder, name, text, *flags))


def _clang(target: str, *flags: str) -> tuple[str, ...]:
    return ("clang-19", f"--target={target}", "-ffreestanding", *flags)


def _zig(target: str, *flags: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "ziglang", "cc", "-target", target, "-ffreestanding", *flags)


_ARM = "-march=armv8-a+crypto"
GCC_ARM64 = Compiler("gcc", ("aarch64-linux-gnu-gcc", _ARM), "elf", "arm64")
CLANG_ARM64 = Compiler("clang", _clang("aarch64-linux-gnu", _ARM), "elf", "arm64")
CLANG_APPLE = Compiler("clang-apple", _clang("arm64-apple-macos11", _ARM), "macho", "arm64")
CLANG_WINDOWS = Compiler("clang-windows", _clang("aarch64-pc-windows-msvc", _ARM), "coff", "arm64")
CLANG_ARM64EC = Compiler("clang-arm64ec", _clang("arm64ec-pc-windows-msvc", _ARM), "coff", "arm64ec")
ZIG_ARM64 = Compiler("zig", _zig("aarch64-linux-musl", "-mcpu=generic+aes"), "elf", "arm64")
ZIG_MACOS = Compiler("zig-macos", _zig("aarch64-macos", "-mcpu=generic+aes"), "macho", "arm64")
ZIG_WINDOWS = Compiler("zig-windows", _zig("aarch64-windows-gnu", "-mcpu=generic+aes"), "coff", "arm64")
GCC_X86 = Compiler("gcc-x86", ("gcc",), "elf", "x86_64")
CLANG_X86 = Compiler("clang-x86", _clang("x86_64-linux-gnu"), "elf", "x86_64")
CLANG_X86_APPLE = Compiler("clang-x86-apple", _clang("x86_64-apple-macos11"), "macho", "x86_64")
CLANG_X86_WINDOWS = Compiler("clang-x86-windows", _clang("x86_64-pc-windows-msvc"), "coff", "x86_64")

ARM64 = (
    GCC_ARM64, CLANG_ARM64, CLANG_APPLE, CLANG_WINDOWS, CLANG_ARM64EC, ZIG_ARM64, ZIG_MACOS, ZIG_WINDOWS,
)  # fmt: skip
X86 = (GCC_X86, CLANG_X86, CLANG_X86_APPLE, CLANG_X86_WINDOWS)
