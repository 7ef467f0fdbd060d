"""The launcher of a generated tree: one text is compiled by one command once, all else as often as asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cmaketool.verify import harness
from tests.support import require_tool

pytestmark = [
    pytest.mark.build,
    pytest.mark.skipif(os.name != "posix", reason="the launcher is for POSIX"),
]

LAUNCHER = Path(harness.__file__).with_name("compileonce.py")
SOURCE = """\
#ifdef ASKED
int value(void) { return ASKED; }
#else
int value(void) { return 0; }
#endif
"""


class Bench:
    """A folder with a source, and a compiler that notes when it compiles."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.objects, self.source = folder, folder / "objects", folder / "value.c"
        self._log, self._compiler = folder / "log", folder / "compiler"
        self.objects.mkdir()
        self.source.write_text(SOURCE, encoding="utf-8")
        noting = f'case " $* " in *" -E "*) ;; *) echo >> {self._log};; esac'
        real = require_tool("cc")
        self._compiler.write_text(f'#!/bin/sh\n{noting}\nexec {real} "$@"\n', encoding="utf-8")
        self._compiler.chmod(0o755)

    def compile(self, *words: str, to: str = "value.o") -> subprocess.CompletedProcess[str]:
        """Compile by the launcher."""
        command = [sys.executable, "-I", "-S", str(LAUNCHER), str(self.objects), *self.words(*words, to=to)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder)

    def words(self, *words: str, to: str) -> list[str]:
        """Return the compiler's own command."""
        return [str(self._compiler), "-O2", *words, "-o", to, "-c", str(self.source)]

    @property
    def compiled(self) -> int:
        """How often the compiler compiled."""
        return self._log.read_text(encoding="utf-8").count("\n") if self._log.is_file() else 0


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_definition_that_nobody_asks_for_compiles_nothing(bench: Bench) -> None:
    assert bench.compile().returncode == 0
    assert bench.compile("-DOTHER=1", to="again.o").returncode == 0
    assert bench.compiled == 1
    subprocess.run(bench.words("-DOTHER=1", to="real.o"), check=True, cwd=bench.folder)
    contents = [(bench.folder / name).read_bytes() for name in ("value.o", "again.o", "real.o")]
    assert contents[0] == contents[1] == contents[2]


def test_objects_share_no_file(bench: Bench) -> None:
    bench.compile()
    (bench.folder / "value.o").write_bytes(b"")
    bench.compile(to="again.o")
    assert (bench.folder / "again.o").stat().st_size > 0


@pytest.mark.parametrize("word", ["-DASKED=1", "-O1", "-funsigned-char", "-UASKED", "-Wextra"])
def test_another_text_or_command_is_compiled(bench: Bench, word: str) -> None:
    bench.compile()
    bench.compile(word)
    assert bench.compiled == 2


def test_a_changed_source_is_compiled(bench: Bench) -> None:
    bench.compile()
    bench.source.write_text(SOURCE.replace("0", "1"), encoding="utf-8")
    bench.compile()
    assert bench.compiled == 2


@pytest.mark.parametrize(
    "word", ["-g", "-ggdb3", "--coverage", "-save-temps", "-dp", "-Wa,-L", "-MF/dev/null"]
)
def test_a_command_that_tells_more_is_left_as_it_is(bench: Bench, word: str) -> None:
    extra = ["-MD"] if word.startswith("-MF") else []
    for _ in range(2):
        assert bench.compile(*extra, word).returncode == 0
    assert bench.compiled == 2
    assert not list(bench.objects.iterdir())


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("int value(void) { int idle; return 0; }\n", "-Wall"),
        ("#if NOWHERE\n#endif\nint value(void) { return 0; }\n", "-Wundef"),
    ],
    ids=["compiler", "preprocessor"],
)
def test_a_warning_is_said_each_time(bench: Bench, text: str, flag: str) -> None:
    bench.source.write_text(text, encoding="utf-8")
    said = [bench.compile(flag) for _ in range(2)]
    assert all("warning" in one.stdout + one.stderr for one in said)
    assert bench.compiled == 2


def test_what_does_not_compile_fails_each_time(bench: Bench) -> None:
    bench.source.write_text("int value(void) { return nobody; }\n", encoding="utf-8")
    failed = [bench.compile() for _ in range(2)]
    assert all(one.returncode == 1 and "nobody" in one.stdout + one.stderr for one in failed)
    assert not (bench.folder / "value.o").exists()


def test_what_another_file_holds_is_compiled(bench: Bench) -> None:
    (bench.folder / "data").write_bytes(b"1")
    bench.source.write_text(f'__asm__(".incbin \\"{bench.folder / "data"}\\"");\n', encoding="utf-8")
    bench.compile()
    (bench.folder / "data").write_bytes(b"22")
    bench.compile()
    assert bench.compiled == 2
