"""Compile and link commands in both spellings, changed to make something else; line markers."""

from __future__ import annotations

from pathlib import Path

import pytest

from cmaketool import linemarkers
from cmaketool.verify.commandlines import Command, linking, preprocessing, redirected, runs, without_errors

GNU = ["cc", "-Werror=vla", "-Fdown", "-o", "a.dir/x.c.o", "-c", "/src/x.c"]
CL = ["cl", "/nologo", "-MD", "/WX", "/Foa.dir\\x.c.obj", "/Fda.dir\\a.pdb", "/FS", "-c", "/src/x.c"]
NEW = Path("/new/y")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (GNU, ["cc", "-Werror=vla", "-Fdown", "-o", "/new/y", "-c", "/src/x.c"]),
        (CL, ["cl", "/nologo", "-MD", "/WX", "/Fo/new/y", "/Fd/new/y.pdb", "/FS", "-c", "/src/x.c"]),
    ],
)
def test_a_compile_command_makes_something_else(words: list[str], expected: list[str]) -> None:
    assert redirected(words, NEW) == expected
    assert [word for word in words if word not in without_errors(words)] == [words[3 if words is CL else 1]]


def test_a_command_without_a_product() -> None:
    with pytest.raises(ValueError, match="what it makes"):
        redirected(["cl", "-c", "x.c"], NEW)


def test_a_command_that_does_more_than_compile() -> None:
    with pytest.raises(ValueError, match="compiles"):
        preprocessing(["cc", "-o", "x", "x.c"])


def test_a_command_runs_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cc", "other", "launch"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    cc, launch = tmp_path / "cc", str(tmp_path / "launch")
    for words in ([str(cc), "-c", "x.c"], [launch, "-v", str(cc), "-c", "x.c"]):
        assert runs(words, cc)
        assert not runs(words, tmp_path / "other")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert runs(["cc", "-c", "x.c"], cc)


def test_a_compile_command_preprocesses() -> None:
    assert preprocessing(GNU) == ["cc", "-Werror=vla", "-Fdown", "-E", "/src/x.c"]
    assert preprocessing(CL) == [
        "cl", "/nologo", "-MD", "/WX", "/Fda.dir\\a.pdb", "/FS", "-E", "/src/x.c",
    ]  # fmt: skip


LINK = ["link", "/nologo", "t.obj", "k.obj", "/out:bin/t.exe", "/implib:t.lib", "/pdb:bin/t.pdb", "a.lib"]
WRAPPED = ["cmake", "-E", "vs_link_exe", "--intdir=t.dir", "--manifests", "--", *LINK]
TREE, BELOW = Path("/tree"), [word.replace("k.obj", "../k.obj") for word in WRAPPED]


def test_a_link_command_takes_mutants() -> None:
    beside = ["/implib:/new/y.lib", "/pdb:/new/y.pdb", "a.lib"]
    mutants = {Path("/tree/k.obj"): Path("/m.obj")}
    in_library = linking(Command(WRAPPED, TREE), NEW, {Path("/tree/b.obj"): Path("/m.obj")})
    assert in_library == [*LINK[:4], "/out:/new/y", "/m.obj", *beside]
    for wrapped in (Command(WRAPPED, TREE), Command(BELOW, TREE / "below")):
        assert linking(wrapped, NEW, mutants) == [*LINK[:3], "/m.obj", "/out:/new/y", *beside]
    words = ["cc", "-Wl,--dependency-file=t.d", "t.o", "-o", "t", "liba.a"]
    assert linking(Command(words, TREE), NEW, {TREE / "k.o": Path("/m.o")}) == [
        "cc",
        "t.o",
        "-o",
        "/new/y",
        "/m.o",
        "liba.a",
    ]


def test_line_markers_of_every_compiler() -> None:
    text = '# 1 "./\\303\\251 h.h" 1\n\nint a;\n# 0 "<built-in>"\n#line 7 "c:\\\\b.h"\n#pragma once\nint b;\n'
    assert linemarkers.files(text) == {"./é h.h", "<built-in>", "c:\\b.h"}
    assert linemarkers.lines(text) == [
        ("./é h.h", 2, "int a;"),
        ("c:\\b.h", 7, "#pragma once"),
        ("c:\\b.h", 8, "int b;"),
    ]
