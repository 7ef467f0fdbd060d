"""The File API and compile_commands.json, of hand-made replies and of real CMakes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import cmake
import ninja
import pytest

from cmaketool.diagnostics import CmaketoolError
from cmaketool.verify import fileapi
from tests.support import require_tool

PROJECT = """
cmake_minimum_required(VERSION 3.18...4.0)
project(p LANGUAGES C)
add_library(one STATIC a.c a.h)
target_compile_definitions(one PRIVATE X=1 "Y=\\"a b\\"")
target_include_directories(one PRIVATE sub/.. sub)
set_source_files_properties(a.c PROPERTIES COMPILE_OPTIONS "-O1;-fno-builtin")
add_subdirectory(sub)
"""
SUBFOLDER = """
add_executable(two ../a.c main.c)
set_target_properties(two PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
"""
CONFIGURE = pytest.mark.configure


def _tree(folder: Path) -> Path:
    source = folder / "s p"
    (source / "sub").mkdir(parents=True)
    for name, text in {
        "CMakeLists.txt": PROJECT,
        "sub/CMakeLists.txt": SUBFOLDER,
        "a.c": "int a(void);\nint a(void) { return 1; }\n",
        "a.h": "int a(void);\n",
        "sub/main.c": "int main(void) { return 0; }\n",
    }.items():
        (source / name).write_text(text, encoding="utf-8")
    return source


def _cmake(which: str) -> str:
    return require_tool("cmake") if which == "system" else str(Path(cmake.CMAKE_BIN_DIR) / "cmake")


def _configure(source: Path, build: Path, which: str, generator: str, *arguments: str) -> None:
    program = require_tool("make") if "Makefiles" in generator else str(Path(ninja.BIN_DIR) / "ninja")
    command = [_cmake(which), "-S", str(source), "-B", str(build), "-G", generator]
    command += [f"-DCMAKE_MAKE_PROGRAM={program}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *arguments]
    require_tool("gcc")
    subprocess.run(command, check=True, capture_output=True)


def _build(build: Path, which: str) -> None:
    subprocess.run([_cmake(which), "--build", str(build)], check=True, capture_output=True)


GENERATORS = ("Ninja", "Unix Makefiles", "Ninja Multi-Config")


@CONFIGURE
@pytest.mark.parametrize("which", ["system", "pypi"])
@pytest.mark.parametrize("generator", GENERATORS)
def test_real_builds(tmp_path: Path, which: str, generator: str) -> None:
    source, build = _tree(tmp_path), tmp_path / "b"
    fileapi.query(build)
    fileapi.query(build)
    _configure(source, build, which, generator)
    _build(build, which)
    base = fileapi.read(build)
    multi = "Multi" in generator
    assert base.configurations == (("Debug", "Release", "RelWithDebInfo") if multi else ("",))
    assert base.cache["CMAKE_GENERATOR"] == generator
    one, two = base.targets["one"], base.targets["two"]
    assert (one.type, one.ipo, two.type, two.ipo) == ("STATIC_LIBRARY", False, "EXECUTABLE", True)
    compiled, header = one.sources
    assert (compiled.path, compiled.compiled, compiled.language) == (source / "a.c", True, "C")
    assert " ".join(compiled.fragments).split()[-2:] == ["-O1", "-fno-builtin"]
    assert set(compiled.defines) >= {"X=1", 'Y="a b"'}
    assert compiled.includes == (source, source / "sub")
    assert (header.path, header.compiled, header.fragments) == (source / "a.h", False, ())
    assert all(path.is_file() for target in (one, two) for path in target.artifacts)
    for without_output in (False, True):
        if without_output:
            _drop_outputs(build)
        first, second = fileapi.object_files(build, "one"), fileapi.object_files(build, "two")
        assert list(first) == [source / "a.c"]
        assert sorted(second) == [source / "a.c", source / "sub" / "main.c"]
        assert first[source / "a.c"] != second[source / "a.c"]
        assert all(path.is_file() for path in (*first.values(), *second.values()))
    assert fileapi.object_files(build, "neither") == {}


def _drop_outputs(build: Path) -> None:
    """Make compile_commands.json what older CMakes write."""
    path = build / "compile_commands.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    for entry in entries:
        entry.pop("output", None)
    path.write_text(json.dumps(entries), encoding="utf-8")


@CONFIGURE
def test_each_configuration_has_its_objects(tmp_path: Path) -> None:
    source, build = _tree(tmp_path), tmp_path / "b"
    fileapi.query(build)
    _configure(source, build, "pypi", "Ninja Multi-Config")
    objects = {
        name: fileapi.object_files(build, "one", name)[source / "a.c"] for name in ("Debug", "Release")
    }
    assert objects["Debug"] == build / "CMakeFiles" / "one.dir" / "Debug" / "a.c.o"
    assert objects["Release"] == build / "CMakeFiles" / "one.dir" / "Release" / "a.c.o"
    assert "-O3" in " ".join(fileapi.read(build, "Release").targets["one"].sources[0].fragments)
    with pytest.raises(CmaketoolError, match="no configuration Fast: it has Debug, Release, RelWithDebInfo"):
        fileapi.read(build, "Fast")


@CONFIGURE
def test_unity_sources_and_headers_are_no_compiled_ones(tmp_path: Path) -> None:
    source, build = _tree(tmp_path), tmp_path / "b"
    fileapi.query(build)
    arguments = ("-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_C_PRECOMPILE_HEADERS=<stddef.h>")
    _configure(source, build, "pypi", "Ninja", *arguments)
    sources = {item.path.name: item.compiled for item in fileapi.read(build).targets["two"].sources}
    assert sources["main.c"] is False
    assert sources["unity_0_c.c"] is True
    objects = fileapi.object_files(build, "two")
    assert all(path.suffix == ".o" for path in objects.values())
    assert source / "sub" / "main.c" not in objects


@CONFIGURE
def test_a_failed_configure_is_not_read_over(tmp_path: Path) -> None:
    source, build = _tree(tmp_path), tmp_path / "b"
    fileapi.query(build)
    _configure(source, build, "pypi", "Ninja")
    fileapi.read(build)
    with (source / "CMakeLists.txt").open("a", encoding="utf-8") as file:
        file.write("message(FATAL_ERROR no)\n")
    with pytest.raises(subprocess.CalledProcessError):
        _configure(source, build, "pypi", "Ninja")
    with pytest.raises(CmaketoolError, match=r"the last configure of .* failed"):
        fileapi.read(build)


def _reply(build: Path, target: dict[str, Any], **more: Any) -> None:
    """Write the smallest reply there can be, as CMake 3.18 would."""
    folder = build / ".cmake" / "api" / "v1" / "reply"
    folder.mkdir(parents=True)
    model = {
        "paths": {"source": str(build / "src"), "build": str(build)},
        "configurations": [{"name": "", "targets": [{"name": "t", "jsonFile": "t.json"}]}],
    }
    answers = {"client-cmaketool": {"codemodel-v2": {"jsonFile": "m.json"}, "cache-v2": {"error": "unknown"}}}
    for name, data in {"index-2.json": {"reply": answers}, "m.json": model, "t.json": target, **more}.items():
        (folder / name).write_text(json.dumps(data), encoding="utf-8")


TARGET = {"name": "t", "type": "OBJECT_LIBRARY"}


def test_the_largest_index_is_the_newest(tmp_path: Path) -> None:
    stale: dict[str, Any] = {"reply": {"client-cmaketool": {}}}
    _reply(tmp_path, TARGET, **{"index-1.json": stale, "error-1.json": stale})
    base = fileapi.read(tmp_path)
    assert base.targets["t"] == fileapi.Target("t", "OBJECT_LIBRARY", ())
    assert base.cache == {}


@pytest.mark.parametrize(
    ("flags", "ipo"),
    [("-O2 -flto=auto", True), ("/O2 /GL", True), ("-flto -fno-lto", False), ("-flton", False)],
)
def test_ipo_is_seen_in_flags_too(tmp_path: Path, flags: str, ipo: bool) -> None:
    group = {"language": "C", "sourceIndexes": [0], "compileCommandFragments": [{"fragment": flags}]}
    _reply(
        tmp_path, {**TARGET, "sources": [{"path": "a.c", "compileGroupIndex": 0}], "compileGroups": [group]}
    )
    target = fileapi.read(tmp_path).targets["t"]
    assert target.ipo is ipo
    assert target.sources[0].fragments == (flags,)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(CmaketoolError, match="holds no File API reply"):
        fileapi.read(tmp_path)
    _reply(tmp_path, TARGET)
    with pytest.raises(CmaketoolError, match=r"has no compile_commands\.json"):
        fileapi.object_files(tmp_path, "t")


def test_links_of_folders_do_not_matter(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "src").mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(real, target_is_directory=True)
    group = {"language": "C", "sourceIndexes": [0]}
    _reply(link, {**TARGET, "sources": [{"path": "a.c", "compileGroupIndex": 0}], "compileGroups": [group]})
    assert fileapi.read(link).targets["t"].sources[0].path == real / "src" / "a.c"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r'cl.exe /DA="b c" "C:\d e\f.c" /Fox.obj', ["cl.exe", "/DA=b c", r"C:\d e\f.c", "/Fox.obj"]),
        (r'cc -DY=\"q\" -o "a b\\"', ["cc", '-DY="q"', "-o", "a b\\"]),
        (r"C:\bin\cc.exe  -c   a\b.c ", [r"C:\bin\cc.exe", "-c", r"a\b.c"]),
        ('cc "" -c', ["cc", "", "-c"]),
    ],
)
def test_windows_commands_are_split_by_windows_rules(command: str, words: list[str]) -> None:
    assert fileapi.split_command(command, windows=True) == words
