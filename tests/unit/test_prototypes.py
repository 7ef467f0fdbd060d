from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmaketool import prototypes
from cmaketool.prototypes import Prototype, PrototypeError


@pytest.mark.parametrize(
    ("text", "returns", "parameters", "arguments"),
    [
        ("void f(void)", "void", (), ()),
        ("void f( void )", "void", (), ()),
        ("int f(int a)", "int", ("int a",), ("a",)),
        ("int  f (int a , long b) ", "int", ("int a", "long b"), ("a", "b")),
        ("unsigned char *f(const char *text)", "unsigned char *", ("const char *text",), ("text",)),
        ("char **f(char**a, int *b)", "char **", ("char**a", "int *b"), ("a", "b")),
        ("const struct s *f(struct s s)", "const struct s *", ("struct s s",), ("s",)),
        ("extern void f(enum e e)", "void", ("enum e e",), ("e",)),
        ("const extern char *f(enum e e)", "const char *", ("enum e e",), ("e",)),
        ("unsigned __int64 f(_In_ size_t n)", "unsigned __int64", ("_In_ size_t n",), ("n",)),
        ("int __cdecl f(int a)", "int __cdecl", ("int a",), ("a",)),
        ("int f(unsigned char key[16])", "int", ("unsigned char key[16]",), ("key",)),
        ("int f(int m[2][3], int n[static 4])", "int", ("int m[2][3]", "int n[static 4]"), ("m", "n")),
        ("int f(int *restrict a)", "int", ("int *restrict a",), ("a",)),
        ("void f(void *a)", "void", ("void *a",), ("a",)),
        ("long long f(unsigned long long a)", "long long", ("unsigned long long a",), ("a",)),
    ],
)  # fmt: skip
def test_read(text: str, returns: str, parameters: tuple[str, ...], arguments: tuple[str, ...]) -> None:
    assert prototypes.parse(text) == Prototype("f", returns, parameters, arguments)
    assert prototypes.name_of(text) == "f"
    assert prototypes.is_prototype(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("f(int a)", "expected 'type name(parameters)'"),
        ("const f(int a)", "expected 'type name(parameters)'"),
        ("struct f(int a)", "expected 'type name(parameters)'"),
        ("int while(int a)", "expected 'type name(parameters)'"),
        ("int (f)(int a)", "expected 'type name(parameters)'"),
        ("int f(int a) const", "expected 'type name(parameters)'"),
        ("int f[2](int a)", "expected 'type name(parameters)'"),
        ("void naïve(int a)", "expected 'type name(parameters)'"),
        ("int f", "expected a C identifier or 'type name(parameters)'"),
        ("int", "expected a C identifier or 'type name(parameters)'"),
        ("naïve", "expected a C identifier or 'type name(parameters)'"),
        ("int f(int a", "the prototype ends before its parameters do"),
        ("static int f(int a)", "what is 'static' cannot be called from other files"),
        ("inline static int f(int a)", "what is 'inline' cannot be called from other files"),
        ("LIB_API size_t f(size_t n)", "'LIB_API size_t' is more than a type"),
        ("LIB_API int f(size_t n)", "'LIB_API int' is more than a type"),
        ("struct s LIB_CALL f(size_t n)", "'struct s LIB_CALL' is more than a type"),
        ("_Noreturn void f(int a)", "'_Noreturn void' is more than a type"),
        ("_Noreturn f(int a)", "'_Noreturn' is more than a type"),
        ("int f()", "nothing stands between the parentheses"),
        ("int f(int)", "parameter 'int' needs a type and a name"),
        ("int f(unsigned int)", "parameter 'unsigned int' needs a type and a name"),
        ("int f(const size_t)", "parameter 'const size_t' needs a type and a name"),
        ("int f(size_t)", "parameter 'size_t' needs a type and a name"),
        ("int f(struct s)", "parameter 'struct s' needs a type and a name"),
        ("int f(const char *)", "parameter 'const char *' needs a type and a name"),
        ("int f(const)", "parameter 'const' needs a type and a name"),
        ("int f(int a[])()", "parentheses among the parameters cannot be read"),
        ("int f(int (*g)(int))", "parentheses among the parameters cannot be read"),
        ("int f(char *text, ...)", "any number of arguments cannot be passed on"),
        ("int f(int a, void)", "parameter 'void' needs a type and a name"),
        ("int f(void a)", "parameter 'void a' has no value to pass on"),
        ("int f(int a, , int b)", "a parameter is missing beside a comma"),
        ("int f(int a, int a)", "two parameters are named 'a'"),
        ("", "expected a C identifier or 'type name(parameters)'"),
    ],
)
def test_refused(text: str, why: str) -> None:
    with pytest.raises(PrototypeError) as caught:
        prototypes.parse(text)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("f", "f"),
        ("int f(void)", "f"),
        ("char *f (int a)", "f"),
        ("f(int a)", "f"),
        ("void (*f(int a))(int b)", ""),
        ("int (f)(int a)", ""),
        ("a b", ""),
        ("naïve", ""),
        ("while", ""),
        ("", ""),
    ],
)
def test_name(text: str, name: str) -> None:
    assert prototypes.name_of(text) == name


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("void f(void)", True),
        ("extern void f(int a)", True),
        ("void __cdecl f(int a)", True),
        ("void *f(void)", False),
        ("int f(void)", False),
        ("devoid f(void)", False),
    ],
)
def test_what_has_no_value(text: str, nothing: bool) -> None:
    assert prototypes.parse(text).returns_nothing is nothing


WORDS = ["int", "void", "const", "struct", "f", "a", "*", "(", ")", ",", "[", "]", "...", "2", "é", ";", "\n"]


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)))
def test_any_text_is_a_prototype_or_says_why_not(text: str) -> None:
    name = prototypes.name_of(text)
    assert name == "" or prototypes.parse(f"int {name}(void)").name == name
    try:
        found = prototypes.parse(text)
    except PrototypeError:
        return
    assert prototypes.is_prototype(text)
    assert found.name == name
    assert len(found.arguments) == len(found.parameters)
    again = f"{found.returns} {found.name}({', '.join(found.parameters) or 'void'})"
    assert prototypes.parse(again) == found


@pytest.mark.parametrize("part", ["a", "a ", "* ", "(", "a,", "[", "int a, ", "\t"])
def test_long_text_takes_no_longer_than_it_must(part: str) -> None:
    began = time.monotonic()
    for text in (f"int f({part * 20_000}", f"int f({part * 20_000})", part * 20_000):
        with contextlib.suppress(PrototypeError):
            prototypes.parse(text)
        prototypes.name_of(text)
    assert time.monotonic() - began < 2
