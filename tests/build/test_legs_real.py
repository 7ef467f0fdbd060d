"""Each leg against the compiler it names: facts, configure, build, run."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from cmaketool import catalogue, process, toolchains
from cmaketool.diagnostics import CmaketoolError
from cmaketool.toolchains.model import Facts, LegFile
from cmaketool.toolchains.programs import zig
from cmaketool.toolchains.warming import FirstLink
from cmaketool.verify import objects
from tests.support import leg_or_skip, require_tool, shared_leg

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.build

LEGS = [leg.name for leg in toolchains.legs()]
RUNNING = [leg.name for leg in toolchains.legs() if leg.emulator.kind != "none"]
# Not each: Makefiles are for what differs in its commands.
COMBINATIONS = [(name, "Ninja") for name in RUNNING] + [
    (name, "Unix Makefiles")
    for name in ("zig-aarch64-linux-musl", "native", "msvc-model-arm64", "clang-cl-arm64")
]
CMAKE_IDS = {
    "gcc": "GNU", "clang": "Clang", "zig": "Clang", "clang-cl": "Clang",
    "appleclang": "AppleClang", "msvc": "MSVC",
}  # fmt: skip

PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project(hello LANGUAGES C)
file(WRITE "${CMAKE_BINARY_DIR}/compiler.txt" "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
add_library(greeting STATIC greeting.c)
if(NOT ONLY_OBJECTS)
  add_executable(hello hello.c)
  target_link_libraries(hello PRIVATE greeting)
endif()
"""
GREETING = '#include <stdio.h>\nint greet(void);\nint greet(void) { puts("hi"); return 7; }\n'
HELLO = "int greet(void);\nint main(void) { return greet(); }\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    folder.mkdir()
    for name, text in (("CMakeLists.txt", PROJECT), ("greeting.c", GREETING), ("hello.c", HELLO)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def tools() -> toolchains.Tools:
    found = toolchains.tools()
    assert isinstance(found, toolchains.Tools)
    return found


def found(name: str, folder: Path) -> toolchains.Leg:
    return leg_or_skip(name, folder)


def must(*command: str | Path) -> str:
    result = process.run([str(word) for word in command], timeout=120)
    assert result.returncode == 0, result
    return result.output


def configure(leg: toolchains.Leg, source: Path, build: Path, *options: str) -> None:
    generator = ("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tools().ninja}")
    must(tools().cmake, "-S", source, "-B", build, *generator, *leg.configure_arguments, *options)


def macros(leg: toolchains.Leg, names: set[str], *options: str, folder: Path) -> set[str]:
    """Return those of the macros `names` that the leg's compiler defines."""
    source = folder / "macros.c"
    text = "".join(f"#ifdef {name}\nit_has {name}_\n#endif\n" for name in sorted(names))
    source.write_text(text, encoding="utf-8")
    target = (f"--target={leg.file.target}",) if leg.file.target else ()
    like_cl = leg.facts.family in {"msvc", "clang-cl"}
    output = must(leg.compiler, *target, *options, "/E" if like_cl else "-E", source)
    return set(re.findall(r"^it_has (\w+)_$", output, re.MULTILINE))


def machines(library: Path) -> set[str]:
    """Return what the members of a static library are for; "other" for what has no kernels."""
    data = library.read_bytes()
    if data[:4] == bytes.fromhex("cafebabe"):
        return {
            name for name in ("arm64", "x86_64") if objects.read(member(library, name)).architecture == name
        }
    return {objects.read(member(library)).architecture or ""}


def member(library: Path, slice_: str | None = None) -> Path:
    """Return the object greeting.c of a library, as a file."""
    if slice_ is not None:
        thin = library.with_suffix(f".{slice_}.a")
        must(require_tool("llvm-lipo-19"), library, "-thin", slice_, "-output", thin)
        library = thin
    folder = library.with_suffix(".members")
    folder.mkdir()
    must(require_tool("llvm-ar-19"), "x", f"--output={folder}", library)
    (path,) = folder.iterdir()
    return path


@pytest.mark.parametrize("name", LEGS)
def test_facts_are_what_the_compiler_and_cmake_say(name: str, project: Path, tmp_path: Path) -> None:
    leg = shared_leg(name)
    build = tmp_path / "build"
    configure(leg, project, build, "-DCMAKE_BUILD_TYPE=Release", "-DONLY_OBJECTS=1")
    cmake_id, version = (build / "compiler.txt").read_text(encoding="utf-8").split()
    assert (cmake_id, version) == (CMAKE_IDS[leg.facts.family], leg.facts.version)
    assert version in leg.version
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    compiler = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", cache, re.MULTILINE)
    assert compiler is None or compiler[1] == leg.compiler.as_posix()
    must(tools().cmake, "--build", build, "--target", "greeting")
    known = catalogue.load()
    if leg.facts.architectures != ("other",):
        (library,) = {*build.glob("libgreeting.a"), *build.glob("greeting.lib")}
        assert machines(library) == set(leg.facts.architectures)
    for architecture in leg.facts.architectures if leg.facts.architectures != ("other",) else ():
        isa = known.architectures[architecture].isa
        macros_of = {name: set(known.feature(isa, name).macros) for name in known.features(isa)}
        features = {name: names for name, names in macros_of.items() if names}  # no macro tells of neon
        slices = ("-arch", architecture) if leg.file.system_name == "Darwin" and leg.file.stand_in else ()
        there = macros(leg, set().union(*features.values()), *slices, folder=tmp_path)
        assert set(leg.facts.allowed(architecture)) == {
            n for n, wanted in features.items() if wanted <= there
        }


@pytest.mark.parametrize(
    ("name", "machine"),
    [
        ("zig-aarch64_be-linux-musl", ("big", 183)),
        ("zig-arm-linux-musleabihf", ("little", 40)),
        ("zig-wasm32-wasi", None),
    ],
)
def test_what_has_no_kernels_is_what_its_name_says(
    name: str, machine: tuple[Literal["big", "little"], int] | None, tmp_path: Path
) -> None:
    leg = shared_leg(name)
    assert leg.facts.architectures == ("other",)
    (tmp_path / "a.c").write_text("int a;\n", encoding="utf-8")
    must(leg.compiler, "-c", tmp_path / "a.c", "-o", tmp_path / "a.o")
    data = (tmp_path / "a.o").read_bytes()
    if machine is None:
        assert data[:4] == b"\0asm"
    else:
        assert (data[:4], data[5]) == (b"\x7fELF", {"little": 1, "big": 2}[machine[0]])
        assert int.from_bytes(data[18:20], machine[0]) == machine[1]


@pytest.mark.parametrize(("name", "generator"), COMBINATIONS)
def test_a_program_is_configured_built_and_run(
    name: str, generator: str, project: Path, tmp_path: Path
) -> None:
    leg = shared_leg(name)
    build = tmp_path / "build"
    make = tools().ninja if generator == "Ninja" else require_tool("make")
    options = ("-G", generator, f"-DCMAKE_MAKE_PROGRAM={make}", "-DCMAKE_BUILD_TYPE=Release")
    must(tools().cmake, "-S", project, "-B", build, *options, *leg.configure_arguments)
    leg.warm()
    must(tools().cmake, "--build", build)
    program = build / ("hello.exe" if leg.file.system_name == "Windows" else "hello")
    result = process.run(leg.invoke(program).words, timeout=60)
    assert (result.returncode, result.output, result.errors) == (7, "hi\n", "")
    assert "Nothing" in (rest := must(tools().cmake, "--build", build)) or "no work" in rest or "100%" in rest


def test_finding_again_changes_nothing(tmp_path: Path) -> None:
    first = found("zig-aarch64-linux-musl", tmp_path)
    files = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    before = [(path.stat().st_mtime_ns, path.read_bytes()) for path in files]
    again = found("zig-aarch64-linux-musl", tmp_path)
    assert again.configure_arguments == first.configure_arguments
    assert [(path.stat().st_mtime_ns, path.read_bytes()) for path in files] == before
    assert {path.name for path in files} == {"toolchain.cmake", "cc", "c++", "ar", "ranlib"}


@pytest.mark.parametrize("name", [leg.name for leg in toolchains.legs() if leg.stand_in is not None])
def test_finding_a_stand_in_again_changes_nothing(name: str, tmp_path: Path) -> None:
    found(name, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    found(name, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before


def libraries(cache: Path) -> list[Path]:
    """What zig has compiled of C libraries in its cache."""
    return sorted(cache.glob("o/*/libc.a"))


def test_configuring_does_not_wait_for_zigs_c_library(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path / "cache"))
    text = (project / "CMakeLists.txt").read_text(encoding="utf-8")
    (project / "CMakeLists.txt").write_text(
        text.replace("LANGUAGES C)", "LANGUAGES C CXX)"), encoding="utf-8"
    )
    configure(found("zig-aarch64-linux-musl", tmp_path / "leg"), project, tmp_path / "build")
    assert (tmp_path / "cache").is_dir()
    assert libraries(tmp_path / "cache") == []


def test_the_first_link_serves_every_build_type(project: Path, tmp_path: Path) -> None:
    leg = found("zig-aarch64-linux-musl", tmp_path / "leg")
    leg.warm()
    program = zig()
    assert program
    text = must(program, "env")
    cache = Path(re.search(r'global_cache_dir"? ?[=:] "([^"]+)"', text)[1])  # type: ignore[index]
    before = libraries(cache)
    assert before
    for kind in ("Release", "RelWithDebInfo", "Debug"):
        build = tmp_path / kind
        configure(leg, project, build, f"-DCMAKE_BUILD_TYPE={kind}", "-DCMAKETOOL_LINK_CHECKS=ON")
        must(tools().cmake, "--build", build)
    assert libraries(cache) == before


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    def write(body: str) -> str:
        path = tmp_path / "compiler"
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    return write


def test_a_slow_first_link_says_so_once(script: Callable[[str], str], tmp_path: Path) -> None:
    said: list[str] = []
    link = FirstLink(script(f"echo x >> '{tmp_path}/runs'; sleep 3"), tmp_path / "first", "patience")
    link.start(said.append)
    link.start(said.append)
    link.wait()
    link.wait()
    assert said == ["patience"]
    assert (tmp_path / "runs").read_text(encoding="utf-8") == "x\n"


def test_a_first_link_that_fails(script: Callable[[str], str], tmp_path: Path) -> None:
    link = FirstLink(script("echo no space >&2; exit 1"), tmp_path / "first", "patience")
    for _ in range(2):
        with pytest.raises(CmaketoolError, match=r"links no program: no space \[link-unusable\]"):
            link.wait()


def test_a_leg_file_that_contradicts_its_compiler(tmp_path: Path) -> None:
    require_tool("aarch64-linux-gnu-gcc-12")
    file = toolchains.leg("gcc-12-aarch64-linux-gnu")
    wrong = file.model_copy(
        update={"facts": Facts(architectures=("arm64",), family="gcc", features=("aes",))}
    )
    with pytest.raises(
        CmaketoolError, match=r"\(no feature without a flag\).*says .*\(aes without a flag\) \[leg-facts\]"
    ):
        toolchains.find(wrong, tmp_path)


def test_a_compiler_that_does_not_work(script: Callable[[str], str], tmp_path: Path) -> None:
    compiler = script("echo licence expired >&2; exit 1")
    file = LegFile(name="x", stands_for="x", compiler=(compiler,), facts="from-compiler", packages="none")
    with pytest.raises(CmaketoolError, match=r"compiler does not preprocess: licence expired"):
        toolchains.find(file, tmp_path)


def test_a_cross_compiler_is_no_native_leg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", require_tool("aarch64-linux-gnu-gcc"))
    leg = toolchains.find(toolchains.leg("native"), tmp_path)
    assert isinstance(leg, toolchains.Missing)
    assert leg.what.endswith("aarch64-linux-gnu-gcc compiles for arm64, this machine is x86_64")


def test_the_native_compiler_with_options(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", f"{require_tool('gcc')} -maes -mpclmul")
    leg = found("native", tmp_path / "leg")
    if leg.facts.architectures == ("x86_64",):
        assert set(leg.facts.features) >= {"aes", "pclmul"}
    configure(leg, project, tmp_path / "build")


def test_which_legs_answer_a_capability_word(tmp_path: Path) -> None:
    program = tmp_path / "program"
    leg = found("zig-aarch64-linux-musl", tmp_path)
    assert leg.any_hwcap
    assert leg.invoke(program, hwcap=0x3).words[-3:] == ["--hwcap", "0x3", str(program)]
    native = found("native", tmp_path)
    assert not native.any_hwcap
    assert not native.can_forbid
    assert native.invoke(program).words == [str(program)]
    with pytest.raises(ValueError, match="native can neither answer"):
        native.invoke(program, hwcap=0)


def test_cmake_and_ninja_are_those_of_this_python() -> None:
    found = tools()
    capabilities = json.loads(must(found.cmake, "-E", "capabilities"))
    assert capabilities["version"]["string"].startswith(found.cmake_version)
    assert must(found.ninja, "--version").startswith(found.ninja_version)
    assert subprocess.run([found.cmake, "--version"], capture_output=True, check=True).stdout
