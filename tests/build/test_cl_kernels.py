"""The bundled kernels as the stand-in for cl builds them: their instructions, their answers in the .exe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool.verify import fileapi, objects, tap
from tests.build.dispatched import Report, expected, load, must, run
from tests.msvc_model import support
from tests.support import ROOT, cmake_or_skip, configure_command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

PLAN = load(ROOT / "kernels" / "kernels.yml")
ALLOWED = {option.name for option in PLAN.options if "msvc" in option.compilers}
BUILT = PLAN._replace(kernels=tuple(one for one in PLAN.kernels if one.option in ALLOWED))
FEATURES = {
    "all": {"neon", "aes", "pmull", "sha1", "sha2", "sha512", "sha3"},
    "crypto": {"neon", "aes", "pmull", "sha1", "sha2"},
    "none": {"neon"},
}
NEED_NO_MORE = {"chacha20", "chacha20_poly1305", "poly1305"}
INSTRUCTIONS = {
    "aes_gcm_arm64": {"aese", "aesmc", "pmull", "pmull2"},
    "aes_arm64": {"aese", "aesmc", "aesd", "aesimc"},
    "chacha20_arm64": {"tbl", "rev32"},
    "poly1305_arm64": {"umlal"},
    "sha256_arm64": {"sha256h", "sha256h2", "sha256su0", "sha256su1"},
    "sha512_arm64": {"sha512h", "sha512h2", "sha512su0", "sha512su1"},
}
# Touches the byte that its argument names, of those around a guarded buffer.
TOUCHING = """\
#include "buffers.h"
int main(int count, char **words)
{
    guarded memory = guarded_make();
    memory.begin[0] = memory.end[-1] = 1;
    if (count > 1) { (words[1][0] == 'b' ? memory.begin - 1 : memory.end)[0] = 1; }
    return memory.begin[0];
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the build tree of the whole project."""
    build = tmp_path_factory.mktemp("kernels")
    fileapi.query(build)
    configure = configure_command(support.leg("arm64"), ROOT, build)
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    must([*configure, *options, "-DCMAKE_C_FLAGS_INIT=/W4 /WX"])
    must([cmake_or_skip(), "--build", str(build), "--target", "cmk_info", "cmk_known_answers"])
    return build


@pytest.mark.parametrize("processor", FEATURES)
def test_the_answers_in_the_exe(built: Path, processor: str) -> None:
    leg = support.leg("arm64")
    program, info = (built / f"cmk_{name}.exe" for name in ("known_answers", "info"))
    ran = run(leg.invoke(program, ["--variant", "dispatch"], processor=processor))
    assert ran.code == 0, ran.output[-2000:] + ran.errors[-2000:]
    result = tap.parse(ran.output)
    assert tap.evaluate(result, "dispatch") == []
    assert all(check.ok for check in result.checks)
    selected = Report.read(run(leg.invoke(info, processor=processor)).output).selected
    assert selected == expected(BUILT, "arm64", FEATURES[processor])
    crypto = {family.name for family in PLAN.dispatched} - NEED_NO_MORE - {"sha512", "sha3"}
    assert {selected[name] for name in crypto} == {"portable" if processor == "none" else "arm64"}
    assert {selected[name] for name in NEED_NO_MORE} == {"arm64"}
    assert selected["sha512"] == ("arm64" if processor == "all" else "portable")
    assert selected["sha3"] == "portable", "cl is not known to have the intrinsics"


@pytest.mark.parametrize("kernel", INSTRUCTIONS)
def test_the_instructions_in_the_objects(built: Path, kernel: str) -> None:
    (planned,) = (one for one in PLAN.kernels if one.name == kernel)
    files = [fileapi.object_files(built, "cmk")[ROOT / "kernels" / name] for name in planned.sources]
    assert {file.read_bytes()[:2] for file in files} == {b"\x64\xaa"}  # COFF for ARM64
    items = [objects.read(file, "arm64") for file in files]
    found: set[str] = set()
    for symbol in planned.symbols:
        (item,) = (one for one in items if one.function(symbol) is not None)
        found |= set(objects.reachable(item, symbol))
    assert found >= INSTRUCTIONS[kernel]


def test_what_lies_beside_a_guarded_buffer(tmp_path: Path) -> None:
    tests = ROOT / "kernels" / "tests"
    (tmp_path / "main.c").write_text(TOUCHING, encoding="utf-8")
    sources = ["main.c", *(str(tests / name) for name in ("buffers.c", "tap.c"))]
    done = support.cl("arm64", "/nologo", "/std:c11", f"/I{tests}", *sources, "/Femain.exe", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    leg = support.leg("arm64")
    assert run(leg.invoke(tmp_path / "main.exe")).code == 1
    for word in ("begin", "end"):
        ran = run(leg.invoke(tmp_path / "main.exe", [word]))
        assert ran.code == 125
        assert "write of 1 bytes" in ran.errors
