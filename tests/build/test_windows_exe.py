"""ARM64 Windows programs, made by clang and lld-link, in the emulator of Windows' console programs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from cmaketool import catalogue
from cmaketool.toolchains import aarch64_pe
from cmaketool.toolchains.aarch64_windows import FEATURES
from cmaketool.toolchains.unicorn_windows_arm64 import TAKEN, Machine
from tests.build.emulated import Emulator
from tests.msvc_model.support import cl
from tests.support import require_tool

pytestmark = pytest.mark.build

EMULATOR = Emulator("unicorn_windows_arm64")
run, command = EMULATOR.run, EMULATOR.command

KERNEL32 = """LIBRARY KERNEL32.dll
EXPORTS
ExitProcess
GetStdHandle
ReadFile
WriteFile
GetCommandLineA
GetEnvironmentVariableA
GetLastError
SetLastError
IsProcessorFeaturePresent
GetProcessHeap
HeapAlloc
HeapFree
VirtualAlloc
VirtualFree
VirtualProtect
GetTickCount
"""
OTHER = "LIBRARY OTHER.dll\nEXPORTS\nExitProcess\nlast @7 NONAME\nvalue DATA\n"

# The command's first argument says what is to be done, others with what. There is no C library.
PROGRAM = r"""
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned long DWORD;
#define IMPORT __declspec(dllimport)
IMPORT void ExitProcess(unsigned);
IMPORT void *GetStdHandle(DWORD);
IMPORT int ReadFile(void *, void *, DWORD, DWORD *, void *);
IMPORT int WriteFile(void *, const void *, DWORD, DWORD *, void *);
IMPORT char *GetCommandLineA(void);
IMPORT DWORD GetEnvironmentVariableA(const char *, char *, DWORD);
IMPORT DWORD GetLastError(void);
IMPORT void SetLastError(DWORD);
IMPORT int IsProcessorFeaturePresent(DWORD);
IMPORT void *GetProcessHeap(void);
IMPORT void *HeapAlloc(void *, DWORD, size_t);
IMPORT int HeapFree(void *, DWORD, void *);
IMPORT void *VirtualAlloc(void *, size_t, DWORD, DWORD);
IMPORT int VirtualFree(void *, size_t, DWORD);
IMPORT int VirtualProtect(void *, size_t, DWORD, DWORD *);
IMPORT DWORD GetTickCount(void);

#define COMMIT 0x1000u
#define RESERVE 0x2000u
#define RELEASE 0x8000u

int _fltused = 1;
unsigned _tls_index;
static char *words[100];
static char line[40000], bytes[1 << 16];
static int count;
static volatile uint64_t zero;
static uint8_t block[16] = {1, 2, 3};
static const uint64_t constant = 5;

