"""Legs of the user's: leg files beside a manifest, toolchain files, and which of all are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from cmaketool import toolchains
from cmaketool.diagnostics import CmaketoolError

OURS = """
name: {name}
stands_for: the compiler of our boards
order: 1
facts: from-compiler
packages: ask us
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    return tmp_path / "kernels.yml"


def write(manifest: Path, file: str, name: str, more: str) -> None:
    (manifest.parent / file).write_text(OURS.format(name=name) + more, encoding="utf-8")


def names(*asked: str, manifest: Path | None = None, files: tuple[Path, ...] = ()) -> list[str]:
    return [leg.name for leg in toolchains.select(asked, manifest=manifest, toolchain_files=files)]


def test_nothing_of_the_users(manifest: Path) -> None:
    bundled = [leg.name for leg in toolchains.legs()]
    assert names() == names(manifest=manifest) == [leg.name for leg in toolchains.legs() if leg.default]
    assert names("all") == names("all", "native") == bundled
    assert names("native", "gcc-11-aarch64-linux-gnu") == ["native", "gcc-11-aarch64-linux-gnu"]


def test_all_does_not_hide_a_name_that_is_wrong() -> None:
    with pytest.raises(CmaketoolError, match=r"no toolchain is named 'nativ'"):
        names("all", "nativ")


def test_the_file_of_a_leg_that_cannot_be_used_is_named(tmp_path: Path, manifest: Path) -> None:
    write(manifest, "board.leg.yml", "board", "compiler: [sh, -c, exit 3]\n")
    (board,) = toolchains.users(manifest)
    with pytest.raises(CmaketoolError, match=r"/board\.leg\.yml: error: .*/sh does not preprocess"):
        toolchains.find(board, tmp_path / "work")


def test_a_toolchain_file_called_all() -> None:
    with pytest.raises(CmaketoolError, match=r"^all\.cmake: error: 'all' means something else"):
        toolchains.users(None, (Path("all.cmake"),))


def test_leg_files_beside_the_manifest(manifest: Path) -> None:
    write(manifest, "board.leg.yml", "board", "toolchain_file: cmake/board.cmake\n")
    write(manifest, "old.leg.yml", "old-board", "compiler: [old-cc]\ndefault: false\n")
    (manifest.parent / "other.yml").write_text("[", encoding="utf-8")
    board, old = toolchains.users(manifest)
    assert board.toolchain_file == str(manifest.parent / "cmake" / "board.cmake")
    assert (old.toolchain_file, old.compiler) == (None, ("old-cc",))
    assert names(manifest=manifest) == ["board", *names()]
    assert names("all", manifest=manifest)[:2] == ["board", "old-board"]
    assert names("old-board", manifest=manifest) == ["old-board"]
    with pytest.raises(CmaketoolError, match=r"'old-bord' .*\n  did you mean 'old-board'"):
        names("old-bord", manifest=manifest)


def test_a_toolchain_file_is_a_leg_that_is_asked_for(tmp_path: Path, manifest: Path) -> None:
    files = (tmp_path / "my board (2).cmake", tmp_path / "plain")
    first, second = toolchains.users(None, files)
    assert (first.name, second.name) == ("my-board-2", "plain")
    assert first.toolchain_file == str(files[0])
    assert names(files=files) == ["my-board-2", "plain"]
    assert names("native", files=files[1:]) == ["native", "plain"]
    write(manifest, "board.leg.yml", "board", "compiler: [cc]\n")
    assert names(manifest=manifest, files=files[:1]) == ["my-board-2"]
    assert "board" in names("all", manifest=manifest, files=files[:1])


@pytest.mark.parametrize("name", ["native", "board"])
def test_two_legs_of_one_name(name: str, tmp_path: Path, manifest: Path) -> None:
    write(manifest, "board.leg.yml", name, "compiler: [cc]\n")
    files = (tmp_path / "board.cmake",) if name == "board" else ()
    with pytest.raises(CmaketoolError, match=rf"two legs are named '{name}' \[leg-name\]\n  name the one"):
        toolchains.users(manifest, files)


def test_a_wrong_leg_file_is_named(manifest: Path) -> None:
    write(manifest, "board.leg.yml", "board", "compiler: [cc]\ncolour: red\n")
    with pytest.raises(CmaketoolError, match=r"/board\.leg\.yml: error: colour: Extra inputs"):
        toolchains.users(manifest)
    (manifest.parent / "board.leg.yml").write_bytes(b"name: \xff\n")
    with pytest.raises(CmaketoolError, match=r"/board\.leg\.yml: error: cannot read it: it is not UTF-8"):
        toolchains.users(manifest)
    (manifest.parent / "board.leg.yml").unlink()
    (manifest.parent / "board.leg.yml").mkdir()
    with pytest.raises(CmaketoolError, match=r"/board\.leg\.yml: error: cannot read it: Is a directory"):
        toolchains.users(manifest)


@pytest.mark.parametrize(
    "stand_in",
    ["{name: msvc-model}", "{name: windows-sdk, architecture: x46}", "{name: macos, architecture: arm64}"],
)
def test_an_architecture_that_a_stand_in_is_not_made_for(tmp_path: Path, stand_in: str) -> None:
    text = (
        f"name: own\nstands_for: x\npackages: y\nfacts: from-compiler\ncompiler: [cc]\nstand_in: {stand_in}\n"
    )
    with pytest.raises(CmaketoolError) as caught:
        toolchains.find(toolchains.read(text, "own.leg.yml"), tmp_path)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.rule == "leg-file"
    assert diagnostic.remedy is not None


def test_a_toolchain_file_that_is_not_there(tmp_path: Path) -> None:
    (file,) = toolchains.users(None, (tmp_path / "no.cmake",))
    with pytest.raises(CmaketoolError, match=r"no\.cmake: error: there is no such toolchain file"):
        toolchains.find(file, tmp_path / "work")
