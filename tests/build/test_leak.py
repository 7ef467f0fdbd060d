"""Faults found in real objects: what is missing, and what is where it should not be."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from cmaketool import catalogue, disassembly
from cmaketool.plan import Plan, PlannedKernel
from cmaketool.verify import evidence, objects
from cmaketool.verify.evidence import Exhibits
from tests.build.objectlab import (
    ARM64,
    CLANG_APPLE,
    CLANG_ARM64,
    CLANG_ARM64EC,
    CLANG_WINDOWS,
    CLANG_X86,
    CLANG_X86_APPLE,
    CLANG_X86_WINDOWS,
    GCC_ARM64,
    GCC_X86,
    LAYERS,
    ZIG_ARM64,
    Compiler,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build


def kernel(name: str, isa: str, features: tuple[str, ...], *symbols: str, **mnemonics: str) -> PlannedKernel:
    """A kernel of one source, <name>.c."""
    return PlannedKernel(
        name=name,
        option="AES",
        isa=isa,
        architectures=("arm64", "arm64ec") if isa == "arm64" else ("x86_64",),
        features=features,
        closure=catalogue.load().closure(isa, features),
        sources=(f"{name}.c",),
        symbols=symbols,
        mnemonics={symbol: tuple(words.split()) for symbol, words in mnemonics.items()},
        minimum={},
        flags={},
        attribute={},
        probe="",
        definition="T_KERNEL",
        build_macro="T_BUILD",
        target_macro="T_TARGET",
    )


@dataclass
class Lab:
    """A target of some C files and a manifest of some kernels."""

    folder: Path
    compiler: Compiler
    kernels: tuple[PlannedKernel, ...]
    files: dict[Path, objects.ObjectFile] = field(default_factory=dict)

    def add(self, name: str, text: str, *flags: str) -> Path:
        """Compile a file of the target."""
        path = self.compiler.compile(self.folder, name, text, "-O2", *flags)
        self.files[self.folder / f"{name}.c"] = objects.read(path)
        return path

    def exhibits(
        self, *, built: bool = True, allowed: tuple[str, ...] = (), program: Path | None = None
    ) -> Exhibits:
        """What a state shows: with all kernels, or with none."""
        plan = Plan(
            name="t",
            prefix="t",
            manifest="kernels.yml",
            root=self.folder,
            folder=self.folder,
            public_includes=(),
            private_includes=(),
            options=(),
            kernels=self.kernels,
        )
        names = frozenset(kernel.name for kernel in self.kernels) if built else frozenset()
        linked = objects.read(program) if program is not None else None
        return Exhibits(plan, catalogue.load(), self.files, names, allowed, linked)


def reasons(faults: list[evidence.Fault] | tuple[evidence.Fault, ...]) -> list[str]:
    return [fault.reason for fault in faults]


AES_K = kernel("k", "arm64", ("aes",), "enc", "thin", enc="aese aesmc")
BASE = "int base(int x);\nint base(int x) { return x * 7; }\n"
# shared() is weak so that every format has a weak symbol to show: not what a kernel should hold.
CLEAN = LAYERS.replace("__attribute__((weak)) int shared", "static int shared")
CLEAN = CLEAN.replace("int shared(int x);\n", "").replace("int table[4]", "static int table[4]")


@pytest.mark.parametrize("compiler", [pytest.param(c, id=f"{c.name}[B85]") for c in ARM64])
def test_a_clean_kernel_has_no_fault(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AES_K,))
    lab.add("k", CLEAN)
    lab.add("base", BASE)
    shown = lab.exhibits()
    assert evidence.symbols_present(AES_K, shown) == []
    assert evidence.mnemonics(AES_K, shown) == []
    assert evidence.leaks(shown) == evidence.Leaks((), ())


# --- symbols


@pytest.mark.parametrize("compiler", [pytest.param(CLANG_WINDOWS, id="arm64_neon.h[B14]")])
def test_cls_header_under_another_compiler(tmp_path: Path, compiler: Compiler) -> None:
    """The names that it maps the intrinsics to are known to cl alone: for others they are functions."""
    lab = Lab(tmp_path, compiler, (AES_K,))
    calls = "int neon_aeseq_u8(int);\nint base(int x);\nint base(int x) {{ return neon_aeseq_u8(x){}; }}\n"
    lab.add("k", CLEAN + calls.format("").replace("base", "middle_"))
    lab.add("base", calls.format(" + 1"))
    said = "calls neon_aeseq_u8: it includes arm64_neon.h, which is for cl alone"
    assert f"k.o {said}" in reasons(evidence.symbols_present(AES_K, lab.exhibits()))
    (fault,) = [one for one in evidence.leaks(lab.exhibits()).faults if one.kernel is None]
    assert fault.reason == f"base.o {said}"


def test_symbols_that_are_not_there(tmp_path: Path) -> None:
    lab = Lab(tmp_path, GCC_ARM64, (AES_K,))
    assert reasons(evidence.symbols_present(AES_K, lab.exhibits())) == [
        "k.c has no object file",
        "enc is not defined in any object",
        "thin is not defined in any object",
    ]
    lab.add("k", "typedef int nothing;\n")
    assert reasons(evidence.symbols_present(AES_K, lab.exhibits()))[0] == (
        "enc is not defined: k.o holds no code, its guard was false"
    )
    lab.add("base", "void enc(void);\nvoid enc(void) { }\n")
    lab.add("k", "static __attribute__((used)) void thin(void) { }\n")
    assert reasons(evidence.symbols_present(AES_K, lab.exhibits())) == [
        "enc is defined in base.o, not in k.o",
        "thin is static in k.o",
    ]


@pytest.mark.parametrize("compiler", [pytest.param(c, id=f"{c.name}[B54]") for c in ARM64])
def test_off_means_nothing_is_left(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AES_K,))
    lab.add("base", BASE)
    shown = lab.exhibits(built=False)
    assert evidence.symbols_absent(AES_K, shown) == []
    assert evidence.leaks(shown) == evidence.Leaks((), ())
    lab.add("k", CLEAN)
    shown = lab.exhibits(built=False)
    assert reasons(evidence.symbols_absent(AES_K, shown)) == [
        "enc is defined in k.o; the kernel is not to be built",
        "thin is defined in k.o; the kernel is not to be built",
    ]
    assert reasons(evidence.leaks(shown).faults) == [
        "k.o contains aese/aesmc (aese 2 in core, aesmc 2 in core), feature aes of k"
    ]


# --- mnemonics


def test_a_kernel_of_portable_c_is_found_out(tmp_path: Path) -> None:
    lab = Lab(tmp_path, GCC_ARM64, (AES_K,))
    plain = "void enc(unsigned char *p);\nvoid enc(unsigned char *p) { p[0] ^= 27; }\n"
    lab.add("k", plain + "void thin(void);\nvoid thin(void) { }\n")
    assert reasons(evidence.mnemonics(AES_K, lab.exhibits())) == [
        "enc in k.o has no aese, nor has a local function that it calls",
        "enc in k.o has no aesmc, nor has a local function that it calls",
    ]


def test_instructions_in_another_public_function_do_not_count(tmp_path: Path) -> None:
    wants = kernel("k", "arm64", ("aes",), "enc", "thin", thin="aese")
    lab = Lab(tmp_path, CLANG_ARM64, (wants,))
    lab.add("k", CLEAN)
    assert reasons(evidence.mnemonics(wants, lab.exhibits())) == [
        "thin in k.o has no aese, nor has a local function that it calls"
    ]


GCM = """
#include <wmmintrin.h>
void gcm(__m128i *p);
static __attribute__((noinline)) __m128i gcm_mult(__m128i a, __m128i b)
{
    return _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x00), _mm_clmulepi64_si128(a, b, 0x11));
}
void gcm(__m128i *p) { p[0] = gcm_mult(_mm_aesenc_si128(p[0], p[1]), p[2]); }
"""


@pytest.mark.parametrize("compiler", [pytest.param(c, id=f"{c.name}[B46]") for c in (GCC_X86, CLANG_X86)])
def test_an_instruction_that_no_feature_covers(tmp_path: Path, compiler: Compiler) -> None:
    whole = kernel("gcm", "x86_64", ("aes", "pclmul"), "gcm", gcm="aesenc pclmulqdq")
    half = kernel("gcm", "x86_64", ("aes",), "gcm")
    lab = Lab(tmp_path, compiler, (whole,))
    lab.add("gcm", GCM, "-maes", "-mpclmul", "-ffreestanding")
    assert evidence.mnemonics(whole, lab.exhibits()) == []
    assert reasons(evidence.mnemonics(half, lab.exhibits())) == [
        "pclmulqdq in gcm.o, feature pclmul not declared (pclmulqdq 2 in gcm_mult)"
    ]
    assert evidence.mnemonics(half, lab.exhibits(allowed=("pclmul",))) == []


def test_an_arm64_instruction_that_no_feature_covers() -> None:
    """Drop each feature in turn: the same, without a compiler, from the catalogue alone."""
    known = catalogue.load()
    for isa in ("arm64", "x86_64"):
        words = evidence.Exhibits(cast("Any", None), known, {}, frozenset()).words(isa)
        for name in known.features(isa):
            for mnemonic in known.feature(isa, name).mnemonics:
                needed = words.features(disassembly.canonical(mnemonic))
                assert needed, mnemonic
                assert all(name == n or name in known.closure(isa, [n]) for n in needed), (
                    name,
                    mnemonic,
                    needed,
                )


NARROW = """
#include <immintrin.h>
void narrow(__m128i *p);
void narrow(__m128i *p) { p[0] = _mm_aesenc_si128(p[0], p[1]); }
"""
WIDE = """
void wide(__m256i *p);
void wide(__m256i *p) { p[0] = _mm256_aesenc_epi128(p[0], p[1]); }
"""


def test_the_width_of_a_vex_instruction_matters(tmp_path: Path) -> None:
    both = kernel("k", "x86_64", ("vaes",), "wide", "narrow", wide="vaesenc", narrow="vaesenc")
    lab = Lab(tmp_path, GCC_X86, (both,))
    lab.add("k", NARROW + WIDE, "-maes", "-mvaes", "-mavx2")
    assert reasons(evidence.mnemonics(both, lab.exhibits())) == [
        "narrow in k.o has no vaesenc: its 1 are all 128 bits wide"
    ]
    plain = kernel("k", "x86_64", ("vaes",), "wide", "narrow", narrow="aesenc")
    assert evidence.mnemonics(plain, lab.exhibits()) == []
    under = kernel("k", "x86_64", ("aes", "avx2"), "wide", "narrow")
    assert reasons(evidence.mnemonics(under, lab.exhibits())) == [
        "vaesenc in k.o, feature vaes not declared (vaesenc 1 in wide)"
    ]
    wrong = kernel("k", "x86_64", ("aes",), "narrow")
    lab.add("k", NARROW, "-maes", "-mavx")
    found = reasons(evidence.mnemonics(wrong, lab.exhibits()))
    assert len(found) == 1
    assert found[0].startswith("k.o contains VEX instructions (vmovdqa ")
    assert found[0].endswith(" in narrow), which need AVX; the kernel declares aes")


# --- leaks

AVX2_K = """
#include <immintrin.h>
void k(int *p);
void k(int *p) { _mm256_storeu_si256((__m256i *)p, _mm256_add_epi32(_mm256_loadu_si256((__m256i *)p),
    _mm256_set1_epi32(1))); }