void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++) { ((volatile char *)to)[i] = ((const char *)from)[i]; }
    return to;
}
void *memset(void *to, int value, size_t n)
{
    for (size_t i = 0; i < n; i++) { ((volatile char *)to)[i] = (char)value; }
    return to;
}
static size_t length(const char *text)
{
    size_t n = 0;
    while (((const volatile char *)text)[n] != 0) { n++; }
    return n;
}
static int same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) { a++; b++; }
    return *a == *b;
}
static void put_to(DWORD stream, const char *text)
{
    DWORD done;
    WriteFile(GetStdHandle(stream), text, (DWORD)length(text), &done, NULL);
}
static void put(const char *text) { put_to((DWORD)-11, text); }
static void put_number(const char *name, uint64_t value)
{
    char digits[20], *at = digits + sizeof digits;
    *--at = 0;
    do { *--at = "0123456789abcdef"[value & 15]; value >>= 4; } while (value != 0);
    put(name); put("="); put(at); put(" ");
}
static uint64_t number(const char *text)
{
    uint64_t value = 0;
    for (; *text != 0; text++) {
        value = value * 16 + (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    }
    return value;
}

/* By the rules of learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments. */
static void split(const char *from)
{
    char *to = line;
    while (*from != 0) {
        int quoted = 0;
        words[count++] = to;
        while (*from != 0 && (quoted || (*from != ' ' && *from != '\t'))) {
            size_t slashes = 0;
            while (from[slashes] == '\\') { slashes++; }
            from += slashes;
            if (*from != '"') {
                while (slashes-- > 0) { *to++ = '\\'; }
                if (*from != 0 && (quoted || (*from != ' ' && *from != '\t'))) { *to++ = *from++; }
                continue;
            }
            for (size_t i = 0; i < slashes / 2; i++) { *to++ = '\\'; }
            if (slashes % 2 != 0) { *to++ = '"'; } else { quoted = !quoted; }
            from++;
        }
        *to++ = 0;
        while (*from == ' ' || *from == '\t') { from++; }
    }
}

__attribute__((noinline)) void touch(volatile char *at) { *at = 1; }
__attribute__((noinline)) int look(const volatile char *at) { return *at; }
__attribute__((noinline, target("aes"))) void aes(void)
{
    vst1q_u8(block, vaesmcq_u8(vaeseq_u8(vld1q_u8(block), vld1q_u8(block))));
}
__attribute__((noinline, target("sha3"))) void sha3(void)
{
    uint8x16_t x = vld1q_u8(block);
    vst1q_u8(block, veor3q_u8(x, x, x));
}
__attribute__((noinline)) unsigned deeper(unsigned n)
{
    volatile char room[1000];
    room[0] = (char)n;
    return n == 0 ? (unsigned)room[0] : deeper(n - 1) + (unsigned)room[0];
}

static void first(void) { put("first "); }
static void second(void) { put("second "); }
static void (*const table[])(void) = {first, second, NULL};
static const char *const texts[] = {"one", "two", "three", NULL};

static void environment(const char *name)
{
    char value[10] = "---------";
    SetLastError(77);
    DWORD n = GetEnvironmentVariableA(name, value, sizeof value);
    put_number("length", n);
    put_number("error", GetLastError());
    put(n < sizeof value && n > 0 ? value : "nothing");
}

static void copy(void)
{
    DWORD got, total = 0, done;
    while (ReadFile(GetStdHandle((DWORD)-10), bytes, sizeof bytes, &got, NULL) && got > 0) {
        total += got;
        WriteFile(GetStdHandle((DWORD)-11), bytes, got, &done, NULL);
        if (done != got) { ExitProcess(9); }
    }
    put_to((DWORD)-12, "copied");
    ExitProcess(total == number(words[2]) ? 0 : 8);
}

static void handles(void)
{
    DWORD done = 5;
    put_number("bad", (uint64_t)GetStdHandle(3));
    put_number("error", GetLastError());
    put_number("write", (uint64_t)WriteFile(GetStdHandle((DWORD)-10), "x", 1, &done, NULL));
    put_number("done", done);
    put_number("error", GetLastError());
    put_number("read", (uint64_t)ReadFile(GetStdHandle((DWORD)-11), bytes, 1, &done, NULL));
    put_number("nothing", (uint64_t)WriteFile(GetStdHandle((DWORD)-11), NULL, 0, NULL, NULL));
}

static void blocks(void)
{
    __asm__ volatile("mov %0, x18" : "=r"(zero));
    uint64_t *teb = (uint64_t *)zero, here = (uint64_t)__builtin_frame_address(0);
    uint64_t *peb = (uint64_t *)teb[0x60 / 8];
    zero = 0;
    put_number("self", teb[0x30 / 8] == (uint64_t)teb);
    put_number("inside", here <= teb[1] && here >= teb[2]);
    put_number("size", teb[1] - teb[2]);
    put_number("base", peb[2]);
    SetLastError(0x1234);
    put_number("error", teb[0x68 / 8] & 0xffffffff);
    touch((char *)teb[2]);
    touch((char *)teb[1] - 1);
    if (count > 2) { touch((char *)teb[2] - 1); }
}

static void heap(void)
{
    void *heap = GetProcessHeap();
    uint64_t *many[50];
    for (unsigned i = 0; i < 50; i++) {
        many[i] = HeapAlloc(heap, 8, i * 100);
        if (((uint64_t)many[i] & 15) != 0) { ExitProcess(1); }
        for (unsigned j = 0; j < i * 100 / 8; j++) {
            if (many[i][j] != 0) { ExitProcess(2); }
            many[i][j] = i;
        }
    }
    for (unsigned i = 0; i < 50; i++) {
        if (i > 0 && many[i][i] != i) { ExitProcess(3); }
        if (i != 40 && !HeapFree(heap, 0, many[i])) { ExitProcess(4); }
    }
    put_number("huge", (uint64_t)HeapAlloc(heap, 0, (size_t)1 << 40));
    put_number("null", (uint64_t)HeapFree(heap, 0, NULL));
    char *at = (char *)many[3];
    if (same(words[2], "twice")) { HeapFree(heap, 0, at); }
    if (same(words[2], "past")) { at = (char *)many[40] + 4000; }
    if (!same(words[2], "well")) { put_number("at", (uint64_t)at); touch(at); }
}

static void pages(const char *how)
{
    DWORD old = 99;
    char *p = VirtualAlloc(NULL, 3 * 4096, RESERVE | COMMIT, 4), *q;
    put_number("granular", (uint64_t)p & 0xffff);
    touch(p); touch(p + 3 * 4096 - 1);
    put_number("no", VirtualProtect(p + 4096, 4096, 1, &old)); put_number("old", old);
    if (same(how, "no")) { touch(p + 4096); }
    put_number("read", VirtualProtect(p + 5000, 1, 2, &old)); put_number("old", old);
    put_number("is", (uint64_t)look(p + 4096));
    if (same(how, "read")) { touch(p + 4096); }
    put_number("write", VirtualProtect(p + 4096, 4096, 4, &old)); put_number("old", old);
    touch(p + 4096);
    if (same(how, "run")) { ((void (*)(void))p)(); }
    q = VirtualAlloc(NULL, 1 << 20, RESERVE, 4);
    put_number("committed", VirtualAlloc(q + 5000, 4096, COMMIT, 4) == q + 4096);
    touch(q + 5000);
    if (same(how, "reserved")) { touch(q); }
    put_number("same", (uint64_t)VirtualAlloc(p + 4096, 4096, RESERVE, 4));
    put_number("error", GetLastError());
    put_number("fixed", (uint64_t)VirtualAlloc((void *)0x50000fff0, 32, RESERVE | COMMIT, 4));
    touch((char *)0x50001000f);
    put_number("nowhere", VirtualProtect((void *)0x70000000, 1, 4, &old));
    put_number("error", GetLastError());
    put_number("inner", VirtualFree(p + 4096, 0, RELEASE));
    put_number("error", GetLastError());
    put_number("freed", VirtualFree(p, 0, RELEASE));
    if (same(how, "gone")) { touch(p); }
    if (same(how, "kind")) { VirtualAlloc(NULL, 1, 0x80000, 4); }
    if (same(how, "guard")) { VirtualAlloc(NULL, 1, COMMIT, 0x104); }
}

int entry(void *peb)
{
    split(GetCommandLineA());
    const char *what = count > 1 ? words[1] : "", *with = count > 2 ? words[2] : "";
    if (same(what, "return")) { return (int)number(with); }
    if (same(what, "exit")) { ExitProcess((unsigned)number(with)); }
    if (same(what, "wide")) { ((void (*)(uint64_t))ExitProcess)(0xffffffff00000007u + zero); }
    if (same(what, "words")) {
        for (int i = 1; i < count; i++) { put(words[i]); put("|"); }
        put(GetCommandLineA());
    }
    if (same(what, "order")) { for (int i = 0; i < 3; i++) { put("o"); put_to((DWORD)-12, "e"); } }
    if (same(what, "environment")) { environment(with); }
    if (same(what, "copy")) { copy(); }
    if (same(what, "ask")) { DWORD n; put("name? "); ReadFile(GetStdHandle((DWORD)-10), bytes, 9, &n, NULL); }
    if (same(what, "handles")) { handles(); }
    if (same(what, "features")) {
        for (DWORD i = 0; i < 100; i++) { if (IsProcessorFeaturePresent(i)) { put_number("", i); } }
    }
    if (same(what, "blocks")) { blocks(); put_number("peb", (uint64_t)peb != 0); }
    if (same(what, "heap")) { heap(); }
    if (same(what, "pages")) { pages(with); }
    if (same(what, "null")) { touch((char *)zero); }
    if (same(what, "null-call")) { ((void (*)(void))zero)(); }
    if (same(what, "constant")) { touch((char *)&constant); }
    if (same(what, "code")) { touch((char *)&touch + 4); }
    if (same(what, "data-call")) { ((void (*)(void))(uint64_t)block)(); }
    if (same(what, "trap")) { __builtin_trap(); }
    if (same(what, "debugbreak")) { __debugbreak(); }
    if (same(what, "fastfail")) { __asm__ volatile("brk #0xf003"); }
    if (same(what, "assert")) { __asm__ volatile("brk #0x1234"); }
    if (same(what, "svc")) { __asm__ volatile("svc #1"); }
    if (same(what, "undefined")) { __asm__ volatile(".inst 0x00001234"); }
    if (same(what, "unknown")) { put("before"); return (int)GetTickCount(); }
    if (same(what, "bad-pointer")) { WriteFile(GetStdHandle((DWORD)-11), (void *)zero, 5, NULL, NULL); }
    if (same(what, "stub")) { return look((const char *)(uint64_t)&GetTickCount); }
    if (same(what, "deep")) { return (int)deeper(1u << 20); }
    if (same(what, "aes")) { aes(); put("done"); }
    if (same(what, "sha3")) { sha3(); put("done"); }
    if (same(what, "forever")) { put("partly"); for (;;) { __asm__ volatile(""); } }
    if (same(what, "loop")) {
        uint64_t rounds = number(with);
        __asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(rounds) : : "cc");
    }
    if (same(what, "tables")) {
        for (int i = 0; table[i] != NULL; i++) { table[i](); }
        for (int i = 0; texts[i] != NULL; i++) { put(texts[i]); put(" "); }
        put_number("at", (uint64_t)&texts);
    }
    return 0;
}
"""

TLS = r"""
#include <stddef.h>
#include <stdint.h>
typedef void (*callback)(void *, unsigned long, void *);
unsigned _tls_index = 99;
#pragma section(".tls")
#pragma section(".tls$ZZZ")
__declspec(allocate(".tls")) char _tls_start = 0;
__declspec(allocate(".tls$ZZZ")) char _tls_end = 0;
static void called(void *module, unsigned long reason, void *reserved)
{
    (void)module; (void)reason; (void)reserved;
}
static const callback callbacks[] = {CALLBACK, NULL};
const struct {
    const void *start, *end; unsigned *index; const callback *callbacks; uint32_t zeros, flags;
} _tls_used = {&_tls_start, &_tls_end, &_tls_index, callbacks, 64, 0};
__declspec(thread) int own = 41;
__declspec(thread) int other[4] = {1, 2, 3, 4};
int entry(void)
{
    const callback unused = called;
    return ++own + ++other[2] + (int)_tls_index + (unused == NULL);
}
"""

# x64 on the outside: a load configuration that points to metadata of the other architecture makes it ARM64EC.
MIXED = r"""
#include <stdint.h>
static const uint32_t metadata[32] = {1};
void *__os_arm64x_dispatch_ret;
const struct {
    uint32_t size, rest[49]; const void *metadata; uint64_t more[8];
} _load_config_used = {sizeof _load_config_used, {0}, metadata, {0}};
int entry(void) { return 0; }
"""

# What goes through the stand-in's own library: words, input, output, errors, the end.
STANDINS = r"""
#include <stdio.h>
#include <stdlib.h>
static void last(void) { puts("at exit"); }
int main(int count, char **words)
{
    char line[100];
    (void)atexit(last);
    for (int i = 0; i < count; i++) { printf("[%s]\n", words[i]); }
    while (fgets(line, sizeof line, stdin) != NULL) { printf("%s", line); }
    printf("\n");
    fprintf(stderr, "errors\n");
    exit(count - 1);
}
"""

SMALL = "int entry(void) { return 0; }\n"


def compiled(folder: Path, source: str, target: str = "aarch64", name: str = "program") -> Path:
    """Compile `source` for Windows to folder/name.obj."""
    (folder / f"{name}.c").write_text(source, encoding="utf-8")
    command = [require_tool("clang-19"), f"--target={target}-pc-windows-msvc", "-O2", "-ffreestanding"]
    objects = folder / f"{name}.obj"
    subprocess.run([*command, "-c", str(folder / f"{name}.c"), "-o", str(objects)], check=True)
    return objects


def link(folder: Path, objects: Path, *options: str) -> Path:
    """Link an object file with `options` to folder/NAME.exe."""
    program = folder / f"{objects.stem}.exe"
    command = [require_tool("lld-link-19"), "/nologo", "/nodefaultlib", "/subsystem:console", "/entry:entry"]
    subprocess.run([*command, *options, f"/out:{program}", str(objects)], check=True)
    return program


def linked(folder: Path, source: str, *options: str, target: str = "aarch64", name: str = "program") -> Path:
    """Compile `source` for Windows and link it with `options` to folder/name.exe."""
    return link(folder, compiled(folder, source, target, name), *options)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("libraries")
    for name, text in (("kernel32", KERNEL32), ("other", OTHER)):
        (folder / f"{name}.def").write_text(text, encoding="utf-8")
        definition, library = str(folder / f"{name}.def"), str(folder / f"{name}.lib")
        tool = require_tool("llvm-dlltool-19")
        subprocess.run([tool, "-m", "arm64", "-d", definition, "-l", library], check=True)
    return [str(folder / "kernel32.lib"), str(folder / "other.lib")]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("program"), PROGRAM)


@pytest.fixture(scope="module")
def program(libraries: list[str], objects: Path) -> Path:
    return link(objects.parent, objects, *libraries)


def end_of(program: Path, *words: str, **options: object) -> tuple[int, str]:
    """Run a program that prints nothing in this process; return its exit code and what is said of its end."""
    machine = Machine(aarch64_pe.load(program, TAKEN), ["program.exe", *words], **options)  # type: ignore[arg-type]
    end = machine.run()
    return end.code, end.message or ""


CALLER = r", called from 0x[0-9a-f]+ in \.text\+0x[0-9a-f]+"


@pytest.mark.parametrize(
    ("way", "where"),
    [("return", ", at the return from its entry"), ("exit", CALLER)],
    ids=["return", "exit"],
)
@pytest.mark.parametrize("code", [0, 7, 255, 256, 0xC0000005])
def test_exit_codes(program: Path, way: str, where: str, code: int) -> None:
    returned, said = end_of(program, way, f"{code:x}")
    message = f"the exit code {code:#x} is more than can be passed on, so it is 255{where}"
    assert returned == min(code, 255)
    assert re.fullmatch(message if code > 255 else "", said), said


def test_only_the_lower_half_of_a_32_bit_argument_counts(program: Path) -> None:
    assert end_of(program, "wide") == (7, "")


WORDS = [
    "plain",
    "",
    "a b",
    "tab\there",
    'a"b',
    '"',
    "\\",
    "a\\b",
    "a\\",
    "a b\\",
    '\\"',
    'x\\\\"y z\\\\',
    "ö",
    "*",
]


def test_arguments_come_through_the_command_line(program: Path) -> None:
    code, output, errors = run(program, "words", *WORDS)
    assert (code, output.split("|")[:-1], errors) == (0, ["words", *WORDS], "")
    assert output.startswith(f'{program} words plain "" "a b" ', output.rindex("|") + 1)


def test_arguments_that_are_no_text_come_through(program: Path) -> None:
    done = subprocess.run([*command(program, "words"), b"\xff x"], capture_output=True, check=True)
    assert done.stdout.startswith(b"words|\xff x|")


def test_a_command_line_that_windows_would_not_take(program: Path) -> None:
    message = "unicorn_windows_arm64: Windows takes no command line of more than 32766 bytes\n"
    assert run(program, "words", "x" * 32760) == (125, "", message)
    spare = 32766 - len(f"{program} return ")
    assert run(program, "return", "0" * spare) == (0, "", "")


@pytest.fixture(scope="module")
def standins_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program of the stand-in for cl: its start-up code and C library stand around main."""
    folder = tmp_path_factory.mktemp("standin")
    (folder / "main.c").write_text(STANDINS, encoding="utf-8")
    done = cl("arm64", "/nologo", "/O2", "main.c", "/Femain.exe", cwd=folder)
    assert done.returncode == 0, done.stdout
    return folder / "main.exe"


