# ruff: noqa: PTH108, PTH113, PTH119
# Started once for each file that is compiled: importing pathlib, typing or subprocess would double that time.
"""The stand-in for cl: clang in its place, without its identity and without what cl does not know.

Run by a wrapper as `main([ARCHITECTURE, FOLDER, CLANG, LINKER, *the words after cl])`: FOLDER is where the
stand-in was installed, CLANG and LINKER are programs. Two processes share the work: one compiles, the other
preprocesses, and what that shows of a user's own lines is searched for words that cl does not know. An error
makes exit code 2 and leaves no object behind.
"""

from __future__ import annotations

import os
import sys

from cmaketool.standins.msvc_model.commandline import CommandLine
from cmaketool.standins.msvc_model.macros import VERSION, macro_options
from cmaketool.standins.msvc_model.strictness import findings, unknown_pragmas, warning_options

__all__ = ["TRIPLES", "base_command", "main"]

TRIPLES = {
    "arm64": "aarch64-pc-windows-msvc",
    "arm64ec": "arm64ec-pc-windows-msvc",
    "x64": "x86_64-pc-windows-msvc",
}
_NAMES = {"arm64": "ARM64", "arm64ec": "ARM64EC", "x64": "x64"}
# What belongs to an object or to what is printed, and not to the text of a source.
_NOT_FOR_TEXT = ("Fo", "Fd", "Fe", "Fa", "FA", "FS", "Fp", "showIncludes", "Z7", "Zi", "ZI", "sourceDep")
# Neither cookies nor probes of the stack: they would need more of a start-up library.
_PLAIN_CODE = ["/GS-", "-mno-stack-arg-probe"]


def base_command(architecture: str, folder: str, clang: str, line: CommandLine) -> list[str]:
    """Return the command that compiles as cl does for `architecture`, but for a user's options and inputs."""
    return [
        clang,
        "--driver-mode=cl",
        f"--target={TRIPLES[architecture]}",
        f"-fms-compatibility-version={VERSION}",
        *macro_options(architecture, line),
        "-nobuiltininc",
        "/X",
        "-imsvc",
        f"{folder}/include",
    ]


def _options(line: CommandLine, *, for_text: bool = False) -> list[str]:
    """Return a user's options as clang-cl is to see them."""
    options = ["/W4" if option[1:] == "Wall" else option for option in line.options]
    if not for_text:
        return options
    return [option for option in options if option[1:] != "c" and not option[1:].startswith(_NOT_FOR_TEXT)]


def _inputs(line: CommandLine, folder: str) -> list[str]:
    if not line.links:
        return ["--", *line.inputs]  # an absolute path may look like an option
    inputs = [os.path.relpath(path) if path.startswith("/") else path for path in line.inputs]
    return [*inputs, "/link", f"/libpath:{folder}/lib", *line.link]


def _start(command: list[str], output: int | None = None) -> int:
    """Start `command` and return its id. With `output` its standard output goes there, its errors nowhere."""
    actions: list[tuple[int, int, int] | tuple[int, int, str, int, int]] = []
    if output is not None:
        actions = [
            (os.POSIX_SPAWN_DUP2, output, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
    return os.posix_spawn(command[0], command, os.environ, file_actions=actions)


def _wait(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _preprocess(command: list[str]) -> tuple[int, int]:
    """Start `command`; return its process and where its standard output is read."""
    read, write = os.pipe()
    process = _start(command, write)
    os.close(write)
    return process, read


def _say(messages: list[str]) -> None:
    sys.stdout.write("".join(message + "\n" for message in messages))
    sys.stdout.flush()


def _compile(architecture: str, folder: str, clang: str, linker: str, line: CommandLine) -> int:
    base = base_command(architecture, folder, clang, line)
    text = [*base, *_options(line, for_text=True), "/E", "--", *line.sources]
    preprocessor = _preprocess(text) if line.sources and not line.preprocesses else None
    code = [
        *base,
        *_PLAIN_CODE,
        f"-fuse-ld={os.path.basename(linker)}",
        *_options(line),
        *warning_options(line.level),
    ]
    failed = _wait(_start([*code, *_inputs(line, folder)])) != 0
    if preprocessor is not None:
        with os.fdopen(preprocessor[1], encoding="utf-8", errors="replace") as output:
            shown = output.read()
        unread = _wait(preprocessor[0]) != 0 and not failed
        found = findings(shown, f"{folder}/include/", c11=bool(line.standard))
        if unread:  # an object of which nothing is known
            found.append("cl : error CMODEL: the sources cannot be looked through: /E fails on them")
        errors = line.has("WX")
        pragmas = unknown_pragmas(shown, f"{folder}/include/", errors=errors) if line.tells(4068) else []
        _say([*pragmas, *found])
        failed = failed or bool(found) or (errors and bool(pragmas))
    if failed and not line.preprocesses:
        for path in line.outputs():
            if os.path.isfile(path):
                os.unlink(path)
    return 2 if failed else 0


def main(words: list[str]) -> int:
    """Do what `words` say (see above); return the exit code."""
    architecture, folder, clang, linker, *rest = words
    if not rest:
        sys.stderr.write(f"msvc-model (stand-in for cl {VERSION}) for {_NAMES[architecture]}\n")
        return 0
    try:
        line = CommandLine(rest)
    except ValueError as error:
        _say([f"cl : Command line error {error}"])
        return 2
    for option in line.unknown:
        sys.stderr.write(f"cl : Command line warning D9002 : ignoring unknown option '{option}'\n")
    sys.stderr.flush()
    if line.is_cxx:
        _say(["cl : error CMODEL: this stand-in compiles C only"])
        return 2
    try:
        return _compile(architecture, folder, clang, linker, line)
    except FileNotFoundError:
        _say([f"cl : error CMODEL: {clang} is not there any more; install the stand-in anew"])
        return 2
