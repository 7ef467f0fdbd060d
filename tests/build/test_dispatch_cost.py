"""What choosing costs, in instructions: once, and at each call of a plain function.

Static programs are run on the embedded emulator with every instruction seen. What goes into a shared library
is read: there the calls go through the linker's stubs, which belong to the platform and are not counted.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cmaketool.verify import fileapi
from tests.build import tracing
from tests.build.dispatched import load, must
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip, require_tool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.build

PLAN = load(ROOT / "kernels" / "kernels.yml")
FIRST = {
    function: f"{function}_{family.variants[0].name}"
    for family in PLAN.dispatched
    for function in family.functions
}
ZIG, GCC, CLANG = "zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu", "clang-19-aarch64-linux-gnu"
LEGS = [ZIG, GCC, pytest.param(CLANG, marks=pytest.mark.nightly)]  # zig is clang too
MOST_ONCE = 2000
RELOCATION = re.compile(r"\s+([0-9a-f]+): (R_AARCH64_\S+)\t([\w.]+)")
PROJECT = f"""\
cmake_minimum_required(VERSION 3.18)
project(cost C)
include("{(ROOT / "kernels" / "cmk_kernels.cmake").as_posix()}")
add_library(kernels SHARED EXCLUDE_FROM_ALL)
cmk_target_kernels(kernels)
add_executable(cost cost.c)
cmk_target_kernels(cost)
"""
# Every plain function three times: the first call of all fills the word.
PROGRAM = """\
#include <cmk/aes.h>
#include <cmk/aes_gcm.h>
#include <cmk/aes_xts.h>
#include <cmk/chacha20.h>
#include <cmk/chacha20_poly1305.h>
#include <cmk/poly1305.h>
#include <cmk/sha256.h>
#include <cmk/sha3.h>
#include <cmk/sha512.h>

