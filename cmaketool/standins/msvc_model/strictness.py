"""What cl does not know and clang-cl takes: as warnings made errors, and as words in a user's own lines."""

from __future__ import annotations

import re

from cmaketool import linemarkers

__all__ = ["findings", "unknown_pragmas", "user_lines", "warning_options"]

_ERRORS = (
    "excess-initializers", "gnu-alignof-expression", "gnu-auto-type", "gnu-case-range",
    "gnu-complex-integer", "gnu-compound-literal-initializer", "gnu-conditional-omitted-operand",
    "gnu-designator", "gnu-empty-struct", "gnu-folding-constant", "gnu-imaginary-constant",
    "gnu-label-as-value", "gnu-pointer-arith", "gnu-statement-expression", "gnu-union-cast",
    "implicit-function-declaration", "implicit-int", "incompatible-pointer-types", "return-type",
    "variadic-macros", "vla", "zero-length-array",
)  # fmt: skip
_QUIET = ["missing-braces", "unknown-argument", "unknown-warning-option", "unused-command-line-argument"]
_LOSS = ["implicit-int-conversion", "shorten-64-to-32"]  # C4244 and C4267
_HIDING = ["shadow"]  # C4456 to C4459

_UNKNOWN = re.compile(
    r"\b(?P<word>__attribute(?:__)?|__asm(?:__)?|asm|__extension__|__auto_type|__label__|__thread|"
    r"__alignof__|__const(?:__)?|__inline__|__restrict__|__signed__|__typeof|__volatile__|"
    r"_Complex|__complex__|__real__|__imag__|__u?int128(?:_t)?|_Float16|__fp16|__bf16|_BitInt|"
    r"__builtin_(?!va_(?:start|arg|copy|end)\b)\w+|__(?:sync|atomic|c11|arm|aarch64)_\w+)\b"
)
# Known, but not always: the word, and what it needs.
_CONDITIONAL = {
    "typeof": "/std:clatest",
    "__typeof__": "cl 19.39",
    "_Atomic": "/experimental:c11atomics",
    "_Thread_local": "/std:c11 and cl 19.39",
}
_C11 = ("restrict", "_Alignas", "_Alignof", "_Generic", "_Noreturn", "_Static_assert")
_NEEDS = re.compile(r"\b(?P<word>" + "|".join([*_CONDITIONAL, *_C11]) + r")\b")

# Of other compilers; clang takes these without a word.
_PRAGMA = re.compile(r"\s*#\s*pragma\s+(?P<word>GCC|clang|STDC)\b")
_DISABLED = re.compile(r"#\s*pragma\s+warning\s*\(.*\bdisable\s*:[\s\d]*\b4068\b")
_ATTRIBUTE = re.compile(r"\[\s*\[")  # no subscript begins so
_EMPTY_BRACES = re.compile(r"=\s*\{\s*\}")
# C has casts to scalar types only, and cl's vectors are unions.
_VECTOR = r"(?:u?int|poly|float)\d+x\d+(?:x\d)?_t|__n64|__n128"
_CAST = re.compile(r"(?<!\w)\(\s*(?P<word>[A-Za-z_]\w*)\s*\)\s*(?=[\w(*&+-]|$)")
_ALIAS = re.compile(r"\btypedef\s+(?P<type>\w+)\s+(?P<word>\w+)\s*;")

_LITERAL = re.compile(r"""L?"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")


def warning_options(level: int) -> list[str]:
    """Return the options for clang-cl that make errors of what cl refuses, for the warning level `level`."""
    options = [f"-Werror={name}" for name in _ERRORS] + [f"-Wno-{name}" for name in _QUIET]
    more = [*(_LOSS if level >= 3 else ()), *(_HIDING if level >= 4 else ())]
    return options + [f"-W{name}" for name in more]


def user_lines(text: str, own: str) -> list[tuple[str, int, str]]:
    """Return file, number and text of each line of preprocessed `text` that is not from the folder `own`."""
    return [entry for entry in linemarkers.lines(text) if not entry[0].startswith(own)]


def _vectors(text: str) -> set[str]:
    """Return the names that `text` has for cl's vectors: theirs, and those of typedefs of them."""
    names = {"__n64", "__n128", *re.findall(rf"\b(?:{_VECTOR})\b", text)}
    for alias in _ALIAS.finditer(text):
        if alias["type"] in names:
            names.add(alias["word"])
    return names


def _faults(line: str, vectors: set[str], *, c11: bool) -> list[str]:
    line = _LITERAL.sub('""', line)
    faults = [f"'{found['word']}' is not known to MSVC" for found in _UNKNOWN.finditer(line)]
    faults += ["'[[' is not known to MSVC without /std:clatest" for _ in _ATTRIBUTE.finditer(line)]
    faults += ["'= {}' is not known to MSVC" for _ in _EMPTY_BRACES.finditer(line)]
    for found in _NEEDS.finditer(line):
        word = found["word"]
        needs = _CONDITIONAL.get(word, "" if c11 else "/std:c11")
        if needs:
            faults.append(f"'{word}' is not known to MSVC without {needs}")
    faults += [
        f"a cast to '{found['word']}', a union, is not known to MSVC"
        for found in _CAST.finditer(line)
        if found["word"] in vectors and not line[: found.start()].rstrip().endswith("sizeof")
    ]
    return faults


def findings(text: str, own: str, *, c11: bool) -> list[str]:
    """Return the error messages for what cl does not know in the preprocessed `text`.

    Lines from the folder `own` are the stand-in's headers. `c11`: whether cl was asked for C11 or later.
    """
    lines = user_lines(text, own)
    vectors = _vectors("\n".join(line for _, _, line in lines))
    return [
        f"{where}({number}): error CMODEL: {fault}"
        for where, number, line in lines
        for fault in _faults(line, vectors, c11=c11)
    ]


def unknown_pragmas(text: str, own: str, *, errors: bool) -> list[str]:
    """Return cl's messages about pragmas in the preprocessed `text` that it does not know.

    They are warnings of level 1, or `errors`, and none where the text disables them.
    """
    if _DISABLED.search(text):
        return []
    kind = "error" if errors else "warning"
    found = ((where, number, _PRAGMA.match(line)) for where, number, line in user_lines(text, own))
    return [
        f"{where}({number}): {kind} C4068: unknown pragma '{one['word']}'"
        for where, number, one in found
        if one
    ]