def test_arguments_come_through_the_stand_ins_start_up_code(standins_program: Path) -> None:
    code, output, errors = run(standins_program, *WORDS, data=b"one\ntwo")
    expected = [*(f"[{word}]" for word in (str(standins_program), *WORDS)), "one", "two", "at exit"]
    assert (code, output.split("\n"), errors) == (len(WORDS), [*expected, ""], "errors\n")


@pytest.mark.parametrize(
    ("name", "length", "value"),
    [
        ("ONE", 3, "abc"), ("one", 3, "abc"), ("TWO", 9, "x=y z\"'ö"), ("EMPTY", 0, "nothing"),
        ("NINE", 9, "123456789"), ("TEN", 11, "nothing"), ("NO", 0, "nothing"),
    ],
)  # fmt: skip
def test_environment(program: Path, name: str, length: int, value: str) -> None:
    given = ["ONE=abc", "TWO=x=y z\"'ö", "EMPTY=", "NINE=123456789", "TEN=1234567890"]
    options = [word for setting in given for word in ("--env", setting)]
    error = 203 if name == "NO" else 77
    expected = f"length={length:x} error={error:x} {value}"
    assert run(program, "environment", name, options=options) == (0, expected, "")


def test_our_environment_is_not_the_programs(program: Path) -> None:
    assert "PATH" in os.environ
    assert run(program, "environment", "PATH") == (0, "length=0 error=cb nothing", "")