"""
AVX2 = kernel("k", "x86_64", ("avx2",), "k", k="vpaddd")
X86 = (GCC_X86, CLANG_X86, CLANG_X86_APPLE, CLANG_X86_WINDOWS)


@pytest.mark.parametrize("compiler", [pytest.param(c, id=f"{c.name}[B40]") for c in X86])
def test_a_helper_that_the_kernel_exports(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AVX2,))
    helper = "int lib_init_tables(int x);\nint lib_init_tables(int x) { return x + 1; }\n"
    lab.add("k", AVX2_K + helper, "-mavx2", "-ffreestanding")
    lab.add(
        "base",
        "int lib_init_tables(int x);\nint base(void);\nint base(void) { return lib_init_tables(1); }\n",
    )
    assert reasons(evidence.leaks(lab.exhibits()).faults) == [
        "k.o exports lib_init_tables, reachable without dispatch"
    ]


@pytest.mark.parametrize(
    "compiler", [pytest.param(c, id=f"{c.name}[B40]") for c in (GCC_X86, CLANG_X86, CLANG_X86_APPLE)]
)
def test_a_weak_function_in_kernel_and_base(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AVX2,))
    header = "int shared(int x);\n__attribute__((weak)) int shared(int x) { return x * 7 + 1; }\n"
    lab.add("k", AVX2_K + header, "-mavx2", "-ffreestanding")
    lab.add("base", header)
    assert reasons(evidence.leaks(lab.exhibits()).faults) == [
        "weak/COMDAT symbol shared is also defined in k.o: the linker may take that one for base.o"
    ]


@pytest.mark.parametrize(
    "compiler",
    [pytest.param(c, id=f"{c.name}[B40]") for c in (CLANG_X86, CLANG_X86_APPLE, CLANG_X86_WINDOWS)],
)
def test_an_inline_function_of_a_header_in_kernel_and_base(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AVX2,))
    header = 'extern "C" inline __attribute__((noinline)) int shared(int x) { return x * 7 + 1; }\n'
    body = AVX2_K.replace("set1_epi32(1)", "set1_epi32(shared(1))")
    body = body.replace("void k(int *p);", 'extern "C" void k(int *p);')
    lab.add("k", header + body, "-x", "c++", "-mavx2")
    lab.add("base", header + "int b(int x);\nint b(int x) { return shared(x); }\n", "-x", "c++")
    assert reasons(evidence.leaks(lab.exhibits()).faults) == [
        "weak/COMDAT symbol shared is also defined in k.o: the linker may take that one for base.o"
    ]


@pytest.mark.parametrize("compiler", [pytest.param(CLANG_ARM64EC, id="clang-arm64ec[B40]")])
def test_comdat_kernels_of_arm64ec_are_no_fault_alone(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AES_K,))
    lab.add("k", CLEAN)
    assert evidence.leaks(lab.exhibits()).faults == ()
    lab.add("base", "void thin(void);\nvoid thin(void) { }\n")
    assert reasons(evidence.leaks(lab.exhibits()).faults) == [
        "weak/COMDAT symbol thin is also defined in k.o: the linker may take that one for base.o"
    ]


@pytest.mark.parametrize("compiler", [pytest.param(c, id=f"{c.name}[B40]") for c in X86])
def test_the_kernels_flag_on_the_whole_target(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AVX2,))
    lab.add("k", AVX2_K, "-mavx2", "-ffreestanding")
    lab.add("base", "double b(double x);\ndouble b(double x) { return x * x + 1.5; }\n", "-mavx2")
    found = evidence.leaks(lab.exhibits()).faults
    assert [(fault.kernel, fault.rung, fault.source) for fault in found] == [
        ("k", "leak", tmp_path / "base.c")
    ]
    assert found[0].reason.startswith("base.o contains VEX instructions (vaddsd 1 in b, vmulsd 1 in b")
    allowed = evidence.leaks(lab.exhibits(allowed=("avx2",)))
    assert allowed.faults == ()
    assert allowed.notes == (f"{found[0].reason}: exempt, the leg's default target allows avx2",)


def test_instructions_outside_every_function_are_seen(tmp_path: Path) -> None:
    lab = Lab(tmp_path, GCC_ARM64, (AES_K,))
    lab.add("k", CLEAN)
    lab.add("base", ".arch armv8-a+crypto\n.text\n.hidden_start: aese v0.16b, v1.16b\nret\n")
    assert reasons(evidence.leaks(lab.exhibits()).faults) == [
        "base.o contains aese (aese 1 in .text), feature aes of k"
    ]


def test_another_features_instructions_are_nobodys_business(tmp_path: Path) -> None:
    lab = Lab(tmp_path, GCC_ARM64, (kernel("k", "arm64", ("sha512",), "k"),))
    lab.add("base", CLEAN)
    assert evidence.leaks(lab.exhibits()).faults == ()


EXCLUSIVE = """
void mix(unsigned long long *a, const unsigned long long *b, const unsigned long long *c);
void mix(unsigned long long *a, const unsigned long long *b, const unsigned long long *c)
{
    for (int i = 0; i < 64; i++) {
        a[i] = a[i] ^ b[i] ^ c[i];
    }
}
"""
SHA3_K = kernel("k", "arm64", ("sha3",), "k")


@pytest.mark.parametrize("compiler", [pytest.param(CLANG_APPLE, id="clang-apple[B84]")])
def test_what_the_default_target_allows_is_exempt_and_named(tmp_path: Path, compiler: Compiler) -> None:
    plain = replace(compiler, command=tuple(w for w in compiler.command if not w.startswith("-march")))
    lab = Lab(tmp_path, plain, (SHA3_K,))
    lab.add("base", EXCLUSIVE)
    found = evidence.leaks(lab.exhibits(built=False, allowed=("aes", "pmull", "sha2", "sha3")))
    assert found.faults == ()
    assert len(found.notes) == 1
    assert found.notes[0].startswith("base.o contains eor3 (eor3 ")
    assert found.notes[0].endswith(" in mix): exempt, the leg's default target allows sha3")
    strict = evidence.leaks(lab.exhibits(built=False)).faults
    assert len(strict) == 1
    assert strict[0].reason.endswith(" in mix), feature sha3 of k")


def test_what_only_the_users_flags_allow_is_a_fault(tmp_path: Path) -> None:
    lab = Lab(tmp_path, GCC_ARM64, (SHA3_K,))
    lab.add("base", EXCLUSIVE, "-O3", "-march=armv8.2-a+crypto+sha3")
    found = evidence.leaks(lab.exhibits()).faults
    assert len(found) == 1
    assert found[0].reason.startswith("base.o contains eor3 (eor3 ")


LOOP = """
void base(int *p);
void base(int *p)
{
    for (int i = 0; i < 64; i++) {
        p[i] += 1;
    }
}
"""


@pytest.mark.parametrize(
    "compiler", [pytest.param(c, id=f"{c.name}[B23]") for c in (GCC_X86, CLANG_X86, CLANG_X86_WINDOWS)]
)
def test_a_baseline_for_the_builders_own_cpu_is_counted_by_file(tmp_path: Path, compiler: Compiler) -> None:
    lab = Lab(tmp_path, compiler, (AVX2,))
    lab.add("k", AVX2_K, "-mavx2", "-ffreestanding")
    assert evidence.leaks(lab.exhibits()).faults == ()
    lab.add("base", LOOP, "-O3", "-march=haswell")  # what -march=native is on such a machine
    wide, words = reasons(evidence.leaks(lab.exhibits()).faults)
    assert re.fullmatch(r"base\.o contains VEX instructions \(vmovdqu \d+ in base, .*\)", wide)
    assert re.fullmatch(r"base\.o contains vpaddd.* \(vpaddd \d+ in base, .*\), feature avx2 of k", words)


# --- link-time optimisation

HARNESS = """
void enc(unsigned char *p);
void thin(unsigned char *p);
void outside(void *p);
__attribute__((noinline)) void outside(void *p) { *(volatile char *)p = 1; }
int main(void)
{
    static unsigned char b[64];
    void (*volatile f)(unsigned char *) = enc;
    f(b);
    thin(b);
    return b[0];
}
"""
LTO = [
    pytest.param(GCC_ARM64, ("-flto",), id="gcc[B27]"),
    pytest.param(GCC_ARM64, ("-flto", "-static"), id="gcc-static[B27]"),
    pytest.param(CLANG_ARM64, ("-flto", "-fuse-ld=lld-19"), id="clang[B27]"),
    # zig would compile its C library again, by these flags.
    pytest.param(ZIG_ARM64, ("-flto",), id="zig[B27]", marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("compiler", "flags"), LTO)
def test_under_ipo_the_program_is_the_evidence(
    tmp_path: Path, compiler: Compiler, flags: tuple[str, ...]
) -> None:
    plain = replace(compiler, command=tuple(w for w in compiler.command if w != "-ffreestanding"))
    lab = Lab(tmp_path, plain, (AES_K,))
    parts = [lab.add("k", CLEAN, "-flto"), lab.add("main", HARNESS, "-flto")]
    assert reasons(evidence.symbols_present(AES_K, lab.exhibits())) == [
        "k.o holds bitcode, and there is no linked program to look into"
    ]
    program = plain.link(tmp_path / "program", "-O2", *flags, *parts)
    shown = lab.exhibits(program=program)
    assert evidence.mnemonics(AES_K, shown) == []
    assert evidence.leaks(shown) == evidence.Leaks((), ())
    missing = kernel("k", "arm64", ("aes",), "gone", enc="aesd")
    assert reasons(evidence.symbols_present(missing, shown)) == [
        "gone is not in program (linked from bitcode)"
    ]
    assert reasons(evidence.mnemonics(missing, shown)) == [
        "enc in program has no aesd, nor has a local function that it calls"
    ]


@pytest.mark.parametrize(("compiler", "flags"), LTO[:3])
def test_under_ipo_a_leak_is_seen_in_the_program(
    tmp_path: Path, compiler: Compiler, flags: tuple[str, ...]
) -> None:
    plain = replace(compiler, command=tuple(w for w in compiler.command if w != "-ffreestanding"))
    lab = Lab(tmp_path, plain, (AES_K,))
    stray = CLEAN.replace("enc(", "stray(").replace("thin(", "other(").replace("outside(", "thin(")
    stray = stray.replace("veorq_u8", "vaddq_u8").replace(
        "(a, b)), b)", "(b, b)), a)"
    )  # or the two are merged
    main = "void stray(unsigned char *p);\n" + HARNESS.replace("thin(b);", "thin(b); stray(b);")
    parts = [lab.add("k", CLEAN, "-flto"), lab.add("main", main, "-flto"), lab.add("stray", stray, "-flto")]
    found = evidence.leaks(
        lab.exhibits(program=plain.link(tmp_path / "program", "-O2", *flags, *parts))
    ).faults
    assert len(found) == 1
    assert found[0].reason.startswith("program contains aese/aesmc (aese ")
    assert found[0].reason.endswith("feature aes of k")
