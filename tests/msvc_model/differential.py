"""C that calls each intrinsic of the model twice: by the model's header, and by the compiler's arm_neon.h."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmaketool.standins.msvc_model.evidence import Intrinsic, intrinsics

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cmaketool.prototypes import Prototype

__all__ = ["case_names", "main_text", "side_text"]

# Each argument has its own bytes of the input; the longest are four vectors.
_ARGUMENT_SIZE = 64
_INPUT_SIZE = 4 * _ARGUMENT_SIZE
_OUTPUT_SIZE = 64
_ROUNDS = 200

_HEADS = {
    "model": "#include <stdint.h>\n#include <arm64_neon.h>\n",
    "real": "#include <arm_neon.h>\n",
}


def _immediates(intrinsic: Intrinsic) -> list[int | None]:
    """Return the immediates to try: the ends of the range, their neighbours, the middle."""
    if intrinsic.immediate is None:
        return [None]
    _, least, greatest = intrinsic.immediate
    tried = {least, least + 1, (least + greatest) // 2, greatest - 1, greatest}
    return [value for value in sorted(tried) if least <= value <= greatest]


def _cases(only: Collection[str] | None) -> Iterator[tuple[Intrinsic, int | None, str]]:
    for name, found in intrinsics().items():
        for value in _immediates(found):
            case = name if value is None else f"{name}_{value}"
            if only is None or case in only:
                yield found, value, case


def case_names() -> list[str]:
    """Return the names of all cases: the intrinsic, and its immediate if it has one."""
    return [case for _, _, case in _cases(None)]


def _type_of(parameter: str, argument: str) -> str:
    return parameter.removesuffix(argument).strip()


def _function(side: str, prototype: Prototype, case: str, immediate: int | None) -> str:
    lines, passed = [], []
    for number, (parameter, argument) in enumerate(
        zip(prototype.parameters, prototype.arguments, strict=True)
    ):
        kind = _type_of(parameter, argument)
        if kind.endswith("*"):
            place = "in" if kind.startswith("const") else "out"
            passed.append(f"({kind})(void *){place}")
        elif kind == "const int":
            passed.append(str(immediate))
        else:
            passed.append(f"a{number}")
            where = number * _ARGUMENT_SIZE
            lines.append(f"{kind} a{number}; __builtin_memcpy(&a{number}, in + {where}, sizeof a{number});")
    call = f"{prototype.name}({', '.join(passed)});"
    if not prototype.returns_nothing:
        call = f"{prototype.returns} r = {call} __builtin_memcpy(out, &r, sizeof r);"
    body = "\n    ".join([*lines, call])
    head = f"void {side}_{case}(unsigned char *in, unsigned char *out)"
    return f"{head};\n{head}\n{{\n    (void)in;\n    {body}\n}}\n"


def side_text(side: str, only: Collection[str] | None = None) -> str:
    """Return the C of one side, "model" or "real": a function for each case, from input to output bytes.

    `only`: the cases (None: all).
    """
    functions = [
        _function(side, found.prototype if side == "model" else found.acle, case, value)
        for found, value, case in _cases(only)
    ]
    return _HEADS[side] + "\n" + "\n".join(functions)


def main_text(only: Collection[str] | None = None) -> str:
    """Return the C of a program that prints the cases in which the sides differ, and their number.

    `only`: the cases (None: all).
    """
    cases = [case for _, _, case in _cases(only)]
    declarations = [
        f"void {side}_{case}(unsigned char *, unsigned char *);"
        for case in cases
        for side in ("model", "real")
    ]
    table = [f'    {{"{case}", model_{case}, real_{case}}},' for case in cases]
    return "\n".join(
        [
            "#include <stdio.h>",
            "#include <string.h>",
            *declarations,
            "typedef void function(unsigned char *, unsigned char *);",
            "static const struct { const char *name; function *model, *real; } cases[] = {",
            *table,
            "};",
            f"static unsigned char in[{_INPUT_SIZE}], model[{_OUTPUT_SIZE}], real[{_OUTPUT_SIZE}];",
            "int main(void)",
            "{",
            "    unsigned differ = 0, x = 1;",
            "    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {",
            "        int same = 1;",
            f"        for (int round = 0; round < {_ROUNDS}; round++) {{",
            "            for (size_t j = 0; j < sizeof in; j++) {",
            "                x = x * 1664525u + 1013904223u;",
            "                in[j] = (unsigned char)(x >> 24);",
            "            }",
            "            memset(model, 0, sizeof model);",
            "            memset(real, 0, sizeof real);",
            "            cases[i].model(in, model);",
            "            cases[i].real(in, real);",
            "            same &= memcmp(model, real, sizeof model) == 0;",
            "        }",
            "        if (!same) {",
            '            printf("%s\\n", cases[i].name);',
            "            differ++;",
            "        }",
            "    }",
            '    printf("%u of %u differ\\n", differ, (unsigned)(sizeof cases / sizeof *cases));',
            "    return differ != 0;",
            "}",
            "",
        ]
    )
