"""C prototypes as manifests give them: in one line, without the semicolon."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Prototype", "PrototypeError", "is_prototype", "name_of", "parse"]

# Text, not compiled: most manifests need none of them.
_BEFORE_PARENTHESIS = r"([A-Za-z_]\w*)\s*\("
_FUNCTION = r"(?P<returns>[A-Za-z_][\w *]*[ *])(?P<name>[A-Za-z_]\w*) ?\((?P<parameters>.*)\)"
_PARAMETER = r"(?P<type>[A-Za-z_][\w *]*[ *])(?P<name>[A-Za-z_]\w*) ?(?:\[[^\[\]]*\] ?)*"
_TAGGED = {"enum", "struct", "union"}
_QUALIFIERS = {"_Atomic", "const", "extern", "register", "restrict", "volatile"}
_LOCAL = {"inline", "static", "typedef"}  # what begins no function that other files can call
_TYPES = {
    "_Bool", "_Complex", "_Imaginary", "bool", "char", "double", "float", "int", "long", "short", "signed",
    "unsigned", "void",
}  # fmt: skip
_KEYWORDS = (  # of C11, and what its headers and later standards make of three more words
    _TAGGED | _QUALIFIERS | _LOCAL | _TYPES | {
        "_Alignas", "_Alignof", "_Generic", "_Noreturn", "_Static_assert", "_Thread_local", "auto", "break",
        "case", "continue", "default", "do", "else", "false", "for", "goto", "if", "return", "sizeof",
        "switch", "true", "while",
    }
)  # fmt: skip


class PrototypeError(ValueError):
    """Says in one sentence why no call can be written for a prototype, and in `remedy` what to do."""

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.remedy = remedy


class Prototype(NamedTuple):
    """A function: its return type, and its parameters as declared and by name."""

    name: str
    returns: str
    parameters: tuple[str, ...]
    arguments: tuple[str, ...]

    @property
    def returns_nothing(self) -> bool:
        """Whether a call of it has no value."""
        return "void" in self.returns.split() and "*" not in self.returns


def is_prototype(text: str) -> bool:
    """Say whether `text` is to be read as a prototype: it is no name that a function can have."""
    return not (text.isidentifier() and text.isascii()) or text in _KEYWORDS


def name_of(text: str) -> str:
    """Return the name of a function that is given as its name or as a prototype; blank if it has none."""
    if not is_prototype(text):
        return text
    found = re.search(_BEFORE_PARENTHESIS, text, re.ASCII)
    return found[1] if found and found[1] not in _KEYWORDS else ""


def parse(text: str) -> Prototype:
    """Read a prototype such as `int f(const char *text, size_t length)`.

    Raises PrototypeError for what is none, and for functions that no call can be written for: with parameters
    without a name, pointers to functions among them, or any number of arguments.
    """
    line = " ".join(text.split())
    found = re.fullmatch(_FUNCTION, line, re.ASCII)
    if found is None or found["name"] in _KEYWORDS or not _has_type(found["returns"]):
        if line.count("(") > line.count(")"):
            raise PrototypeError(
                "the prototype ends before its parameters do",
                "where a list stands in [ ], a comma ends an entry: put the prototype in quotes",
            )
        wanted = "'type name(parameters)'" if "(" in line else "a C identifier or 'type name(parameters)'"
        raise PrototypeError(f"expected {wanted}")
    returns = _returned(found["returns"])
    parameters = _parameters(found["parameters"].strip())
    arguments = tuple(_argument(parameter) for parameter in parameters)
    for index, argument in enumerate(arguments):
        if argument in arguments[:index]:
            raise PrototypeError(f"two parameters are named '{argument}'")
    return Prototype(found["name"], returns, parameters, arguments)


def _returned(text: str) -> str:
    """Return the type a function returns, which other functions are declared with too."""
    words = _type_words(text)
    local = _LOCAL.intersection(words)
    if local:
        raise PrototypeError(f"what is '{min(local)}' cannot be called from other files")
    own = [word for word in words if word not in _TAGGED and not word.startswith("__")]
    if not _TYPES.issuperset(own) and (len(own) > 1 or own[0] in _KEYWORDS):
        raise PrototypeError(
            f"'{text.strip()}' is more than a type",
            "leave macros and attributes to the header: what it says of the function holds",
        )
    return re.sub(r"\bextern ", "", text).strip()


def _parameters(text: str) -> tuple[str, ...]:
    if not text:
        raise PrototypeError("nothing stands between the parentheses", "no parameters are written 'void'")
    if text == "void":
        return ()
    if "(" in text or ")" in text:
        raise PrototypeError(
            "parentheses among the parameters cannot be read", "give a pointer to a function a typedef"
        )
    return tuple(parameter.strip() for parameter in text.split(","))


def _argument(parameter: str) -> str:
    """Return the name of a parameter."""
    if not parameter:
        raise PrototypeError("a parameter is missing beside a comma")
    if parameter == "...":
        raise PrototypeError("any number of arguments cannot be passed on", "take a va_list instead")
    found = re.fullmatch(_PARAMETER, parameter, re.ASCII)
    if found is None or found["name"] in _KEYWORDS or not _has_type(found["type"]):
        raise PrototypeError(f"parameter '{parameter}' needs a type and a name")
    if found["type"].split()[-1] == "void":
        raise PrototypeError(f"parameter '{parameter}' has no value to pass on")
    return str(found["name"])


def _has_type(declaration: str) -> bool:
    """Say whether more than qualifiers stands before a name; `const size_t` alone names no parameter."""
    words = _type_words(declaration)
    return len(words) > (1 if words and words[0] in _TAGGED else 0)


def _type_words(declaration: str) -> list[str]:
    return [word for word in declaration.replace("*", " ").split() if word not in _QUALIFIERS]
