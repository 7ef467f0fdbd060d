"""A universal build has each kernel in its own slice, with flags for that slice, and in no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cmaketool.diagnostics import ExitCode
from cmaketool.verify import objects
from tests.build.verify_support import MiniProject, failures
from tests.support import leg_or_skip

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.verify.model import Outcome, Until

pytestmark = [pytest.mark.build, pytest.mark.usefixtures("_leg")]

LEG = "macos-universal"
LISTS = "CMakeLists.txt"
CALL = "slices_target_kernels(slices)\n"


@pytest.fixture(scope="module")
def _leg(tmp_path_factory: pytest.TempPathFactory) -> None:
    leg_or_skip(LEG, tmp_path_factory.mktemp("leg"))


@pytest.fixture
def project(tmp_path: Path) -> MiniProject:
    return MiniProject.make(tmp_path / "slices", "slices")


def verify(project: MiniProject, until: Until) -> Outcome:
    keep = project.folder.with_name("kept")
    return project.verify(toolchains=(LEG,), until=until, require=True, keep=keep)


def reasons(outcome: Outcome, kernel: str, rung: str) -> set[str]:
    return {finding.reason for finding in failures(outcome.findings)[kernel, rung]}


@pytest.mark.parametrize("until", [pytest.param("run", id="each_slice_has_its_own[B01]")])
def test_passes(project: MiniProject, until: Until) -> None:
    outcome = verify(project, until)
    assert outcome.code is ExitCode.OK, outcome.findings
    (report,) = outcome.legs
    assert report.notes == [
        "arm64 slice: mix_arm64 (aese 1, aesmc 1); nothing of mix_x86",
        "x86_64 slice: mix_x86 (aesenc 1); nothing of mix_arm64",
    ]
    files = [*(project.folder.with_name("kept") / LEG / "fresh").rglob("mix_*.c.o")]
    assert [set(objects.slices(file)) for file in files] == [{"arm64", "x86_64"}] * 2


def test_flags_stand_behind_their_slice(project: MiniProject) -> None:
    bare = "set_property(SOURCE mix_x86.c APPEND PROPERTY COMPILE_OPTIONS -maes)\n"
    dropped = 'set_source_files_properties(mix_arm64.c PROPERTIES COMPILE_OPTIONS "")\n'
    project.edit(LISTS, CALL, CALL + bare + dropped)
    outcome = verify(project, "sources")
    assert reasons(outcome, "mix_x86", "flags") == {"slices/mix_x86.c has -maes, which is not for that slice"}
    assert reasons(outcome, "mix_arm64", "flags") == {"slices/mix_arm64.c lacks -Xarch_arm64 -fno-vectorize"}


def test_an_option_that_is_dropped(project: MiniProject) -> None:
    project.edit(LISTS, CALL, f"set(SLICES_MIX OFF)\n{CALL}")
    outcome = verify(project, "sources")
    for kernel in ("mix_arm64", "mix_x86"):
        assert reasons(outcome, kernel, "sources") == {f"slices/{kernel}.c is not in target slices"}


def test_code_in_another_slice_or_in_none(project: MiniProject) -> None:
    project.edit("mix_arm64.c", "MIX_ARM64\n", "MIX_ARM64 && defined(_WIN32)\n")
    stray = '#ifdef __x86_64__\n    __asm__("aesenc %xmm0, %xmm1");\n#endif\n'
    project.edit("base.c", "    return", f"{stray}    return")
    outcome = verify(project, "objects")
    assert reasons(outcome, "mix_arm64", "symbols") == {
        "arm64 slice: slices_mix_arm64 is not defined: mix_arm64.c.o holds no code, its guard was false"
    }
    assert reasons(outcome, "mix_x86", "leak") == {
        "x86_64 slice: base.c.o contains aesenc (aesenc 1 in slices_base), feature aes of mix_x86"
    }


def test_a_slice_that_is_not_there(project: MiniProject) -> None:
    project.edit("mix_x86.c", "typedef int slices_mix_x86_is_not_built;", "void slices_mix_x86(void) {}")
    project.edit(LISTS, CALL, f"{CALL}set_target_properties(slices PROPERTIES OSX_ARCHITECTURES arm64)\n")
    outcome = verify(project, "objects")
    (reason,) = reasons(outcome, "mix_x86", "symbols")
    assert reason.split("; ") == [
        "arm64 slice: slices_mix_x86 is defined in mix_x86.c.o",
        "the kernel is not to be built",
        "x86_64 slice: there is none in the object of mix_x86.c",
    ]
