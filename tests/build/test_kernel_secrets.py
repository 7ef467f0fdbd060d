"""What kernels could give away, on the stack or by their running time; unaligned data, big endian."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest

from cmaketool.verify import tap
from tests.build import tracing
from tests.build.dispatched import load, must
from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cmaketool.plan import PlannedKernel

pytestmark = pytest.mark.build

KERNELS = ROOT / "kernels"
PLAN = load(KERNELS / "kernels.yml")
DEFINITIONS = [f"-D{kernel.definition}=1" for kernel in PLAN.kernels]
CHOOSING = ["cmk_cpu.c", "cmk_dispatch.c", "cmk_report.c"]
# How many calls of each are looked at; arm64_eor3 is of GCM alone.
VARIANTS = {"arm64": 29, "arm64_eor3": 12, "portable": 29}
GCC, CLANG = ("aarch64-linux-gnu-gcc-12",), ("clang-19", "--target=aarch64-linux-gnu")
BUILDS = {"gcc-O2": (*GCC, "-O2"), "gcc-O3": (*GCC, "-O3"), "clang-O2": (*CLANG, "-O2")}
# `work` is everything, with other keys and data of the same lengths each time; `refuse` takes tags that are
# wrong in another byte each time.
TIMED = """\
#include <string.h>

#include "buffers.h"
#include "cmk/aes_gcm.h"
#include "cmk/aes_xts.h"

#define LENGTH 151

static uint8_t in[LENGTH], out[LENGTH], bytes[64], iv[16], tag[16];
static cmk_aes_gcm_key gcm_key;
static cmk_aes_gcm_state message;
static unsigned wrong;
"""
AES_CALLS = """
static void aes_VARIANT(void)
{
    cmk_aes_key key;
    cmk_aes_xts_key xts;
    cmk_aes_ctr_state ctr;
    wrong += cmk_aes_set_key_VARIANT(&key, bytes, 32);
    wrong += cmk_aes_ecb_encrypt_VARIANT(&key, in, out, 144);
    wrong += cmk_aes_ecb_decrypt_VARIANT(&key, out, out, 144);
    wrong += cmk_aes_cbc_encrypt_VARIANT(&key, iv, in, out, 144);
    wrong += cmk_aes_cbc_decrypt_VARIANT(&key, iv, out, out, 144);
    wrong += cmk_aes_ctr_init(&ctr, bytes);
    wrong += cmk_aes_ctr_VARIANT(&ctr, &key, in, out, LENGTH);
    wrong += cmk_aes_xts_set_key_VARIANT(&xts, bytes, 64);
    wrong += cmk_aes_xts_encrypt_VARIANT(&xts, iv, in, out, LENGTH);
    wrong += cmk_aes_xts_decrypt_VARIANT(&xts, iv, out, out, LENGTH);
}
"""
CALLS = """
static void work_VARIANT(void)
{
    aes_VARIANT();
    wrong += cmk_aes_gcm_set_key_VARIANT(&gcm_key, bytes, 32);
    wrong += cmk_aes_gcm_encrypt_VARIANT(&gcm_key, iv, 12, bytes, 21, in, out, LENGTH, tag, 16);
    wrong += cmk_aes_gcm_decrypt_VARIANT(&gcm_key, iv, 12, bytes, 21, out, out, LENGTH, tag, 16);
    wrong += cmk_aes_gcm_init_VARIANT(&message, &gcm_key, iv, 16);
    wrong += cmk_aes_gcm_aad_update_VARIANT(&message, &gcm_key, bytes, 21);
    wrong += cmk_aes_gcm_decrypt_update_VARIANT(&message, &gcm_key, in, out, LENGTH);
}

