# ruff: noqa: PTH112, PTH113, PTH118, PTH119, PTH122, PTH123
# Started once for each file that is compiled: importing pathlib, typing or subprocess would double that time.
"""What a command line of cl says: inputs, outputs, and options that cl knows."""

from __future__ import annotations

import os
import re

__all__ = ["CommandLine", "expand"]

# The options that Microsoft documents. `.*` and the like: what belongs to an option in the same word.
_KNOWN = re.compile(
    r"[-/](?:\?|[cCEJPXwu]|EP|H\d+|HELP|help|"
    r"[DIU].*|F[AaCdEefIimopRrSx].*|FAcsu.*|T[cp].*|TC|TP|Y[cdlu].*|Y-|V.*|"
    r"AI.*|analyze.*|arch:.*|arm64EC|await.*|bigobj|cgthreads.*|clr.*|constexpr:.*|diagnostics:.*|doc.*|"
    r"EH.*|errorReport:.*|execution-charset:.*|experimental:.*|external:.*|fastfail|favor:.*|fp:.*|"
    r"fsanitize.*|G[A-Za-z]-?\d*|guard:.*|headerUnit.*|homeparams|hotpatch|ifc.*|interface|internalPartition|"
    r"JMC-?|jumptablerdata|kernel|LD?d?|LN|M[DT]d?|MP\d*|nologo|O[12bdgistxy][0-9-]*|openmp.*|options:.*|"
    r"permissive-?|Q[A-Za-z].*|reference.*|RTC[1csu]+|scanDependencies.*|sdl-?|showIncludes|"
    r"source(?:-charset|Dependencies|Link).*|std:(?:c11|c17|clatest|c\+\+\w+)|translateInclude.*|utf-8|"
    r"validate-charset-?|vd\d|vlen.*|"
    r"v[mo].*|W[0-4]|Wall|WX(?:-|:.*)?|WL|Wp64|w[1-4deo]\d+|Z[7ailesIXWH].*|Z[cm]:?.*|Zf.*|Zo-?|Zp\d*)"
)
_WITH_SEPARATE_VALUE = re.compile(r"[-/](?:[DIU]|FI|external:I|T[cp])")
_CXX = re.compile(r".*\.(?:cc|cpp|cxx)", re.IGNORECASE)


def expand(words: list[str]) -> list[str]:
    """Return `words` with each `@FILE` replaced by the words of that file.

    A word may be in quotation marks; a backslash means itself but before a quotation mark. Raises ValueError,
    in cl's words, for a file that cannot be read or names another.
    """
    result = []
    for word in words:
        if word.startswith("@"):
            found = re.findall(r'(?:[^\s"\\]|\\"?|"(?:[^"\\]|\\"?)*")+', _response(word[1:]))
            if any(part.startswith("@") for part in found):
                raise ValueError(f"CMODEL: '{word[1:]}' names another response file")
            result += [re.sub(r'\\(")|"', r"\1", part) for part in found]
        else:
            result.append(word)
    return result


def _response(path: str) -> str:
    """Return the text of a response file: UTF-8, or with a mark UTF-16."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        return data.decode("utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ValueError(f"D8022 : cannot open '{path}'") from None


def _is_input(word: str) -> bool:
    """Say whether `word` is a file: an absolute path begins like an option."""
    return not word.startswith(("-", "/")) or (word.count("/") > 1 and os.path.isfile(word))


class CommandLine:
    """One command line, sorted.

    `options`: what cl knows, each with its value in one word. `unknown`: what it warns of and ignores.
    `inputs`: all files, `sources` those in C. `link`: what follows /link. `standard`: such as "c11", or
    empty. `level`: of warnings, 0 to 4. `preprocesses` and `links`: what it is to do, if not compile.
    `is_cxx`: whether any of it is C++.
    """

    def __init__(self, words: list[str]) -> None:
        self.options: list[str] = []
        self.unknown: list[str] = []
        self.inputs: list[str] = []
        self.link: list[str] = []
        self.standard = ""
        self.level = 1
        self._sort(expand(words))
        as_c = self.has("TC")
        self.sources = [word for word in self.inputs if as_c or word.lower().endswith(".c")]
        bare = {option[1:] for option in self.options}
        self.preprocesses = not bare.isdisjoint({"E", "EP", "P"})
        self.links = not self.preprocesses and "c" not in bare and bool(self.inputs)
        self.is_cxx = any(option.startswith(("TP", "Tp")) for option in bare) or (
            "TC" not in bare and any(_CXX.fullmatch(word) for word in self.inputs)
        )

    def _sort(self, words: list[str]) -> None:
        rest = iter(words)
        for word in rest:
            if word.lower() in {"/link", "-link"}:
                self.link = list(rest)
            elif _is_input(word):
                self.inputs.append(word)
            elif not _KNOWN.fullmatch(word):
                self.unknown.append(word)
            else:
                value = next(rest, "") if _WITH_SEPARATE_VALUE.fullmatch(word) else ""
                self._add_option(word + value)

    def _add_option(self, word: str) -> None:
        name = word[1:]
        if name.startswith("Tc"):
            self.options.append("/TC")
            self.inputs.append(name[2:])
            return
        self.options.append(word)
        if name.startswith("std:"):
            self.standard = name[4:]
        elif re.fullmatch(r"W[0-4]", name):
            self.level = int(name[1])
        elif name == "Wall":
            self.level = 4

    def has(self, *names: str) -> bool:
        """Say whether one of the options `names` (without - or /) was given."""
        return any(option[1:] in names for option in self.options)

    def tells(self, warning: int) -> bool:
        """Say whether a `warning` of level 1 is told."""
        return self.level > 0 and not self.has("w", f"wd{warning}")

    def outputs(self) -> list[str]:
        """Return the files that compiling, and linking if that was asked for, writes."""
        place = self._named("Fo") or ""
        if place and not place.endswith(("/", "\\")) and not os.path.isdir(place):
            written = [place]
        else:
            written = [os.path.join(place, self._stem(source) + ".obj") for source in self.sources]
        if self.links:
            written.append(self._named("Fe") or self._stem(self.inputs[0]) + ".exe")
        return written

    def _named(self, name: str) -> str | None:
        """Return the file that the last option `name` gives."""
        given = [option[1 + len(name) :] for option in self.options if option[1:].startswith(name)]
        return given[-1].lstrip(":").strip('"') if given else None

    @staticmethod
    def _stem(path: str) -> str:
        return os.path.splitext(os.path.basename(path))[0]
