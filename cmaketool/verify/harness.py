"""What is configured: a generated project around the fragment, or the user's own, tests added to it."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import names, outputs, render
from cmaketool.diagnostics import CmaketoolError, Diagnostic
from cmaketool.toolchains.environment import NO_FLAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cmaketool.plan import Plan

__all__ = ["ASKING", "Subject", "generated", "own_project", "quoted"]

ASKING = "CMAKETOOL_VERIFY_ASKING"
_TESTS = "cmaketool_verify_tests"

_PROJECT = """\
cmake_minimum_required(VERSION 3.18)
project({name}_verify LANGUAGES C)
# No file that is included changes here, and zig keeps what it compiled only if it need not list them.
set(CMAKE_DEPFILE_FLAGS_C "")
add_library({target} STATIC "${{CMAKE_CURRENT_SOURCE_DIR}}/anchor.c")
include({fragment})
{name}_target_kernels({target})
if(MSVC)
  target_compile_options({target} PRIVATE /W4)
else()
  target_compile_options({target} PRIVATE -Wall -Wextra)
endif()
include("${{CMAKE_CURRENT_SOURCE_DIR}}/tests.cmake")
{tests}()
"""

_ANCHOR = """\
/* A static library needs a source of its own; this one also shows what plain sources are compiled to. */
int {name}_verify_anchor(int value);
int {name}_verify_anchor(int value) {{ return value + 1; }}
"""

# The deferred call sees every target of the project, whatever the order in which they are made.
_INJECTED = """\
# Included at the end of every project() of the tree under test; adds the manifest's tests once, at its end.
if(CMAKE_VERSION VERSION_LESS 3.19)
  message(STATUS "cmaketool: no test programs, they need CMake 3.19")
elseif(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR AND NOT COMMAND {tests})
  include({file})
  cmake_language(DEFER DIRECTORY "${{CMAKE_SOURCE_DIR}}" CALL {tests})