static void refuse_VARIANT(void)
{
    const size_t length = LENGTH;
    wrong += !cmk_aes_gcm_decrypt_VARIANT(&gcm_key, iv, 12, bytes, 21, in, out, length, tag, 16);
    wrong += !cmk_aes_gcm_decrypt_final_VARIANT(&message, &gcm_key, tag, 16);
}
"""
# Through volatile pointers, so that neither is made part of main.
MAIN = """
int main(int count, char **words)
{
    static void (*const functions[][2])(void) = {
        {work_portable, refuse_portable}, {work_arm64, refuse_arm64}, {work_arm64_eor3, refuse_arm64_eor3}
    };
    const int which = count != 2 || words[1][0] == 'p' ? 0 : strlen(words[1]) == 5 ? 1 : 2;
    void (*volatile work)(void) = functions[which][0];
    void (*volatile refuse)(void) = functions[which][1];
    for (uint32_t round = 0; round < 4; round++) {
        if (round != 0) { /* the first key and message are zeros, but for one bit: halves must differ */
            fill(bytes, sizeof bytes, round);
            fill(in, sizeof in, round + 10);
        }
        bytes[63] ^= 1;
        fill(iv, sizeof iv, round + 20);
        work();
        wrong += cmk_aes_gcm_encrypt_portable(&gcm_key, iv, 12, bytes, 21, out, in, LENGTH, tag, 16);
        tag[5 * round] ^= 0x80;
        refuse();
    }
    return (int)wrong;
}
"""


def _compile(
    compiler: Sequence[str], program: Path, sources: Sequence[str | Path], *, flags: Sequence[str] = ()
) -> Path:
    """Build a program of the kernels for which `flags` have definitions, and of `sources`."""
    kernels = [source for kernel in PLAN.kernels for source in kernel.sources]
    every = [KERNELS / source for source in (*kernels, *PLAN.portable_sources, *CHOOSING, *sources)]
    words = [require_tool(compiler[0]), *compiler[1:], "-std=c11", "-o", str(program), *flags]
    must([*words, f"-I{KERNELS}", f"-I{KERNELS / 'include'}", f"-I{KERNELS / 'tests'}", *map(str, every)])
    return program


@pytest.fixture(scope="module")
def searching(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that compiles the program that searches the stack, once for each build."""
    folder = tmp_path_factory.mktemp("secrets")
    sources = [f"tests/{name}.c" for name in ("secrets", "buffers", "tap", "variants")]

    @functools.cache
    def build(name: str) -> Path:
        return _compile(BUILDS[name], folder / name, sources, flags=["-static", *DEFINITIONS])

    return build


@pytest.mark.parametrize("variant", [pytest.param(name, id=f"{name}[B78]") for name in VARIANTS])
@pytest.mark.parametrize("build", [pytest.param("gcc-O2", marks=pytest.mark.nightly), "gcc-O3", "clang-O2"])
def test_nothing_secret_is_left_on_the_stack(
    searching: Callable[[str], Path], build: str, variant: str
) -> None:
    qemu = [require_tool("qemu-aarch64"), "-cpu", "max"]
    lines = must([*qemu, str(searching(build)), "--variant", variant]).splitlines()
    assert len(lines) == 4 * VARIANTS[variant]
    assert [line for line in lines if not line.endswith(" 0")] == []


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that compiles the program whose calls are counted, once for each build."""
    folder = tmp_path_factory.mktemp("timed")
    source = folder / "timed.c"
    calls = "".join(
        (CALLS if name == "arm64_eor3" else AES_CALLS + CALLS).replace("VARIANT", name) for name in VARIANTS
    ).replace("    aes_arm64_eor3();\n", "")
    source.write_text(TIMED + calls + MAIN, encoding="utf-8")
    sources: list[str | Path] = [source, "tests/buffers.c", "tests/tap.c"]

    @functools.cache
    def build(name: str) -> Path:
        return _compile(BUILDS[name], folder / name, sources, flags=["-static", *DEFINITIONS])

    return build


@pytest.mark.parametrize("variant", [pytest.param(name, id=f"{name}[B78]") for name in VARIANTS])
@pytest.mark.parametrize("build", ["gcc-O2", pytest.param("clang-O2", marks=pytest.mark.nightly)])
def test_as_many_instructions_whatever_the_secrets(
    timed: Callable[[str], Path], build: str, variant: str
) -> None:
    for function in ("work", "refuse"):
        counts = tracing.costs(timed(build), f"{function}_{variant}", [variant])
        print(f"{build}, {variant}: {function}: {counts}")
        assert len(counts) == 4
        assert len(set(counts)) == 1


# GCC's sanitizers see memory too, clang's see arithmetic on NULL.
SANITIZERS = {
    "gcc": ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    "clang-19": ("-fsanitize=undefined", "-fsanitize-trap=all"),
}


@pytest.mark.parametrize("compiler", [pytest.param(name, id=f"{name}[B76]") for name in SANITIZERS])
def test_portable_variants_under_the_sanitizers(compiler: str, tmp_path: Path) -> None:
    (test,) = PLAN.tests
    flags = ["-O1", "-g", *SANITIZERS[compiler]]
    program = _compile((compiler,), tmp_path / "program", test.sources, flags=flags)
    result = tap.parse(must([str(program), "--variant", "portable"]))
    assert tap.evaluate(result, "portable") == []
    assert all(check.ok for check in result.checks)


@pytest.mark.parametrize("kernel", [pytest.param(one, id=f"{one.name}[B77]") for one in PLAN.kernels])
def test_big_endian_has_none_whatever_is_defined(kernel: PlannedKernel, tmp_path: Path) -> None:
    for source in kernel.sources:
        file = tmp_path / "kernel.o"
        compiler = [require_tool("clang-19"), "--target=aarch64_be-linux-gnu", *DEFINITIONS, f"-I{KERNELS}"]
        must([*compiler, "-c", str(KERNELS / source), "-o", str(file)])
        assert must([require_tool("llvm-nm-19"), str(file)]).strip() == ""