int main(void)
{
    uint8_t data[64] = {0};
    unsigned wrong = 0;
    for (int i = 0; i < 3; i++) {
        const uint8_t bytes[32] = {1};
        cmk_aes_gcm_key gcm;
        cmk_aes_gcm_state message;
        cmk_aes_xts_key xts;
        cmk_aes_key key;
        cmk_aes_ctr_state state;
        cmk_chacha20_state stream;
        cmk_poly1305_context mac;
        cmk_sha256_context sha256;
        cmk_sha512_context sha512;
        cmk_sha3_context sha3;
        wrong |= cmk_aes_set_key(&key, data, 16);
        wrong |= cmk_aes_ecb_encrypt(&key, data, data, 16);
        wrong |= cmk_aes_ecb_decrypt(&key, data, data, 16);
        wrong |= cmk_aes_cbc_encrypt(&key, data + 16, data, data, 16);
        wrong |= cmk_aes_cbc_decrypt(&key, data + 16, data, data, 16);
        wrong |= cmk_aes_xts_set_key(&xts, bytes, 32);
        wrong |= cmk_aes_xts_encrypt(&xts, bytes, data, data, 16);
        wrong |= cmk_aes_xts_decrypt(&xts, bytes, data, data, 16);
        wrong |= cmk_aes_gcm_set_key(&gcm, bytes, 16);
        wrong |= cmk_aes_gcm_encrypt(&gcm, bytes, 12, NULL, 0, data, data, 16, data + 16, 16);
        wrong |= cmk_aes_gcm_decrypt(&gcm, bytes, 12, NULL, 0, data, data, 16, data + 16, 16);
        wrong |= cmk_aes_gcm_init(&message, &gcm, bytes, 12);
        wrong |= cmk_aes_gcm_aad_update(&message, &gcm, data, 16);
        wrong |= cmk_aes_gcm_encrypt_update(&message, &gcm, data, data, 16);
        wrong |= cmk_aes_gcm_encrypt_final(&message, &gcm, data + 16, 16);
        wrong |= cmk_aes_gcm_init(&message, &gcm, bytes, 12);
        wrong |= cmk_aes_gcm_decrypt_update(&message, &gcm, data, data, 16);
        wrong |= !cmk_aes_gcm_decrypt_final(&message, &gcm, data + 16, 16);
        wrong |= cmk_aes_ctr_init(&state, data);
        wrong |= cmk_aes_ctr(&state, &key, data, data, 16);
        wrong |= cmk_chacha20_init(&stream, data, data, 0);
        wrong |= cmk_chacha20(&stream, data, data, 16);
        wrong |= cmk_poly1305_init(&mac, data);
        wrong |= cmk_poly1305_update(&mac, data, 16);
        wrong |= cmk_chacha20_poly1305_encrypt(key.encrypt, data, data, 16, data, data, 16, data + 48);
        wrong |= !cmk_chacha20_poly1305_decrypt(key.encrypt, data, data + 32, 16, data, data, 16, data + 48);
        wrong |= cmk_sha256_init(&sha256);
        wrong |= cmk_sha256_update(&sha256, data, 16);
        wrong |= cmk_sha256_final(&sha256, data);
        wrong |= cmk_sha224_init(&sha256);
        wrong |= cmk_sha224_final(&sha256, data);
        wrong |= cmk_sha512_init(&sha512);
        wrong |= cmk_sha512_update(&sha512, data, 16);
        wrong |= cmk_sha512_final(&sha512, data);
        wrong |= cmk_sha384_init(&sha512);
        wrong |= cmk_sha384_final(&sha512, data);
        wrong |= cmk_sha3_init(&sha3, 32);
        wrong |= cmk_sha3_update(&sha3, data, 16);
        wrong |= cmk_sha3_final(&sha3, data, 32);
        wrong |= cmk_shake128_init(&sha3);
        wrong |= cmk_shake_squeeze(&sha3, data, 16);
    }
    return wrong != 0;
}
"""


class Project:
    """The project above, configured once for each leg and type of build."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[tuple[str, str], Path] = {}
        self._built: set[tuple[Path, str]] = set()
        (folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        (folder / "cost.c").write_text(PROGRAM, encoding="utf-8")

    def _configured(self, leg: str, build_type: str) -> Path:
        key = leg, build_type
        if key not in self._made:
            found = leg_or_skip(leg, self._folder / leg)
            self._made[key] = self._folder / f"{leg}-{build_type}"
            configure = configure_command(found, self._folder, self._made[key])
            must([*configure, f"-DCMAKE_BUILD_TYPE={build_type}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
        return self._made[key]

    def build(self, target: str, leg: str, build_type: str = "Release") -> Path:
        """Build a target, once, and return the build's folder."""
        folder = self._configured(leg, build_type)
        if (folder, target) not in self._built:
            must([cmake_or_skip(), "--build", str(folder), "--target", target])
            self._built.add((folder, target))
        return folder

    def shared_dispatch(self, leg: str, build_type: str) -> Path:
        """Return the object of the dispatchers in the shared library, of which nothing else is compiled."""
        folder = self._configured(leg, build_type)
        entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        objects = [fileapi.object_file(folder, one) for one in entries if one["file"].endswith("_dispatch.c")]
        (name,) = (one.relative_to(folder) for one in objects if one and "kernels.dir" in one.parts)
        return self.build(name.as_posix(), leg, build_type) / name


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("cost"))


@pytest.mark.parametrize("name", LEGS)
@pytest.mark.parametrize("items", [None, "+fast_sha3"])
def test_filling_the_word(project: Project, name: str, items: str | None) -> None:
    environment = [] if items is None else [f"CMK_CPU_FEATURES={items}"]
    counts = tracing.costs(project.build("cost", name) / "cost", "cmk_cpu_fill", environment=environment)
    print(f"{name}: filling the word with {environment or 'no variable'}: {counts} instructions")
    assert len(counts) == 1, "it is filled once"
    assert counts[0] < MOST_ONCE


@pytest.mark.parametrize("function", FIRST)
@pytest.mark.parametrize("name", LEGS)
def test_call_in_a_static_program(project: Project, name: str, function: str) -> None:
    program = project.build("cost", name) / "cost"
    calls = tracing.paths(program, function, environment=["CMK_CPU_FEATURES=+fast_sha3"])
    second, last = calls[-2:]
    assert second == last
    assert last.reached == FIRST[function]
    text = "; ".join(f"{step.mnemonic} {step.operands}" for step in last.steps)
    print(f"{name}: {function}: {len(last.steps)} instructions: {text}")
    assert len([load for load in last.loads if "[sp" not in load.operands]) <= 1  # there are arguments there
    assert len(last.branches) <= 1


class Line(NamedTuple):
    """One instruction of a listing, with its relocation and the symbol of that."""

    mnemonic: str
    operands: str
    relocation: str | None = None
    symbol: str | None = None


def _listing(objdump: str, path: Path, function: str) -> dict[int, Line]:
    """Disassemble one function of an object file, by address."""
    found: dict[int, Line] = {}
    last = None
    for text in must([objdump, "-dr", f"--disassemble={function}", str(path)]).splitlines():
        if code := re.match(r"\s+([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*(.*)", text):
            last = int(code[1], 16)
            found[last] = Line(code[2], code[3])
        elif (more := RELOCATION.match(text)) and last == int(more[1], 16):
            found[last] = found[last]._replace(relocation=more[2], symbol=more[3])
    return found


def _ways(lines: dict[int, Line], address: int, way: tuple[Line, ...] = ()) -> Iterator[tuple[Line, ...]]:
    """Yield every way from `address` on that calls nothing before it leaves the function."""
    line = lines[address]
    way = (*way, line)
    name = line.mnemonic
    if name in {"bl", "blr"} or len(way) > len(lines):
        return
    target = re.search(r"\b([0-9a-f]+) <", line.operands)
    if target and line.symbol is None and int(target[1], 16) in lines:
        yield from _ways(lines, int(target[1], 16), way)
    elif target or name in {"br", "ret"}:
        yield way
    if name not in {"b", "br", "ret"}:
        yield from _ways(lines, address + 4, way)


@pytest.mark.parametrize("function", FIRST)
@pytest.mark.parametrize("name", [GCC, CLANG])
@pytest.mark.parametrize("build_type", ["Release", "MinSizeRel"])
def test_call_in_a_shared_library(project: Project, build_type: str, name: str, function: str) -> None:
    path = project.shared_dispatch(name, build_type)
    lines = _listing(require_tool("aarch64-linux-gnu-objdump"), path, function)
    ways = [way for way in _ways(lines, min(lines)) if way[-1].symbol == FIRST[function]]
    assert ways
    way = min(ways, key=len)
    text = "; ".join(f"{line.mnemonic} {line.operands}" for line in way)
    print(f"{name}, {build_type}, -fPIC: {function}: {text}")
    loads = [line for line in way if line.mnemonic.startswith("ld")]
    assert len([line for line in loads if "[sp" not in line.operands]) <= 1
    assert {line.symbol for line in way[:-1]} == {None, "cmk_cpu_word"}
    assert not [line for line in way if line.relocation and "GOT" in line.relocation]
    conditional = [line for line in way if re.match(r"cb|tb|b\.", line.mnemonic)]
    assert len(conditional) <= 1


@pytest.mark.parametrize("name", LEGS[1:])
def test_a_shared_library_keeps_the_word_to_itself(project: Project, name: str) -> None:
    library = project.build("kernels", name) / "libkernels.so"
    printed = must([require_tool("aarch64-linux-gnu-nm"), "-D", "--defined-only", str(library)])
    symbols = set(re.findall(r"\S+$", printed, re.MULTILINE))
    assert set(FIRST) <= symbols
    assert {"cmk_cpu_features", "cmk_cpu_report"} <= symbols
    assert not symbols & {"cmk_cpu_word", "cmk_cpu_fill"}
