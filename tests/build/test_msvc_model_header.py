"""The model of arm64_neon.h: its table of names, and what it computes against compilers' own arm_neon.h."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from cmaketool import resources
from cmaketool.standins.msvc_model import evidence
from cmaketool.standins.msvc_model.headers import names_header
from tests.msvc_model import differential
from tests.support import require_tool

FOLDER = "standins/msvc_model/include"


class Compiler(NamedTuple):
    """A compiler for AArch64 Linux: its command, and what makes it take the model's header."""

    command: tuple[str, ...]
    for_model: tuple[str, ...]


COMPILERS = {
    "gcc": Compiler(("aarch64-linux-gnu-gcc",), ("-D__int64=long long",)),
    "clang": Compiler(("clang-19", "--target=aarch64-linux-gnu"), ("-fms-extensions",)),
}
MODEL = ("-ffreestanding", "-nostdinc", "-D_MSC_VER=1944", "-D_M_ARM64=1", "-w")
REAL = ("-march=armv8.2-a+crypto+sha3", "-w")


def write_headers(folder: Path) -> Path:
    """Write the model's headers into `folder`."""
    for name in resources.listing(FOLDER, ".h"):
        (folder / name).write_text(resources.text(FOLDER, name), encoding="utf-8")
    (folder / "arm64_neon_names.h").write_text(names_header(), encoding="utf-8")
    return folder


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def compile_object(compiler: Compiler, source: Path, text: str, *options: str) -> str:
    source.write_text(text, encoding="utf-8", newline="\n")
    output = str(source.with_suffix(".o"))
    done = run(*compiler.command, *options, "-c", str(source), "-o", output)
    assert done.returncode == 0, done.stderr[-4000:]
    return output


class Comparison(NamedTuple):
    """The compiler's own side of the comparison and its main program, compiled once."""

    folder: Path
    compiler: Compiler
    only: tuple[str, ...] | None
    objects: tuple[str, ...]

    @classmethod
    def make(cls, folder: Path, name: str, only: tuple[str, ...] | None = None) -> Comparison:
        """Compile by the compiler of that name what does not depend on the model; `only`: these cases."""
        compiler = COMPILERS[name]
        for tool in (*COMPILERS["gcc"].command, compiler.command[0], "qemu-aarch64"):
            require_tool(tool)
        real = compile_object(compiler, folder / "real.c", differential.side_text("real", only), *REAL, "-O1")
        main = compile_object(COMPILERS["gcc"], folder / "main.c", differential.main_text(only), "-O1")
        return cls(folder, compiler, only, (real, main))

    def differences(self, headers: Path, level: str) -> subprocess.CompletedProcess[str]:
        """Compile the model's side, of these `headers`, at optimisation `level`; run the comparison."""
        options = (*self.compiler.for_model, *MODEL, f"-I{headers}", level)
        text = differential.side_text("model", self.only)
        model = compile_object(self.compiler, self.folder / "model.c", text, *options)
        program = str(self.folder / "compare")
        done = run(*COMPILERS["gcc"].command, "-static", model, *self.objects, "-o", program)
        assert done.returncode == 0, done.stderr[-4000:]
        return run("qemu-aarch64", "-cpu", "max", program)


@pytest.fixture(scope="module", params=list(COMPILERS))
def comparison(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """Return the comparison with all cases, for a compiler."""
    return Comparison.make(tmp_path_factory.mktemp(request.param), request.param)


@pytest.mark.build
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_it_computes_what_arm_neon_h_computes(comparison: Comparison, tmp_path: Path, level: str) -> None:
    done = comparison.differences(write_headers(tmp_path), level)
    assert done.stdout == f"0 of {len(differential.case_names())} differ\n"
    assert done.returncode == 0


# The case that each makes wrong; the others of its kind, which stay right, are tried with it.
FAULTS = {
    "vzip1q_u32": ('"zip1 %0.4s, %1.4s, %2.4s"', '"zip2 %0.4s, %1.4s, %2.4s"', ("vzip2q_u32", "vzip1q_u64")),
    "vshrq_n_u64_64": (
        "a.lanes >> (n - 1) >> 1",
        "a.lanes >> n % (int)(8 * sizeof a.lanes[0])",
        ("vshrq_n_u64_63", "vshrq_n_u64_1", "vshlq_n_u64_63"),
    ),
}


@pytest.mark.build
@pytest.mark.parametrize("case", FAULTS)
def test_a_planted_fault_is_found(tmp_path: Path, case: str) -> None:
    right, wrong, others = FAULTS[case]
    header = write_headers(tmp_path) / "arm64_neon.h"
    comparison = Comparison.make(tmp_path, "gcc", (case, *others))
    assert comparison.differences(tmp_path, "-O2").returncode == 0
    text = header.read_text(encoding="utf-8")
    assert text.count(right) == 1
    header.write_text(text.replace(right, wrong), encoding="utf-8")
    done = comparison.differences(tmp_path, "-O2")
    assert (done.returncode, done.stdout) == (1, f"{case}\n1 of {len(others) + 1} differ\n")


def test_the_header_has_a_function_for_each_name_and_no_other() -> None:
    text = resources.text(FOLDER, "arm64_neon.h")
    functions = set(re.findall(r"(?:^MM_\w+\(|MM_INLINE [\w ]+ mm_)(v\w+)", text, re.MULTILINE))
    assert functions == set(evidence.intrinsics())


def test_names_are_given_once() -> None:
    text = resources.text("standins/msvc_model", "evidence.yml")
    assert len(evidence.intrinsics()) == len(re.findall(r"^  - c: ", text, re.MULTILINE))


def test_what_has_no_evidence_is_absent_or_unproven() -> None:
    known = evidence.intrinsics()
    assert not [name for name in known if re.match(r"veor3|vrax1|vxar|vbcax", name)]
    assert evidence.unproven(["vuzp1q_u32", "vaeseq_u8", "vmull_high_u32"]) == (
        "vmull_high_u32",
        "vuzp1q_u32",
    )
    assert evidence.unproven(["vnew_u8"]) == ("vnew_u8",)
    assert evidence.unproven([]) == ()
    assert all(found.seen or found.since is None for found in known.values())


def test_evidence_is_a_file_or_a_pull_request_of_a_project() -> None:
    for found in evidence.intrinsics().values():
        for project, where in found.seen:
            assert project == evidence.projects()[project.name]
            assert re.fullmatch(r"[\w./-]+\.(c|h|cpp|hpp)|pull request \d+", where), (found.name, where)


def test_evidence_says_since_when() -> None:
    known = evidence.intrinsics()
    assert known["vaeseq_u8"].since == 1910
    assert known["vld1q_u8"].since == 1920
    assert {project.name for project, _ in known["vaeseq_u8"].seen} == {"SymCrypt", "7-Zip"}
    used = {project.name for found in known.values() for project, _ in found.seen}
    assert used == set(evidence.projects())


def test_names_are_found_in_a_user_s_lines() -> None:
    lines = [
        '#line 1 "/standin/include/arm64_neon.h"',
        "mm_vaesdq_u8(a, b);",
        '#line 7 "/user/include/own.h"',
        "x = mm_vaeseq_u8(a, mm_vld1q_u8(p)); mm_other(1); vaesmcq_u8(b); comm_vmull_p64(c);",
    ]
    assert evidence.names_in("\n".join(lines), Path("/standin")) == {"vaeseq_u8", "vld1q_u8"}