endif()
"""

_FUNCTION = """\
function({tests})
  if(NOT TARGET {target})
    return() # said by the tool, which sees the targets that there are
  endif()
{counting}  get_target_property(type {target} TYPE)
  if(NOT type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$")
    return()
  endif()
  # What is built: for the sources that ask, where it is known which do.
  set(asking
    {sources})
  if(DEFINED {asking})
    set(asking ${{{asking}}})
  endif()
  set_source_files_properties(${{asking}} PROPERTIES
    COMPILE_DEFINITIONS "$<TARGET_PROPERTY:{target},COMPILE_DEFINITIONS>")
{programs}endfunction()
"""

# The one definition makes the dispatchers count, and report at a program's end. A project may list sources by
# hand, named as they are seen from its target's folder, which is not where this is called.
_COUNTING = """\
  get_target_property(dispatchers {target} SOURCES)
  list(FILTER dispatchers INCLUDE REGEX "(^|/){file}$")
  get_target_property(folder {target} SOURCE_DIR)
  foreach(source IN LISTS dispatchers)
    get_filename_component(source "${{source}}" ABSOLUTE BASE_DIR "${{folder}}")
    set_property(SOURCE "${{source}}" TARGET_DIRECTORY {target} APPEND PROPERTY COMPILE_DEFINITIONS {macro})
  endforeach()
"""

_PROGRAM = """\
  add_executable({program} EXCLUDE_FROM_ALL
    {sources})
  target_link_libraries({program} PRIVATE {target})
  target_include_directories({program} PRIVATE "$<TARGET_PROPERTY:{target},INCLUDE_DIRECTORIES>")
  set_target_properties({program} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${{CMAKE_BINARY_DIR}}/cmaketool_verify")
"""


@dataclass(frozen=True, slots=True)
class Subject:
    """A source tree to configure.

    `target` takes the kernels, `arguments` are for the first configure, `tests` maps the name of each test to
    its CMake target, `environment` is for every configure, `launcher` is for a compiler that keeps nothing.
    """

    source: Path
    target: str
    arguments: tuple[str, ...]
    tests: Mapping[str, str]
    environment: Mapping[str, str]
    launcher: tuple[str, ...] = ()


def quoted(text: str) -> str:
    """Return `text` as one quoted CMake argument."""
    for special in ("\\", '"', "$", ";"):
        text = text.replace(special, "\\" + special)
    return f'"{text}"'


def _programs(plan: Plan) -> dict[str, str]:
    return {test.name: f"{plan.name}_verify_{test.name}" for test in plan.tests}


def _test_function(plan: Plan, target: str) -> str:
    targets = _programs(plan)
    programs = "".join(
        _PROGRAM.format(
            program=targets[test.name],
            target=target,
            sources="\n    ".join(quoted((plan.root / source).as_posix()) for source in test.sources),
        )
        for test in plan.tests
    )
    every = dict.fromkeys(source for test in plan.tests for source in test.sources)
    sources = "\n    ".join(quoted((plan.root / source).as_posix()) for source in every)
    counting = _counting(plan, target) if plan.dispatched else ""
    return _FUNCTION.format(
        tests=_TESTS, target=target, sources=sources, asking=ASKING, programs=programs, counting=counting
    )


def _counting(plan: Plan, target: str) -> str:
    file = names.generated_file(plan.name, "dispatch.c").replace(".", "[.]")
    return _COUNTING.format(target=target, file=file, macro=names.count_macro(plan.prefix))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _launcher(objects: Path) -> tuple[str, ...]:
    """Return what lets states share, in the folder `objects`, what they compile alike; nothing on Windows."""
    if os.name != "posix" or not sys.executable:
        return ()
    objects.mkdir()
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("compileonce.py")), str(objects))


def generated(plan: Plan, folder: Path) -> Subject:
    """Write a project into `folder`: the fragment, a library that takes the kernels, the manifest's tests."""
    fragment = folder / "fragment"
    fragment.mkdir(parents=True)
    outputs.write(fragment, render.render(plan, fragment))
    target = f"{plan.name}_verify_library"
    include = quoted((fragment / f"{names.module(plan.name)}.cmake").as_posix())
    project = _PROJECT.format(name=plan.name, target=target, fragment=include, tests=_TESTS)
    _write(folder / "CMakeLists.txt", project)
    _write(folder / "anchor.c", _ANCHOR.format(name=plan.prefix))
    _write(folder / "tests.cmake", _test_function(plan, target))
    return Subject(folder, target, (), _programs(plan), NO_FLAGS, _launcher(folder / "objects"))


def _check(plan: Plan, defines: tuple[str, ...]) -> None:
    """Raise CmaketoolError for cache entries that CMake does not take, or that verify sets."""
    ours = {"CMAKE_PROJECT_INCLUDE": "what verify adds the tests by"}
    ours |= {option.variable: "an option, which verify sets to each of its values" for option in plan.options}
    faults = []
    for define in defines:
        match = re.fullmatch(r"([^=:]+)(?::[A-Za-z]+)?=.*", define, re.DOTALL)
        if match is None:
            faults.append(Diagnostic(f"-D {define} is not VAR=VALUE or VAR:TYPE=VALUE", "wrong-definition"))
        elif match[1] in ours:
            faults.append(Diagnostic(f"{match[1]} is {ours[match[1]]}", "taken-variable"))
    if faults:
        raise CmaketoolError(*faults)


def own_project(plan: Plan, folder: Path, project: Path, target: str, defines: tuple[str, ...]) -> Subject:
    """Write into `folder` what adds the tests to `project`, which stays as it is.

    Raises CmaketoolError if there is no project, or if `defines` are not VAR[:TYPE]=VALUE, or set what
    is set here.
    """
    source = project.absolute()
    if not (source / "CMakeLists.txt").is_file():
        raise CmaketoolError(
            Diagnostic(
                f"there is no {project / 'CMakeLists.txt'}",
                "missing-project",
                remedy="name the project's folder",
            )
        )
    _check(plan, defines)
    folder.mkdir(parents=True)
    tests, injected = folder / "tests.cmake", folder / "inject.cmake"
    _write(tests, _test_function(plan, target))
    _write(injected, _INJECTED.format(tests=_TESTS, file=quoted(tests.as_posix())))
    arguments = (f"-DCMAKE_PROJECT_INCLUDE={injected.as_posix()}", *(f"-D{define}" for define in defines))
    return Subject(source, target, arguments, _programs(plan), {})  # it may count on the user's flags
