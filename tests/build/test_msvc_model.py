"""The stand-in for cl: what it takes and refuses, and that it behaves as cl does on its command line."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from cmaketool.diagnostics import CmaketoolError
from cmaketool.standins.msvc_model import evidence
from cmaketool.standins.msvc_model.commandline import CommandLine, expand
from cmaketool.standins.msvc_model.install import ARCHITECTURES, install
from tests.build.dispatched import load
from tests.msvc_model.support import FOLDER, cl, standin
from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import PlannedKernel

pytestmark = pytest.mark.build

BUNDLED = [kernel for kernel in load(ROOT / "kernels" / "kernels.yml").kernels if kernel.isa == "arm64"]
# What is refused and taken depends on the architecture in the header's first lines only.
CORPUS = ["arm64", pytest.param("arm64ec", marks=pytest.mark.nightly)]
MACHINES = {"arm64": 0xAA64, "arm64ec": 0xA641, "x64": 0x8664}
STRICT = ["/nologo", "/W4", "/WX", "/O2"]
KERNELS = ["/I", str(ROOT / "kernels"), "/I", str(ROOT / "kernels" / "include")]
KNOWN_FAULTS = {
    "address_of_intrinsic": "B15",
    "braces_of_four": "B15",
    "braces_of_sixteen": "B15",
    "cast_of_vector": "B15",
    "operator_on_vectors": "B15",
    "subscript_of_vector": "B15",
    "arm_acle": "B16",
    "builtin_clzll": "B16",
    "pmull_of_scalars": "B16",
    "rev": "B16",
    "undeclared_function": "B17",
    "immediate_of_inline_function": "B19",
}
PLAIN = "int f(void);\nint f(void)\n{\n    return 1;\n}\n"


def cases(kind: str) -> list[Any]:
    """Return the sources of a corpus as parameters; those that stand for a known fault bear its number."""
    sources = sorted((FOLDER / kind).glob("*.c"))
    return [
        pytest.param(source, id=f"{source.stem}-{KNOWN_FAULTS[source.stem]}")
        if source.stem in KNOWN_FAULTS
        else pytest.param(source, id=source.stem)
        for source in sources
    ]


def said(source: Path, key: str, otherwise: str) -> str:
    found = re.search(rf"/\* {key}: (.*) \*/", source.read_text(encoding="utf-8"))
    return found[1] if found else otherwise


def compile_case(source: Path, architecture: str, folder: Path) -> subprocess.CompletedProcess[str]:
    options = said(source, "options", "/std:c11")
    return cl(architecture, *STRICT, options, "/c", str(source), "/Foout.obj", cwd=folder)


@pytest.mark.parametrize("source", cases("accept"))
@pytest.mark.parametrize("architecture", CORPUS)
def test_takes_what_cl_takes(tmp_path: Path, architecture: str, source: Path) -> None:
    done = compile_case(source, architecture, tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "out.obj").is_file()


@pytest.mark.parametrize("source", cases("reject"))
@pytest.mark.parametrize("architecture", CORPUS)
def test_refuses_what_cl_does_not_know(tmp_path: Path, architecture: str, source: Path) -> None:
    text = said(source, "refused", "")
    assert text
    done = compile_case(source, architecture, tmp_path)
    assert done.returncode == 2
    assert text in done.stdout
    assert f"{source}(" in done.stdout
    assert not (tmp_path / "out.obj").exists()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_objects_are_of_the_machine(tmp_path: Path, architecture: str) -> None:
    (tmp_path / "a.c").write_text(PLAIN, encoding="utf-8")
    assert cl(architecture, "/nologo", "/c", "a.c", cwd=tmp_path).returncode == 0
    assert int.from_bytes((tmp_path / "a.obj").read_bytes()[:2], "little") == MACHINES[architecture]


@pytest.mark.parametrize("kernel", BUNDLED, ids=lambda kernel: kernel.name)
def test_a_bundled_kernel_uses_what_cl_is_known_to_take(tmp_path: Path, kernel: PlannedKernel) -> None:
    sources = [str(ROOT / "kernels" / source) for source in kernel.sources]
    macro = f"/DCMK_KERNEL_{kernel.name.upper()}=1"
    without = cl("arm64", "/nologo", *KERNELS, "/E", *sources, cwd=tmp_path)
    done = cl("arm64", "/nologo", *KERNELS, macro, "/E", *sources, cwd=tmp_path)
    assert done.returncode == 0
    names = evidence.names_in(done.stdout, standin("arm64").folder)
    assert names
    assert evidence.unproven(names) == ()
    assert not evidence.names_in(without.stdout, standin("arm64").folder)


def test_the_dialect_uses_what_cl_is_known_to_take(tmp_path: Path) -> None:
    text = """#include "arm64/dialect.h"