def test_input_and_output_are_not_changed(program: Path) -> None:
    data = bytes(i * 7 & 0xFF for i in range(300_000)) + b"\r\n\n\x1a"
    words = command(program, "copy", f"{len(data):x}")
    done = subprocess.run(words, input=data, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, data, b"copied")
    assert run(program, "copy", "0") == (0, "", "copied")


def test_streams_keep_their_order(program: Path) -> None:
    words = command(program, "order")
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    assert done.stdout == b"oeoeoe"


def test_output_that_nobody_reads(program: Path) -> None:
    words = command(program, "copy", "100000")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(words, input=bytes(1 << 20), stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (9, b"")  # WriteFile said that nothing was written


def test_output_that_the_system_does_not_take(program: Path) -> None:
    def to_full(*words: str) -> tuple[int, bytes]:
        with Path("/dev/full").open("wb") as full:
            line = command(program, *words)
            done = subprocess.run(
                line, input=bytes(1 << 20), stdout=full, stderr=subprocess.PIPE, check=False
            )
        return done.returncode, done.stderr

    assert to_full("copy", "100000") == (9, b"")
    message = b"unicorn_windows_arm64: the output cannot be written: No space left on device\n"
    assert to_full("tables") == (125, message)
    assert to_full("ask") == (125, message)  # though it failed when the program only read


def test_handles_that_are_none(program: Path) -> None:
    expected = "bad=ffffffffffffffff error=6 write=0 done=0 error=6 read=0 nothing=1 "
    assert run(program, "handles") == (0, expected, "")


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ([], [30, 31, 64, 65]),
        (["--processor-features", "all"], [30, 31, 64, 65]),
        (["--processor-features", "crypto"], [30, 31]),
        (["--processor-features", "none"], []),
        (["--processor-features", "29,65"], [29, 65]),
    ],
    ids=["default", "all", "crypto", "none", "numbers"],
)
def test_processor_features(program: Path, options: list[str], numbers: list[int]) -> None:
    expected = "".join(f"={number:x} " for number in numbers)
    assert run(program, "features", options=options) == (0, expected, "")


