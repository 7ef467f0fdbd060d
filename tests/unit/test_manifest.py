from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmaketool import manifest, resources
from cmaketool.diagnostics import CmaketoolError, ExitCode
from cmaketool.manifest import nodes, paths
from cmaketool.manifest.faults import Faults
from tests.support import ROOT
from tests.unit import manifests

CORPUS = ROOT / "tests" / "data" / "manifests"
CASES = {  # which case a file of the corpus is
    **dict.fromkeys(
        (
            "alias_bomb", "anchors", "default_no", "duplicate_key", "empty", "feature_no", "list_on_top",
            "merge_key", "nothing_written", "several_documents", "tab", "tag", "unknown_key", "versions",
        ),
        "B64",
    ),
    "mnemonics": "B46",
    "paths": "B63",
}  # fmt: skip
NAMES = sorted(path.stem for path in CORPUS.glob("*.yml"))


def faults(path: Path) -> list[str]:
    with pytest.raises(CmaketoolError) as caught:
        manifest.load(path)
    assert caught.value.code is ExitCode.BAD_INPUT
    assert all(one.file == str(path) and one.line and one.column for one in caught.value.diagnostics)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    "name", [pytest.param(name, id=f"{name}[{CASES[name]}]" if name in CASES else name) for name in NAMES]
)
def test_faults(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CORPUS)
    expected = Path(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert faults(Path(f"{name}.yml")) == expected


def test_the_corpus_is_complete() -> None:
    assert set(NAMES) >= set(CASES)
    assert {path.stem for path in CORPUS.glob("*.txt")} == set(NAMES)


def test_all_faults_of_all_kinds_at_once() -> None:
    with pytest.raises(CmaketoolError) as caught:
        manifest.load(CORPUS / "all_at_once.yml")
    rules = {one.rule for one in caught.value.diagnostics}
    assert rules >= {
        "unknown-key",
        "wrong-value",
        "missing-file",
        "unknown-feature",
        "path",
        "unknown-kernel",
    }


def test_a_faultless_manifest(tmp_path: Path) -> None:
    loaded = manifest.load(manifests.write(tmp_path))
    assert loaded.root == Path(os.path.realpath(tmp_path))
    kernel = loaded.model.kernels["aes_arm64"]
    assert kernel.mnemonics == {"demo_aes_arm64": ("aese", "aesmc")}
    assert loaded.model.options["AES"].default == "AUTO"
    assert loaded.model.prefix is None


@pytest.mark.parametrize(
    "manifest_file", [None, "seeds/kernels.yml", "seeds/kernels_any.yml", "aesni/kernels.yml"]
)
def test_the_projects_own_manifests(manifest_file: str | None) -> None:
    path = ROOT / "tests" / "manifests" / manifest_file if manifest_file else resources.bundled_manifest()
    assert manifest.load(path).model.kernels


def test_words_stay_text(tmp_path: Path) -> None:
    text = manifests.MANIFEST.replace(
        "    mnemonics", "    minimum: {gcc: 8.10, clang: 010, zig: '0.13'}\n    mnemonics"
    ).replace("help: AES by instruction", "help: off, default: OFF")
    model = manifest.load(manifests.write(tmp_path, text)).model
    assert model.kernels["aes_arm64"].minimum == {"gcc": "8.10", "clang": "010", "zig": "0.13"}
    assert (model.options["AES"].help, model.options["AES"].default) == ("off", "OFF")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: b"\xef\xbb\xbf" + data, id="bom[B60]"),
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), id="crlf[B60]"),
        pytest.param(lambda data: b"---\n" + data + b"...\n", id="document-marks"),
        pytest.param(
            lambda data: data.replace(b"AES by", b'"AES by').replace(b"instruction}", b'instruction"}'),
            id="quoted",
        ),
    ],
)
def test_other_bytes_same_manifest(change, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = manifests.write(tmp_path)
    path.write_bytes(change(path.read_bytes()))
    model = manifest.load(path).model
    assert (model.name, model.options["AES"].help) == ("demo", "AES by instruction")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"schema: 1\nname: d\xff\n", ":2:8: error: byte 0xff is not UTF-8 [encoding]"),
        (b"\xff\xfes\0c\0", ":1:1: error: byte 0xff is not UTF-8 [encoding]"),
        (b"schema: 1\nname: d\0\n", ":2:8: error: character U+0000 is not allowed in YAML [yaml-syntax]"),
        (b"schema: \x1b\n", ":1:9: error: character U+001B is not allowed in YAML [yaml-syntax]"),
        (b"[" * 5000, ":1:1001: error: this is not YAML"),
    ],
)
def test_bytes_that_are_no_yaml(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "kernels.yml"
    path.write_bytes(data)
    assert faults(path)[0].startswith(f"{path}{message}")


def test_a_bomb_of_aliases_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "kernels.yml"
    path.write_bytes(b"a: &a [" + b"x, " * 50_000 + b"]\nb: [" + b"*a, " * 50_000 + b"]\n")
    assert len(faults(path)) == 40  # twenty faults of two lines
    path.write_bytes(b"a: &a [" + b"x, " * 3_000_000 + b"]\nb: [" + b"*a, " * 300_000 + b"]\n")
    began = time.monotonic()
    (message, _) = faults(path)
    assert message.endswith("bytes; more than 2097152 are not read [too-large]")
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(("name", "why"), [("none.yml", "No such file"), (".", "Is a directory")])
def test_no_manifest(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(CmaketoolError, match=why):
        manifest.load(tmp_path / name)


def test_root(tmp_path: Path) -> None:
    """Sources are relative to the root, which may lie above the manifest."""
    (tmp_path / "build").mkdir()
    manifests.write(tmp_path)
    path = manifests.write(
        tmp_path / "build", manifests.MANIFEST.replace("schema: 1", "schema: 1\nroot: .."), {}
    )
    assert manifest.load(path).root == Path(os.path.realpath(tmp_path))


DISPATCHED = manifests.MANIFEST.replace(
    "    functions: [demo_aes]\n",
    "    headers: [demo/aes.h]\n    functions:\n      - void demo_aes(unsigned char *p)\n",
)


def test_headers_are_sought_where_the_manifest_says(tmp_path: Path) -> None:
    text = DISPATCHED + "include: {public: [include]}\n"
    (tmp_path / "include" / "demo").mkdir(parents=True)
    path = manifests.write(tmp_path, text)
    message = "error: there is no header 'demo/aes.h' in an include folder or the root [missing-file]"
    assert faults(path)[0] == f"{path}:15:15: {message}"
    (tmp_path / "include" / "demo" / "aes.h").touch()
    assert manifest.load(path).model.families["aes"].headers == ("demo/aes.h",)


def test_headers_are_not_sought_where_the_target_has_the_folders(tmp_path: Path) -> None:
    assert manifest.load(manifests.write(tmp_path, DISPATCHED)).model.families["aes"].dispatched


def test_headers_may_lie_beside_the_manifest(tmp_path: Path) -> None:
    """There the generated files lie, which include them."""
    manifests.write(tmp_path)
    (tmp_path / "build" / "demo").mkdir(parents=True)
    (tmp_path / "build" / "demo" / "aes.h").touch()
    text = DISPATCHED + "root: ..\ninclude: {public: [build]}\n"
    assert manifest.load(manifests.write(tmp_path / "build", text, {})).model.decides


@pytest.mark.parametrize("header", ["stdint.h", "stddef.h", "stdbool.h", "wchar.h"])
def test_headers_of_c_are_known(header: str, tmp_path: Path) -> None:
    text = DISPATCHED.replace("demo/aes.h", header) + "include: {public: [.]}\n"
    assert manifest.load(manifests.write(tmp_path, text)).model.decides


TWO_KERNELS = (
    DISPATCHED.replace(
        "kernels:\n",
        """\
  MORE: {help: more}
kernels:
  more:
    option: MORE
    architecture: arm64
    features: [aes]
    sources: [more.c]
    symbols: [more]
  first:
    architecture: arm64
    sources: [first.c]
    option: AES
    features: [aes]
    symbols: [demo_aes_first]
""",
    ).replace("      - {name: arm64", "      - {name: first, kernel: first}\n      - {name: arm64")
    + "cpu: {policies: {fast: {help: fast, architecture: arm64, features: [aes]}}}\n"
)


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        pytest.param("", "", {"unreachable-variant"}, id="the-same"),
        pytest.param("    option: AES", "    option: MORE", set(), id="another-option"),
        pytest.param("[aes]\n    symbols: [demo", "[sha2]\n    symbols: [demo", set(), id="more"),
        pytest.param("sources: [first.c]", "minimum: {gcc: 12}\n    sources: [first.c]", set(), id="newer"),
        pytest.param(
            "sources: [first.c]", "probe: int x;\n    sources: [first.c]", set(), id="its-own-probe"
        ),
        pytest.param("kernel: first}", "kernel: first, policy: fast}", set(), id="a-policy"),
    ],
)
def test_a_variant_that_is_never_chosen(old: str, new: str, rules: set[str], tmp_path: Path) -> None:
    """An earlier one leaves it nothing that is built wherever it is, and needs no more."""
    path = manifests.write(tmp_path, TWO_KERNELS.replace(old, new, 1))
    (tmp_path / "first.c").touch()
    (tmp_path / "more.c").touch()
    found = set()
    try:
        manifest.load(path)
    except CmaketoolError as error:
        found = {one.rule for one in error.diagnostics}
    assert found == rules