void f(uint64x2_t *to, uint8x16_t a, uint32x4_t b);
void f(uint64x2_t *to, uint8x16_t a, uint32x4_t b)
{
    to[0] = vreinterpretq_u64_u8(veorq_u8(pmull_low(a, a), pmull_high(a, a)));
    to[1] = mlal_high_u32(mull_high_u32(b, b), b, b);
    to[2] = pair_u64(1, 2);
}
"""
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    done = cl("arm64", *STRICT, *KERNELS, "/c", "a.c", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    done = cl("arm64", "/nologo", *KERNELS, "/E", "a.c", cwd=tmp_path)
    names = evidence.names_in(done.stdout, standin("arm64").folder)
    assert names >= {"vmull_p64", "vmull_high_p64", "vmlal_u32", "vget_high_u32", "vcreate_u64"}
    assert evidence.unproven(names) == ()


def test_a_name_without_evidence_is_reported(tmp_path: Path) -> None:
    text = (
        "#include <arm64_neon.h>\n#define EVEN(a, b) vuzp1q_u32(a, b)\n#if 0\nvaeseq_u8(a)\n#endif\n"
        "uint32x4_t f(uint32x4_t a, uint32x4_t b);\n"
        "uint32x4_t f(uint32x4_t a, uint32x4_t b)\n{\n    return vaddq_u32(a, EVEN(a, b));\n}\n"
    )
    (tmp_path / "a.c").write_text(text, encoding="utf-8")
    assert cl("arm64", *STRICT, "/c", "a.c", cwd=tmp_path).returncode == 0
    done = cl("arm64", "/nologo", "/E", "a.c", cwd=tmp_path)
    names = evidence.names_in(done.stdout, standin("arm64").folder)
    assert names == {"vaddq_u32", "vuzp1q_u32"}
    assert evidence.unproven(names) == ("vuzp1q_u32",)


@pytest.mark.parametrize(
    "option", ["-march=armv8-a+crypto", "/clang:-O3", "-Werror=implicit-function-declaration", "/std:c99"]
)
def test_options_of_others_are_ignored_with_a_warning(tmp_path: Path, option: str) -> None:
    (tmp_path / "a.c").write_text(PLAIN, encoding="utf-8")
    done = cl("arm64", "/nologo", option, "/we4013", "/c", "a.c", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == f"cl : Command line warning D9002 : ignoring unknown option '{option}'\n"


def test_show_includes_names_all_headers(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("int f(void);\n", encoding="utf-8")
    (tmp_path / "a.c").write_text('#include "own.h"\n#include <arm64_neon.h>\n', encoding="utf-8")
    done = cl("arm64", "/nologo", "/showIncludes", "/c", "a.c", cwd=tmp_path)
    prefix = "Note: including file:"
    named = [
        line.removeprefix(prefix).strip() for line in done.stdout.splitlines() if line.startswith(prefix)
    ]
    include = standin("arm64").folder / "include"
    assert named == [
        str(tmp_path / "own.h") if named[0].startswith("/") else named[0],
        str(include / "arm64_neon.h"),
        str(include / "arm64_neon_names.h"),
    ]
    assert named[0].endswith("own.h")


def test_arm_neon_h_hands_over_for_arm64_only(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#include <arm_neon.h>\nuint8x16_t *p;\n", encoding="utf-8")
    assert cl("arm64", "/nologo", "/c", "a.c", cwd=tmp_path).returncode == 0
    done = cl("arm64ec", "/nologo", "/c", "a.c", cwd=tmp_path)
    assert done.returncode == 2
    assert "This header is specific to ARM targets" in done.stdout


def test_a_user_s_header_is_searched_too(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define GOOD 1\n\nextern __typeof__(1) x;\n", encoding="utf-8")
    (tmp_path / "a.c").write_text('#include "own.h"\nint y;\n', encoding="utf-8")
    done = cl("arm64", "/nologo", "/c", "a.c", cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(r"own\.h\(3\): error CMODEL: '__typeof__' is not known", done.stdout)


@pytest.mark.parametrize("words", [["/D", "xc", "a.c"], ["/I", "xFo", "a.c"], ["a.txt", "/TC"], ["/Tca.txt"]])
def test_what_cl_does_not_know_is_seen_behind_every_option(tmp_path: Path, words: list[str]) -> None:
    for name in ("a.c", "a.txt"):
        (tmp_path / name).write_text(PLAIN.replace("return 1", "return __builtin_clz(1)"), encoding="utf-8")
    done = cl("arm64", *STRICT, "/c", *words, cwd=tmp_path)
    assert (done.returncode, "CMODEL: '__builtin_clz'" in done.stdout) == (2, True), done.stdout
    assert not list(tmp_path.glob("*.obj"))


def test_c_only(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int x;\n", encoding="utf-8")
    done = cl("arm64", "/nologo", "/c", "a.cpp", cwd=tmp_path)
    assert done.returncode == 2
    assert "compiles C only" in done.stdout


def test_response_files(tmp_path: Path) -> None:
    (tmp_path / "with space.c").write_text(PLAIN.replace("1", "VALUE"), encoding="utf-8")
    (tmp_path / "words").write_text('/nologo "/DVALUE=7" /c\n"with space.c" /Foout.obj', encoding="utf-8")
    done = cl("arm64", "@words", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "out.obj").is_file()


def test_response_files_of_other_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PLAIN, encoding="utf-8")
    (tmp_path / "wide").write_text('/nologo /c "a.c"', encoding="utf-16")
    assert expand([f"@{tmp_path / 'wide'}", "b.c"]) == ["/nologo", "/c", "a.c", "b.c"]
    (tmp_path / "itself").write_text("/c a.c @itself", encoding="utf-8")
    (tmp_path / "bytes").write_bytes(b"/c \xff.c")
    for name, said in (("itself", "names another"), ("bytes", "D8022 : cannot open"), ("no", "D8022 :")):
        done = cl("arm64", "/nologo", f"@{name}", "/c", "a.c", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stdout.startswith("cl : Command line error ")
        assert said in done.stdout
        assert len(done.stdout.splitlines()) == 1
        assert not (tmp_path / "a.obj").exists()


def test_a_pragma_that_is_not_known_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("#pragma GCC diagnostic push\n" + PLAIN, encoding="utf-8")
    told = "a.c(1): warning C4068: unknown pragma 'GCC'\n"
    for options, said in ((), told), (("/WX", "/wd4068"), ""), (("/w",), ""), (("/WX", "/W0"), ""):
        done = cl("arm64", "/nologo", *options, "/c", "a.c", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, said)


def test_a_command_line_is_sorted() -> None:
    line = CommandLine(
        ["/nologo", "-DX", "/D", "Y=1", "/std:c17", "-W3", "-O2", "a.c", "b.obj", "-fPIC", "/link", "/debug"]
    )
    assert line.options == ["/nologo", "-DX", "/DY=1", "/std:c17", "-W3", "-O2"]
    assert (line.inputs, line.sources, line.link) == (["a.c", "b.obj"], ["a.c"], ["/debug"])
    assert (line.unknown, line.standard, line.level) == (["-fPIC"], "c17", 3)
    assert line.links
    assert line.outputs() == ["a.obj", "a.exe"]


@pytest.mark.parametrize("architecture", ["arm64", "x64"])
def test_programs_import_only_what_the_runner_has(tmp_path: Path, architecture: str) -> None:
    project = FOLDER / "project"
    sources = [str(project / name) for name in ("main.c", "core.c")]
    done = cl(
        architecture, "/nologo", "/MD", f"/I{project / 'include'}", *sources, "/Feapp.exe", cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, "")
    imports = subprocess.run(
        [require_tool("llvm-readobj-19"), "--coff-imports", str(tmp_path / "app.exe")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert set(re.findall(r"Name: (\S+)", imports)) == {"KERNEL32.dll"}
    assert set(re.findall(r"Symbol: (\w+)", imports)) == {
        "ExitProcess", "GetCommandLineA", "GetEnvironmentVariableA", "GetLastError", "GetStdHandle",
        "IsProcessorFeaturePresent", "ReadFile", "SetLastError", "WriteFile",
    }  # fmt: skip


def test_installing_again_changes_nothing(tmp_path: Path) -> None:
    standin("arm64ec")
    first = install(tmp_path, "arm64ec")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert install(tmp_path, "arm64ec") == first
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("name", [pytest.param("odd folder $x ü's", id="B63")])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    require_tool("clang-19")
    installed = install(tmp_path / name, "arm64ec")
    source = tmp_path / name / "ein maß.c"
    source.write_text("#include <arm64_neon.h>\nint x = __builtin_clz(1);\n", encoding="utf-8")
    done = subprocess.run(
        [str(installed.compiler), "/nologo", "/c", str(source), "/Foout.obj"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{source}(2): error CMODEL: '__builtin_clz' is not known to MSVC\n"


def test_without_clang_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CmaketoolError) as caught:
        install(tmp_path / "standin", "arm64")
    assert "clang-19 is not on PATH" in str(caught.value)
    assert "apt-get install clang-19" in str(caught.value)


def test_without_a_companion_it_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clang-19").symlink_to(require_tool("clang-19"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CmaketoolError, match=r"lld-link-19, llvm-lib-19, .* not on PATH, beside clang-19"):
        install(tmp_path / "standin", "arm64")


def test_when_clang_has_gone(tmp_path: Path) -> None:
    installed = standin("arm64")
    script = installed.compiler.read_text(encoding="utf-8").replace(installed.tools.clang, "/nowhere/clang")
    (tmp_path / "cl").write_text(script, encoding="utf-8")
    (tmp_path / "a.c").write_text(PLAIN, encoding="utf-8")
    done = subprocess.run(
        ["sh", "cl", "/c", "a.c"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "/nowhere/clang is not there any more" in done.stdout
