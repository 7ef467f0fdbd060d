"""Real programs, compiled by the embedded leg's compiler, in the embedded emulator."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from cmaketool import toolchains
from cmaketool.toolchains import aarch64_elf
from cmaketool.toolchains.aarch64_cpu import Ended
from cmaketool.toolchains.aarch64_linux import name_of
from cmaketool.toolchains.unicorn_aarch64 import DEFAULT_HWCAP, HWCAP, Machine
from tests.build.emulated import Emulator
from tests.support import require_tool

pytestmark = pytest.mark.build

EMULATOR = Emulator("unicorn_aarch64")
run = EMULATOR.run

PROGRAM = r"""
#define _GNU_SOURCE
#include <arm_acle.h>
#include <arm_neon.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
volatile uint64_t seed = 3;

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("aes,sha2,sha3,crc,lse"))), apply_to = function)
#endif
static void show(const char *name, uint64x2_t v)
{
    printf("%s %016" PRIx64 "%016" PRIx64 "\n", name, vgetq_lane_u64(v, 1), vgetq_lane_u64(v, 0));
}

__attribute__((noinline)) static void features(void)
{
    uint64x2_t a = vdupq_n_u64(seed * 0x9e3779b97f4a7c15u), b = vdupq_n_u64(seed * 0xc2b2ae3d27d4eb4fu);
    uint64x2_t c = vcombine_u64(vcreate_u64(seed), vcreate_u64(~seed));
    uint32x4_t w = vreinterpretq_u32_u64(a), x = vreinterpretq_u32_u64(b), y = vreinterpretq_u32_u64(c);
#if defined(__clang__)
    uint64_t word = seed;
    uint8x16_t p = vreinterpretq_u8_u64(a), q = vreinterpretq_u8_u64(b);
    show("aes", vreinterpretq_u64_u8(vaesmcq_u8(vaeseq_u8(p, q))));
    show("aesd", vreinterpretq_u64_u8(vaesimcq_u8(vaesdq_u8(p, q))));
    show("pmull", vreinterpretq_u64_p128(vmull_p64(vgetq_lane_p64(vreinterpretq_p64_u64(a), 0), 0x87)));
    show("sha1", vreinterpretq_u64_u32(vsha1cq_u32(w, 7, x)));
    show("sha2", vreinterpretq_u64_u32(vsha256hq_u32(w, x, y)));
    show("sha256su", vreinterpretq_u64_u32(vsha256su1q_u32(w, x, vsha256su0q_u32(y, w))));
    show("sha512", vsha512hq_u64(a, b, c));
    show("sha3", veor3q_u64(a, vrax1q_u64(b, c), vxarq_u64(a, c, 3)));
    printf("crc32 %08x\n", __crc32cd(1, seed));
    __asm__ volatile("ldadd %1, %0, [%2]" : "=r"(word) : "r"(word), "r"(&seed) : "memory");
    printf("atomics %d %d\n", (int)word, (int)seed);
#endif
    show("asimd", vreinterpretq_u64_u32(vaddq_u32(w, vmulq_u32(x, y))));
    printf("fp %.17g\n", (double)seed / 7.0);
}
#if defined(__clang__)
#pragma clang attribute pop
#endif

__attribute__((noinline)) void touch(volatile unsigned char *p) { *p = 1; }
__attribute__((noinline)) int look(volatile unsigned char *p) { return *p; }

static void guard(const char *how)
{
    long page = sysconf(_SC_PAGESIZE);
    unsigned char *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(p, 7, 3 * page);
    if (strcmp(how, "none") == 0) mprotect(p + page, page, PROT_NONE);
    if (strcmp(how, "read") == 0) mprotect(p + page, page, PROT_READ);
    if (strcmp(how, "gone") == 0) munmap(p + page, page);
    touch(p + page - 1);
    touch(p + 2 * page);
    printf("edges %d at %p\n", p[page - 1] + p[2 * page], (void *)(p + page));
    if (strcmp(how, "closed") == 0) {
        mprotect(p + page, page, PROT_READ);
        look(p + page);
        mprotect(p + page, page, PROT_NONE);
        look(p + page);
    }
    if (strcmp(how, "open") == 0) { mprotect(p + page, page, PROT_NONE); mprotect(p + page, page, 3); }
    touch(p + page);
    printf("inside %d\n", p[page]);
}

