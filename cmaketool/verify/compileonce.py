# ruff: noqa: PTH105, PTH108, PTH123
# Started once for each file that is compiled: importing pathlib, typing or subprocess would double that time.
"""A compiler's launcher that does not compile one text twice by one command.

    python -I -S compileonce.py FOLDER COMPILER [WORD...]

The states of a leg differ in definitions that most files never ask for. The file is preprocessed; where that
text was compiled before by the same command but for definitions and the object's name, without a word, the
object of then is given: it is what the compiler would make. FOLDER holds the objects. All else is compiled
as it stands: a first time, a command that reads or writes more than its text and its object, and whatever a
compiler has something to say of.
"""

from __future__ import annotations

import fcntl
import os
import sys

try:  # hashlib brings OpenSSL, which takes longer to load than the rest of this
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["main"]

# How words begin that make more than an object of its text, or put folders and definitions into the object.
# Regular expressions would cost more than all else here.
_TELLING = (
    "@", "-g", "-coverage", "--coverage", "-fprofile", "-ftest-coverage", "-fauto-profile", "-fplugin",
    "-fstack-usage", "-fcallgraph", "-fdump", "-fsave-opt", "-frecord", "-fembed", "-fpch", "-fmodule",
    "-fopt", "-ftime", "-fdiagnostics-format", "-fdiagnostics-add-output", "-save-temps", "--save-temps",
    "-d", "-MM", "-MF", "-MT", "-MQ", "-MJ", "-include-pch", "-X", "-Wp,", "-Wa,", "--serialize", "/Z7",
    "-Z7", "/Zi", "-Zi", "/ZI", "-ZI", "/Y", "-Y", "/FA", "-FA", "/Fa", "-Fa", "/FR", "-FR", "/Fr", "-Fr",
    "/Fp", "-Fp", "/Fm", "-Fm", "/showIncludes", "-showIncludes", "/sourceDep", "-sourceDep",
)  # fmt: skip
_EMBEDDED = (b".incbin", b".include", b"#embed")


def _spawn(command: list[str], *actions: tuple[object, ...]) -> int:
    """Run `command` with these file actions; return its exit code."""
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=list(actions))
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _into(descriptor: int, path: str) -> tuple[object, ...]:
    return (os.POSIX_SPAWN_OPEN, descriptor, path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)


def _parts(words: list[str]) -> tuple[str, list[str]] | None:
    """Return the object's name, and the words without it; None where all must be left as it is."""
    if any(word.startswith(_TELLING) for word in words[1:]) or not {"-c", "/c"} & {*words}:
        return None
    if "-o" in words[:-1]:
        at = words.index("-o")
        return words[at + 1], words[:at] + words[at + 2 :]
    named = [word for word in words if word.startswith(("/Fo", "-Fo"))]
    if len(named) != 1 or not named[0][3:].strip(":"):
        return None
    return named[0][3:].lstrip(":"), [word for word in words if word != named[0]]


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _digest(words: list[str], scratch: str) -> str | None:
    """Return what tells objects apart; None where a compiler says more than the text, or the text not all."""
    command = ["-E" if word in {"-c", "/c"} else word for word in words]
    code = _spawn(command, _into(1, scratch), _into(2, scratch + ".errors"))
    text, said = _read(scratch), _read(scratch + ".errors")
    if code != 0 or said or any(word in text for word in _EMBEDDED):
        return None
    left = [word for word in words if not word.startswith("-D") or word == "-D"]
    return blake2b(
        "\0".join([*left, ""]).encode("utf-8", "surrogateescape") + text, digest_size=32
    ).hexdigest()


def _put(content: bytes, path: str, scratch: str) -> None:
    """Write a file that is there as a whole or not at all, and shares nothing with another."""
    with open(scratch, "wb") as file:
        file.write(content)
    os.replace(scratch, path)


def _once(folder: str, words: list[str], product: str, rest: list[str], scratch: str) -> int:
    digest = _digest(rest, scratch)
    if digest is None:
        return _spawn(words)
    known = os.path.join(folder, digest)  # noqa: PTH118
    with open(known + ".lock", "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another tree may be at it: its object serves here too
        if os.access(known, os.R_OK):
            _put(_read(known), product, product + ".new")
            return 0
        return _compile(words, product, known, scratch)


def _compile(words: list[str], product: str, known: str, scratch: str) -> int:
    """Compile, and keep the object as `known` where nothing was said; return the exit code."""
    code = _spawn(words, _into(1, scratch), (os.POSIX_SPAWN_DUP2, 1, 2))
    said = _read(scratch)
    sys.stdout.buffer.write(said)
    if code == 0 and not said and os.access(product, os.R_OK):
        _put(_read(product), known, scratch)
    return code


def main(arguments: list[str]) -> int:
    """Do what the command line `arguments` says (see above); return the exit code, the compiler's."""
    folder, *words = arguments
    parts = _parts(words)
    if parts is None:
        return _spawn(words)
    scratch = os.path.join(folder, f"{os.getpid()}.scratch")  # noqa: PTH118
    try:
        return _once(folder, words, *parts, scratch)
    finally:
        for path in (scratch, scratch + ".errors"):
            if os.access(path, os.F_OK):
                os.unlink(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