def test_a_tooth_is_sought_in_text_whatever_its_line_ends(tmp_path: Path) -> None:
    text = manifests.MANIFEST + (
        'teeth:\n  t: {kernel: aes_arm64, file: two.h, search: "a;\\nb;", replace: c, test: kat, check: x}\n'
    )
    path = manifests.write(tmp_path, text)
    (tmp_path / "two.h").write_bytes(b"a;\r\nb;\r\n")
    assert manifest.load(path).model.teeth["t"].search == "a;\nb;"


@pytest.mark.parametrize(
    "path", ["a.c", "a/b-c_d.e.c", "k 1.c", "ü/ß.c", "u\u0308.c", "a+b@c,d=e~(1).c", "../a", "."]
)
def test_paths_that_can_be_carried(path: str) -> None:
    assert paths.problem(path) is None


@pytest.mark.parametrize("character", [*";\"$#[]*?<>|&'`!%^{}:\t\n\x7f\u2028\u200b"])
def test_characters_that_cannot_be_carried_are_named(character: str) -> None:
    found = paths.problem(f"dir/a{character}b.c")
    assert found is not None
    assert (character if character.isprintable() else f"U+{ord(character):04X}") in found[0]


ALPHABET = "\n\n  -:[]{}&*!|>'\"%@`#,?~\t\\aeschemaoptionskernels1é\u2028\x00"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=200), st.text(ALPHABET, max_size=200).map(str.encode)))
def test_any_bytes_give_a_manifest_or_diagnostics(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "kernels.yml"
    path.write_bytes(data)
    with pytest.raises(CmaketoolError):
        manifest.load(path)


@settings(max_examples=300, deadline=None)
@given(st.text("\n\r  \t-:?[]{},&*!|'\"ab\u2028\x85", max_size=40))
def test_no_anchor_alias_or_tag_escapes(text: str) -> None:
    """What is looked at closely only where it may begin a value is found wherever it does."""
    wanted = (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken)
    found = False
    with contextlib.suppress(yaml.YAMLError):
        for token in yaml.scan(text, Loader=yaml.CSafeLoader):
            found = found or isinstance(token, wanted)
    refused = Faults("kernels.yml")
    nodes.compose(text.encode(), refused)
    if found:
        assert refused.places()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_edit_gives_a_manifest_or_diagnostics(tmp_path: Path, data: st.DataObject) -> None:
    text = (CORPUS / f"{data.draw(st.sampled_from(NAMES))}.yml").read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text)))
    upto = data.draw(st.integers(at, min(len(text), at + 20)))
    edited = text[:at] + data.draw(st.text(ALPHABET, max_size=5)) + text[upto:]
    path = tmp_path / "kernels.yml"
    path.write_text(edited, encoding="utf-8")
    with contextlib.suppress(CmaketoolError):
        manifest.load(path)


def test_the_garbage_collector_is_as_before(tmp_path: Path) -> None:
    gc.enable()  # the command line, which other tests call, turns it off for good
    with pytest.raises(CmaketoolError):
        manifest.load(tmp_path / "none.yml")
    assert gc.isenabled()


def test_loading_imports_nothing_slow(tmp_path: Path) -> None:
    """The budget of `generate` is three tenths of a second; pydantic alone would take two of them."""
    path = manifests.write(tmp_path)
    script = (
        "import sys, pathlib; from cmaketool import catalogue, manifest, plan;"
        "plan.resolve(manifest.load(pathlib.Path(sys.argv[1])), catalogue.load());"
        "print(*sorted({'pydantic', 'pydantic_core', 'rich', 'lief', 'difflib'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert result.stdout.strip() == ""