def test_the_catalogue_asks_for_numbers_that_are_known() -> None:
    asked = {
        number for one in catalogue.load().isas["arm64"].features.values() for number in one.detection.windows
    }
    assert asked <= FEATURES["all"]


def test_what_stands_behind_x18(program: Path) -> None:
    expected = "self=1 inside=1 size=100000 base=140000000 error=1234 "
    assert run(program, "blocks") == (0, f"{expected}peb=1 ", "")
    code, output, errors = run(program, "blocks", "below")
    assert (code, output) == (125, expected)
    assert re.fullmatch(
        r"unicorn_windows_arm64: write of 1 bytes at 0x3fffefffff \(below the stack\), which the program may "
        r"not do, at pc 0x[0-9a-f]+ in \.text\+0x[0-9a-f]+\n",
        errors,
    )


def test_a_stack_of_the_size_that_the_program_asks_for(
    libraries: list[str], objects: Path, tmp_path: Path
) -> None:
    program = link(tmp_path, objects, *libraries, "/stack:0x300000")
    assert "size=300000 " in run(program, "blocks")[1]
    code, message = end_of(program, "deep")
    assert code == 125
    assert re.search(r"^write of \d+ bytes at 0x3fffcf[0-9a-f]{4} \(below the stack\), which ", message)
    program = linked(tmp_path, SMALL, "/stack:0x80000000", name="small")
    message = "unicorn_windows_arm64: there is no room for a stack of 2147483648 bytes\n"
    assert run(program) == (125, "", message)


