"""Case B78: what the kernels execute does not depend on keys and data.

In the embedded emulator the way through the code is the same for all of them, wrong tags included. Of the
portable variants memcheck sees more: no branch and no address comes from a key or from data, which are
undefined there.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.build import tracing
from tests.build.dispatched import must
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip, require_tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.build

LEGS = [
    pytest.param("zig-aarch64-linux-musl", id="zig-B78"),
    pytest.param("gcc-12-aarch64-linux-gnu", id="gcc-12-B78", marks=pytest.mark.nightly),
    pytest.param("clang-19-aarch64-linux-gnu", id="clang-19-B78", marks=pytest.mark.nightly),
]
PROJECT = f"""\
cmake_minimum_required(VERSION 3.18)
project(secrets C)
include("{(ROOT / "kernels" / "cmk_kernels.cmake").as_posix()}")
foreach(variant IN ITEMS arm64 portable)
    add_executable(${{variant}} EXCLUDE_FROM_ALL secrets.c)
    target_compile_definitions(${{variant}} PRIVATE VARIANT=_${{variant}})
    cmk_target_kernels(${{variant}})
endforeach()
"""
# The key and the data follow from the first argument, or stay undefined if it is 0. The second says which
# byte of a tag is wrong; without it no tag is verified.
PROGRAM = """\
#include <cmk/chacha20.h>
#include <cmk/chacha20_poly1305.h>
#include <cmk/poly1305.h>
#include <stdlib.h>

#define JOIN_(name, variant) name##variant
#define JOIN(name, variant) JOIN_(name, variant)
#define NAMED(name) JOIN(name, VARIANT)
#define LENGTH 1000

static uint8_t *secret(size_t length, unsigned long *seed)
{
    uint8_t *bytes = malloc(length);
    for (size_t i = 0; bytes != NULL && *seed != 0 && i < length; i++) {
        *seed = (*seed * 1103515245 + 12345) & 0x7fffffff;
        bytes[i] = (uint8_t)(*seed >> 16);
    }
    return bytes;
}

int main(int count, char **words)
{
    static const uint8_t nonce[12];
    static uint8_t out[LENGTH];
    unsigned long seed = strtoul(words[1], NULL, 10);
    const uint8_t *key = secret(32, &seed), *data = secret(LENGTH, &seed);
    uint8_t tag[16];
    cmk_chacha20_state state;
    cmk_poly1305_context context;
    unsigned wrong = 0;
    wrong |= cmk_chacha20_init(&state, key, nonce, 1);
    wrong |= NAMED(cmk_chacha20)(&state, data, out, 520);
    wrong |= NAMED(cmk_chacha20)(&state, data + 520, out + 520, LENGTH - 520);
    wrong |= cmk_poly1305_init(&context, key);
    wrong |= NAMED(cmk_poly1305_update)(&context, data, 520);
    wrong |= NAMED(cmk_poly1305_update)(&context, data + 520, LENGTH - 520);
    wrong |= cmk_poly1305_final(&context, tag);
    wrong |= NAMED(cmk_chacha20_poly1305_encrypt)(key, nonce, data, 20, data, out, LENGTH, tag);
    if (count > 2) {
        tag[words[2][0] - '0'] ^= 1;
        wrong |= !NAMED(cmk_chacha20_poly1305_decrypt)(key, nonce, data, 20, out, out, LENGTH, tag);
    }
    return wrong != 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Return a function that builds the program for a leg and a variant, once."""
    made: dict[str, Path] = {}

    def build(name: str, variant: str) -> Path:
        if name not in made:
            folder = made[name] = tmp_path_factory.mktemp(name)
            (folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
            (folder / "secrets.c").write_text(PROGRAM, encoding="utf-8")
            configure = configure_command(leg_or_skip(name, folder / "leg"), folder, folder / "build")
            must([*configure, "-DCMAKE_BUILD_TYPE=Release"])
        must([cmake_or_skip(), "--build", str(made[name] / "build"), "--target", variant])
        return made[name] / "build" / variant

    return build


@pytest.mark.parametrize("variant", ["arm64", "portable"])
@pytest.mark.parametrize("leg", LEGS)
def test_the_way_through_the_code(program: Callable[[str, str], Path], leg: str, variant: str) -> None:
    first, *others = (
        tracing.addresses(program(leg, variant), [key, byte]) for key, byte in ("11", "26", "39")
    )
    assert len(first) > 20_000
    assert [other == first for other in others] == [True, True]


# Whether a tag is right is told, and so is a branch: the last of what the program does.
@pytest.mark.parametrize(
    ("arguments", "status"),
    [pytest.param(["0"], 0, id="none-B78"), pytest.param(["0", "1"], 99, id="tag-B78")],
)
def test_branches_and_addresses(
    program: Callable[[str, str], Path], arguments: list[str], status: int
) -> None:
    memcheck = [require_tool("valgrind"), "--quiet", "--error-exitcode=99"]
    command = [*memcheck, str(program("native", "portable")), *arguments]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == status, done.stderr