/* Writes a function over another one, as a compiler at run time does. */
static void rewritten(void)
{
    long page = sysconf(_SC_PAGESIZE);
    uint32_t *code = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (uint32_t i = 7; i < 10; i++) {
        mprotect(code, page, PROT_READ | PROT_WRITE);
        code[0] = 0x52800000u | i << 5; /* mov w0, #i */
        code[1] = 0xd65f03c0u;          /* ret */
        mprotect(code, page, PROT_READ | PROT_EXEC);
        __builtin___clear_cache((char *)code, (char *)(code + 2));
        printf("%d ", ((int (*)(void))(uintptr_t)code)());
    }
}

static void memory(void)
{
    unsigned char *p = malloc(10), *fixed, *big;
    long page = sysconf(_SC_PAGESIZE);
    size_t n;
    for (n = 10; n < 50u << 20; n *= 3) { p = realloc(p, n); memset(p + n / 3, 5, n - n / 3); }
    for (n = 10 / 3; n < 1000; n++) if (p[n] != 5) abort();
    free(p);
    fixed = mmap((void *)0x5000000000, page, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    fixed[0] = 9;
    fixed = mmap(fixed, page, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    big = mmap(NULL, (size_t)1 << 40, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("fixed %p %d, too big %d, brk %d\n", (void *)fixed, fixed[0], big == MAP_FAILED ? errno : 0,
           sbrk(1 << 20) != (void *)-1);
}

static void vectors(void)
{
    char a[3], b[100];
    struct iovec in[2] = {{a, sizeof a}, {b, sizeof b}}, out[2] = {{b, 2}, {a, 3}};
    long got = readv(0, in, 2);
    if (writev(1, out, 2) != 5) abort();
    printf(" %ld\n", got);
}

static void times(void)
{
    struct timespec a, b, pause = {5, 0};
    struct utsname name;
    clock_gettime(CLOCK_MONOTONIC, &a);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    uname(&name);
    printf("%d %d ", (int)((b.tv_sec - a.tv_sec) / 5), time(NULL) > 1600000000);
    printf("%s %s\n", name.sysname, name.machine);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    char buffer[1 << 16];
    size_t n, total = 0;
    if (strcmp(what, "words") == 0) {
        while (*argv) printf("%s|", *argv++);
        for (char **e = environ; *e; e++) printf("%s|", *e);
        return 7;
    }
    if (strcmp(what, "input") == 0) {
        while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0) { fwrite(buffer, 1, n, stdout); total += n; }
        fprintf(stderr, "%zu", total);
    }
    if (strcmp(what, "order") == 0)
        for (int i = 0; i < 3; i++) { printf("o%d\n", i); fflush(stdout); fprintf(stderr, "e%d\n", i); }
    if (strcmp(what, "hwcap") == 0)
        printf("%lx %lx %ld", getauxval(AT_HWCAP), getauxval(AT_HWCAP2), getauxval(AT_PAGESZ));
    if (strcmp(what, "features") == 0) features();
    if (strcmp(what, "guard") == 0) guard(argv[2]);
    if (strcmp(what, "rewritten") == 0) rewritten();
    if (strcmp(what, "memory") == 0) memory();
    if (strcmp(what, "vectors") == 0) vectors();
    if (strcmp(what, "times") == 0) times();
    if (strcmp(what, "trap") == 0) __builtin_trap();
    if (strcmp(what, "undefined") == 0) __asm__ volatile(".inst 0x00000000");
    if (strcmp(what, "abort") == 0) { printf("before"); fflush(stdout); abort(); }
    if (strcmp(what, "null") == 0) { touch((unsigned char *)(seed - 3)); }
    if (strcmp(what, "null-call") == 0) { ((void (*)(void))(uintptr_t)(seed - 3))(); }
    if (strcmp(what, "socket") == 0) { printf("before\n"); syscall(198, 2, 1, 0); }
    if (strcmp(what, "file") == 0) { printf("%d", fopen("/etc/passwd", "r") == NULL ? errno : 0); }
    if (strcmp(what, "forever") == 0) { printf("partly\n"); fflush(stdout); for (;;) __asm__ volatile(""); }
    if (strcmp(what, "loop") == 0) {
        long rounds = atol(argv[2]);
        __asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(rounds) : : "cc");
        printf("%d", (int)time(NULL) >= 0);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def zig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zig")
    leg = toolchains.find(toolchains.leg("zig-aarch64-linux-musl"), folder)
    assert isinstance(leg, toolchains.Leg), leg
    leg.warm()
    return folder / "bin" / "cc"


def compiled(compiler: str | Path, folder: Path, *options: str, source: str = PROGRAM) -> Path:
    (folder / "program.c").write_text(source, encoding="utf-8")
    program = folder / "program"
    command = [str(compiler), "-O2", *(options or ["-static"]), str(folder / "program.c"), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


@pytest.fixture(scope="module")
def program(zig: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(zig, tmp_path_factory.mktemp("musl"))


def test_arguments_environment_and_exit_code(program: Path) -> None:
    options = ("--env", "A=1", "--env", "B=x y")
    expected = f"{program}|words|--count|ö|A=1|B=x y|"
    assert run(program, "words", "--count", "ö", options=options) == (7, expected, "")


def test_large_input_goes_through_unchanged(program: Path) -> None:
    data = bytes(i * 7 & 0x7F for i in range(300_000))
    assert run(program, "input", data=data) == (0, data.decode(), "300000")


def test_vectored_input_and_output(program: Path) -> None:
    assert run(program, "vectors", data=b"abcdefg") == (0, "deabc 7\n", "")


def test_streams_keep_their_order(program: Path) -> None:
    command = EMULATOR.command(program, "order")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=True)
    assert done.stdout == b"o0\ne0\no1\ne1\no2\ne2\n"


def test_output_that_the_system_does_not_take(program: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            EMULATOR.command(program, "words"), stdout=full, stderr=subprocess.PIPE, check=False
        )
    message = b"unicorn_aarch64: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (125, message)


@pytest.mark.parametrize(("what", "code"), [("words", 7), ("input", 128 + 13)], ids=["little", "much"])
def test_output_that_nobody_reads(program: Path, what: str, code: int) -> None:
    command = EMULATOR.command(program, what)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, input=bytes(1 << 20), stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize("word", [None, 0, 0x3FB & ~(1 << 3), (1 << 63) | 5])
def test_any_capability_word(program: Path, word: int | None) -> None:
    options = () if word is None else ("--hwcap", hex(word))
    expected = DEFAULT_HWCAP if word is None else word
    assert run(program, "hwcap", options=options) == (0, f"{expected:x} 0 4096", "")


def test_the_default_word_names_what_the_cpu_does(program: Path) -> None:
    code, output, errors = run(program, "features")
    assert (code, errors) == (0, "")
    done = set(re.findall(r"^(\w+) ", output, re.MULTILINE))
    assert {name for name, bit in HWCAP.items() if DEFAULT_HWCAP & bit} <= done


def test_the_cpu_agrees_with_qemu(program: Path) -> None:
    qemu = require_tool("qemu-aarch64")
    other = subprocess.run(
        [qemu, "-cpu", "max", str(program), "features"], capture_output=True, text=True, check=True
    )
    assert run(program, "features") == (0, other.stdout, "")


@pytest.mark.parametrize(
    ("how", "kind"),
    [("none", "write"), ("read", "write"), ("gone", "write"), ("closed", "read")],
    ids=["none", "read-only", "unmapped", "closed"],
)
def test_a_guard_page_stops_the_program_where_it_is(program: Path, how: str, kind: str) -> None:
    code, output, errors = run(program, "guard", how)
    match = re.fullmatch(r"edges 2 at (0x[0-9a-f]+)\n", output)
    assert code == 125
    assert match
    expected = (
        rf"unicorn_aarch64: {kind} of 1 bytes at {match[1]}, which the program may not do, "
        r"at pc 0x[0-9a-f]+ in (touch|look)\+0x[0-9a-f]+\n"
    )
    assert re.fullmatch(expected, errors), errors


def test_a_guard_page_that_is_opened_again(program: Path) -> None:
    code, output, _ = run(program, "guard", "open")
    assert code == 0
    assert output.endswith("inside 1\n")


def test_code_that_is_written_again_is_run_as_it_is(program: Path) -> None:
    assert run(program, "rewritten") == (0, "7 8 9 ", "")


def test_memory_is_had_and_given_back(program: Path) -> None:
    assert run(program, "memory") == (0, "fixed 0x5000000000 0, too big 12, brk 0\n", "")


def test_time_passes_without_waiting(program: Path) -> None:
    begin = time.monotonic()
    assert run(program, "times") == (0, "1 1 Linux aarch64\n", "")
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    ("what", "code", "message"),
    [
        ("trap", 125, r"a breakpoint \(__builtin_trap\), at pc 0x[0-9a-f]+ in main\+0x[0-9a-f]+"),
        ("undefined", 125, r"undefined instruction 0x00000000, at pc 0x[0-9a-f]+ in main\+0x[0-9a-f]+"),
        ("null", 125, r"write of 1 bytes at 0x0, which .*, at pc 0x[0-9a-f]+ in touch\+0x[0-9a-f]+"),
        ("null-call", 125, r"instruction fetch of \d+ bytes at 0x0, which .*, at pc 0x0"),
        ("abort", 134, r"the program ended itself by signal 6, at pc .*"),
        ("socket", 125, r"system call 198 \(socket\) is not emulated, at pc .*"),
    ],
)
def test_what_is_not_right_is_said(program: Path, what: str, code: int, message: str) -> None:
    returned, output, errors = run(program, what)
    assert returned == code
    assert re.fullmatch(f"unicorn_aarch64: {message}\n", errors, re.IGNORECASE), errors
    assert output == {"abort": "before", "socket": "before\n"}.get(what, "")


def test_there_are_no_files(program: Path) -> None:
    assert run(program, "file") == (0, "2", "")


def test_the_time_limit(program: Path) -> None:
    code, output, errors = run(program, "forever", options=("--timeout", "0.5"))
    assert (code, output) == (125, "partly\n")
    assert re.fullmatch(r"unicorn_aarch64: not done within 0.5 s, at pc 0x[0-9a-f]+ in main\+.*\n", errors)


def test_instructions_are_counted_exactly(program: Path) -> None:
    first = EMULATOR.instructions(program, "loop", "10000")
    assert EMULATOR.instructions(program, "loop", "10000") == first
    assert EMULATOR.instructions(program, "loop", "21111") - first == 2 * 11_111
    assert run(program, "loop", "1", options=["--count"])[1] == "1"  # and there is a clock all the same


def test_watchers_see_every_block(program: Path) -> None:
    image = aarch64_elf.load(program)
    functions: set[str] = set()

    def watch(address: int, size: int) -> None:
        assert len(machine.read(address, size)) == size
        functions.add((image.function(address) or "").partition("+")[0])

    machine = Machine(image, ["program", "hwcap"], watchers=[watch])
    end = machine.run()
    assert (end.code, end.message) == (0, None)
    assert {"main", "_start_c", "printf"} <= functions


def test_a_watcher_can_end_the_program(program: Path) -> None:
    image = aarch64_elf.load(program)

    def watch(address: int, _size: int) -> None:
        if (image.function(address) or "").startswith("features+"):
            machine.stop("features is masked")

    machine = Machine(image, ["program", "features"], watchers=[watch])
    end = machine.run()
    assert isinstance(end, Ended)
    assert end.code == 125
    assert re.fullmatch(r"features is masked, at pc 0x[0-9a-f]+ in features\+0x0", end.message or "")


@pytest.mark.parametrize("options", [(), ("-static-pie",)], ids=["static", "static-pie"])
def test_glibc(tmp_path: Path, options: tuple[str, ...]) -> None:
    program = compiled(require_tool("aarch64-linux-gnu-gcc"), tmp_path, *options)
    assert run(program, "words") == (7, f"{program}|words|", "")
    assert run(program, "memory") == (0, "fixed 0x5000000000 0, too big 12, brk 1\n", "")
    assert run(program, "input", data=b"abc") == (0, "abc", "3")
    assert run(program, "abort")[0] == 134


def test_programs_of_another_kind_are_named(zig: Path, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("#!/bin/sh\n", encoding="utf-8")
    assert run(text) == (125, "", "unicorn_aarch64: not a 64-bit little-endian ELF file\n")
    host = tmp_path / "host"
    host.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\x3e\x00" + bytes(44))
    assert run(host) == (125, "", "unicorn_aarch64: not an AArch64 program\n")
    (tmp_path / "program.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    dynamic = tmp_path / "dynamic"
    gcc = require_tool("aarch64-linux-gnu-gcc")
    subprocess.run([gcc, str(tmp_path / "program.c"), "-o", str(dynamic)], check=True)
    assert run(dynamic) == (125, "", "unicorn_aarch64: needs a dynamic loader; link it with -static\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no program named"),
        (["--hwcap"], "--hwcap needs a value"),
        (["--hwcap", "x"], "--hwcap needs a value"),
        (["--midr", "apple", "p"], "--midr needs a value"),
        (["--forbid"], "--forbid needs a value"),
        (["--timeout", "soon", "p"], "--timeout needs a value"),
        (["--env", "A", "p"], "--env needs NAME=VALUE"),
        (["--env", "=A", "p"], "--env needs NAME=VALUE"),
        (["--fast", "p"], "unknown option --fast"),
        (["/no/such/program"], "[Errno 2] No such file or directory: '/no/such/program'"),
    ],
)
def test_wrong_command_lines(words: list[str], message: str) -> None:
    assert EMULATOR.refusal(words) == message


def test_system_calls_have_names() -> None:
    assert [name_of(number) for number in (64, 222, 220, 9999)] == ["write", "mmap", "clone", "unknown"]