@pytest.mark.parametrize(
    ("callback", "code", "message"),
    [("NULL", 42 + 4, ""), ("called", 125, "the program has TLS callbacks, which are not run here")],
)
def test_thread_local_variables(tmp_path: Path, callback: str, code: int, message: str) -> None:
    program = linked(tmp_path, TLS.replace("CALLBACK", callback))
    expected = f"unicorn_windows_arm64: {message}\n" if message else ""
    assert run(program) == (code, "", expected)


@pytest.mark.parametrize(
    ("base", "moved"),
    [
        (0x1_4000_0000, False),
        (0x7FF0_0000_0000, False),
        (0x1_0000, False),
        (0x3F_FFFF_0000, True),
        (0x20_0000_0000, True),
        (0xFFFF_8000_0000_0000, True),
    ],
    ids=["usual", "high", "low", "the-stack's", "the-system's", "no-user's"],
)
def test_a_program_stands_where_it_wants_to_or_is_moved(
    libraries: list[str], objects: Path, tmp_path: Path, base: int, moved: bool
) -> None:
    program = link(tmp_path, objects, *libraries, f"/base:{base:#x}")
    code, output, errors = run(program, "tables")
    assert (code, errors) == (0, "")
    match = re.fullmatch(r"first second one two three at=([0-9a-f]+) ", output)
    assert match
    assert 0 < int(match[1], 16) - (0x7FF6_0000_0000 if moved else base) < 1 << 20


def test_a_program_that_cannot_be_moved(tmp_path: Path) -> None:
    program = linked(tmp_path, SMALL, "/base:0x2000000000")
    content = bytearray(program.read_bytes())
    content[int.from_bytes(content[60:64], "little") + 22] |= 1  # "relocations stripped"; lld refuses /fixed
    program.write_bytes(content)
    message = "unicorn_windows_arm64: the program cannot be moved, and its place 0x2000000000 is taken\n"
    assert run(program) == (125, "", message)


def test_thread_local_variables_of_a_program_that_is_moved(tmp_path: Path) -> None:
    program = linked(tmp_path, TLS.replace("CALLBACK", "NULL"), "/base:0x3fffff0000")
    assert end_of(program) == (42 + 4, "")


PLACE = r", at pc 0x[0-9a-f]+ in \.text\+0x[0-9a-f]+"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["null"], r"write of 1 bytes at 0x0, which the program may not do" + PLACE),
        (["null-call"], r"instruction fetch of \d+ bytes at 0x0, which the program may not do, at pc 0x0"),
        (["constant"], r"write of 1 bytes at 0x[0-9a-f]+ \(\.rdata\+0x[0-9a-f]+\), which .*" + PLACE),
        (["code"], r"write of 1 bytes at 0x[0-9a-f]+ \(\.text\+0x[0-9a-f]+\), which .*" + PLACE),
        (
            ["data-call"],
            r"instruction fetch of \d+ bytes at (0x[0-9a-f]+) \((\.data\+0x[0-9a-f]+)\), .*, at pc \1 in \2",
        ),
        (["trap"], r"a breakpoint \(__builtin_trap\)" + PLACE),
        (["debugbreak"], r"a breakpoint \(__debugbreak\)" + PLACE),
        (["fastfail"], r"a breakpoint \(__fastfail\)" + PLACE),
        (["assert"], r"a breakpoint \(brk #0x1234\)" + PLACE),
        (["svc"], r"a system call \(svc\)" + PLACE),
        (["undefined"], r"undefined instruction 0x00001234" + PLACE),
        (
            ["bad-pointer"],
            r"KERNEL32\.dll!WriteFile was given an address where no memory is" + CALLER,
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_what_is_not_right_is_said(program: Path, words: list[str], message: str) -> None:
    code, said = end_of(program, *words)
    assert code == 125
    assert re.fullmatch(message, said), said


def test_an_unknown_import_matters_only_when_it_is_called(program: Path) -> None:
    code, output, errors = run(program, "unknown")
    assert (code, output) == (125, "before")
    message = rf"unicorn_windows_arm64: KERNEL32\.dll!GetTickCount is not emulated{CALLER}\n"
    assert re.fullmatch(message, errors), errors


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("ExitProcess(0)", r"OTHER\.dll!ExitProcess is not emulated, called from .*"),
        ("last()", r"OTHER\.dll!#7 is not emulated, called from .*"),
        ("(void)value", r"read of 4 bytes at 0x[0-9a-f]+ \(the import OTHER\.dll!value\), which .*"),
    ],
    ids=["name", "ordinal", "variable"],
)
def test_imports_of_other_files(libraries: list[str], tmp_path: Path, call: str, message: str) -> None:
    imports = "__declspec(dllimport) void ExitProcess(unsigned), last(void);\n"
    imports += "extern __declspec(dllimport) volatile int value;\n"
    program = linked(tmp_path, f"{imports}int entry(int a) {{ {call}; return a != 0; }}\n", libraries[1])
    code, said = end_of(program)
    assert code == 125
    assert re.fullmatch(message, said), said


def test_heap(program: Path) -> None:
    assert run(program, "heap", "well") == (0, "huge=0 null=1 ", "")
    for wrong in ("past", "after"):
        code, output, errors = run(program, "heap", wrong)
        match = re.fullmatch(r"huge=0 null=1 at=([0-9a-f]+) ", output)
        assert code == 125
        assert match
        assert f"write of 1 bytes at 0x{match[1]}, which the program may not do" in errors
    code, output, errors = run(program, "heap", "twice")
    assert (code, output) == (125, "huge=0 null=1 ")
    assert re.search(r": HeapFree of 0x[0-9a-f]+, where no block is, called from 0x", errors)


PAGES = (
    "granular=0 no=1 old=4 ", "read=1 old=1 is=0 ", "write=1 old=2 ", "committed=1 ",
    "same=0 error=1e7 fixed=500000000 nowhere=0 error=1e7 inner=0 error=1e7 freed=1 ",
)  # fmt: skip


@pytest.mark.parametrize(
    ("how", "printed", "message"),
    [
        ("well", 5, None),
        ("no", 1, r"write of 1 bytes at 0x[0-9a-f]+1000, which .*"),
        ("read", 2, r"write of 1 bytes at 0x[0-9a-f]+1000, which .*"),
        ("run", 3, r"instruction fetch of \d+ bytes at 0x[0-9a-f]+0000, which .*"),
        ("reserved", 4, r"write of 1 bytes at 0x[0-9a-f]+0000, which .*"),
        ("gone", 5, r"write of 1 bytes at 0x[0-9a-f]+0000, which .*"),
        ("kind", 5, r"VirtualAlloc of the type 0x80000 is not emulated, called from .*"),
        ("guard", 5, r"VirtualAlloc with the protection 0x104 is not emulated, called from .*"),
    ],
)
def test_pages(program: Path, how: str, printed: int, message: str | None) -> None:
    code, output, errors = run(program, "pages", how)
    assert (code, output) == (125 if message else 0, "".join(PAGES[:printed]))
    assert re.fullmatch(f"unicorn_windows_arm64: {message}\n" if message else "", errors), errors


def test_a_forbidden_instruction_ends_the_program(program: Path) -> None:
    assert run(program, "aes", options=["--forbid", "eor3,sha256h"]) == (0, "done", "")
    code, output, errors = run(program, "aes", options=["--forbid", "eor3", "--forbid", "aesd,aese"])
    assert (code, output) == (125, "")
    assert re.fullmatch(
        r"unicorn_windows_arm64: aese is forbidden, at pc 0x[0-9a-f]+ in \.text\+0x[0-9a-f]+\n", errors
    )
    code, _, errors = run(program, "sha3", options=["--forbid", "eor3"])
    assert (code, errors.split()[1]) == (125, "eor3")


def test_the_time_limit(program: Path) -> None:
    code, output, errors = run(program, "forever", options=["--timeout", "0.5"])
    assert (code, output) == (125, "partly")
    assert re.fullmatch(rf"unicorn_windows_arm64: not done within 0.5 s{PLACE}\n", errors), errors


def test_instructions_are_counted_exactly(program: Path) -> None:
    few, again, many = (EMULATOR.instructions(program, "loop", rounds) for rounds in ("0aaa", "0aaa", "aaaa"))
    assert few == again
    assert many - few == 2 * 0xA000


def test_tracers_see_instructions(program: Path) -> None:
    image = aarch64_pe.load(program, TAKEN)
    (text,) = (one for one in image.segments if one.is_executable)
    seen: list[int] = []
    machine = Machine(
        image, ["p", "return", "3"], tracers={range(text.address, text.address + 4096): seen.append}
    )
    assert machine.run().code == 3
    assert seen[0] == image.entry


@pytest.mark.parametrize(
    ("source", "options", "target", "message"),
    [
        (SMALL, (), "x86_64", "the program is for x64, and only programs for ARM64 can be run"),
        (
            MIXED,
            ("/machine:arm64ec",),
            "arm64ec",
            "the program is for ARM64EC (x64 on the outside), and only programs for ARM64 can be run",
        ),
        (SMALL, (), "i686", "the program is for 32-bit x86, and only programs for ARM64 can be run"),
        (SMALL, ("/dll",), "aarch64", "a library, not a program"),
        (SMALL, ("/subsystem:windows",), "aarch64", "not a console program (its subsystem is 2)"),
    ],
    ids=["x64", "arm64ec", "x86", "dll", "window"],
)
def test_programs_of_another_kind_are_refused(
    tmp_path: Path, source: str, options: tuple[str, ...], target: str, message: str
) -> None:
    program = linked(tmp_path, source, *options, target=target)
    assert run(program) == (125, "", f"unicorn_windows_arm64: {message}\n")


def test_files_that_are_no_windows_programs(program: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for content in (b"", b"#!/bin/sh\n", program.with_suffix(".obj").read_bytes(), b"MZ" + bytes(100)):
        other.write_bytes(content)
        assert run(other) == (125, "", "unicorn_windows_arm64: not a Windows program\n")
    other.write_bytes(program.read_bytes()[:-600])
    assert run(other) == (125, "", "unicorn_windows_arm64: the program is cut off or damaged\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no program named"),
        (["--processor-features"], "--processor-features needs a value"),
        (["--processor-features", "aes", "p"], "--processor-features needs none, crypto, all, or numbers"),
        (["--hwcap", "1", "p"], "unknown option --hwcap"),
        (["/no/such/program"], "[Errno 2] No such file or directory: '/no/such/program'"),
    ],
)
def test_wrong_command_lines(words: list[str], message: str) -> None:
    assert EMULATOR.refusal(words) == message
