"""The JSON Schema against the loader: both are made from one model, and must agree on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from cmaketool import manifest, resources
from tests.support import ROOT
from tests.unit import manifests

if TYPE_CHECKING:
    from pathlib import Path

CORPUS = ROOT / "tests" / "data" / "manifests"
MODEL_RULES = {"unknown-key", "missing-key", "wrong-value", "wrong-shape", "empty"}
YAML_RULES = {
    "anchor",
    "tag",
    "yaml-syntax",
    "empty-manifest",
    "several-documents",
    "duplicate-key",
    "key-shape",
}


class CoreLoader(yaml.SafeLoader):
    """YAML 1.2's core schema, as editors read it: `on` and `no` are text, 8.10 is a number."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern in {
    "bool": r"true|True|TRUE|false|False|FALSE",
    "null": r"~|null|Null|NULL|",
    "int": r"[-+]?[0-9]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?",
}.items():
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), None)

VALIDATOR = jsonschema.Draft202012Validator(manifest.json_schema())


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=CoreLoader)  # noqa: S506  a safe loader


def rules(path: Path) -> set[str]:
    text = path.with_suffix(".txt").read_text(encoding="utf-8")
    return set(re.findall(r"^\S.*error: .* \[([a-z-]+)\]$", text, re.MULTILINE))


READABLE = [path for path in sorted(CORPUS.glob("*.yml")) if not rules(path) & YAML_RULES]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(manifest.json_schema())


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.stem)
def test_the_schema_refuses_what_the_model_refuses(path: Path) -> None:
    assert VALIDATOR.is_valid(read(path)) is not bool(rules(path) & MODEL_RULES)


@pytest.mark.parametrize(
    "path",
    [
        resources.bundled_manifest(),
        *(ROOT / "tests" / "manifests").glob("*/*.yml"),
    ],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_the_schema_accepts_the_projects_own_manifests(path: Path) -> None:
    VALIDATOR.validate(read(path))


def test_the_schema_accepts_every_key(tmp_path: Path) -> None:
    text = """\
schema: 1
name: demo
prefix: Demo
root: .
include: {public: [.], private: [src]}
options:
  AES:
    help: AES, off by default
    default: OFF
    requires: {compilers: [gcc, clang-cl], architectures: [arm64, arm64ec]}
    conflicts: [NO_AES]
    definitions: {public: [HAVE_AES], private: [AES_MODE=2]}
kernels:
  aes:
    option: AES
    architecture: arm64
    features: [aes, pmull]
    sources: [src/aes.c]
    symbols: [demo_aes_arm64]
    mnemonics: {demo_aes_arm64: [aese]}
    minimum: {gcc: 8.10, clang-cl: "16"}
    flags: {features: true, extra: {gcc: [-O3]}}
    probe: |
      int probe(void);
cpu:
  unknown_system: none
  policies:
    fast:
      help: Worth it on some cores
      architecture: arm64
      features: [aes]
      when:
        apple: true
        always: false
        midr: [{implementer: 0x41, parts: [0xd08, "0xD0C"]}, {implementer: 0xc0}]
      unless: [{implementer: 0x53, parts: [0x001]}]
families:
  aes:
    headers: [demo.h, stdint.h]
    functions:
      - void demo_aes(uint8_t *state, const uint8_t *key, size_t length)
    variants:
      - {name: arm64, kernel: aes, policy: fast}
      - {name: portable, sources: [src/portable.c]}
  plain:
    functions: [demo_plain]
    variants: [{name: portable, sources: [src/portable.c]}]
tests:
  kat: {sources: [src/kat.c], protocol: TAP}
benchmarks: {sources: [src/kat.c]}
teeth:
  t: {kernel: aes, file: src/aes.c, search: one, replace: two, test: kat, check: aes arm64}
"""
    files = {"src/aes.c": "one\n", "src/portable.c": "", "src/kat.c": "", "src/demo.h": ""}
    path = manifests.write(tmp_path, text, files)
    VALIDATOR.validate(read(path))
    loaded = manifest.load(path).model
    assert loaded.kernels["aes"].minimum == {"gcc": "8.10", "clang-cl": "16"}
    assert loaded.kernels["aes"].flags.features is True
    assert loaded.cpu is not None
    assert [one.parts for one in loaded.cpu.policies["fast"].when.midr] == [("0xd08", "0xD0C"), ()]
    assert loaded.families["aes"].functions == (
        "void demo_aes(uint8_t *state, const uint8_t *key, size_t length)",
    )


def test_every_field_has_its_place_in_the_schema() -> None:
    """No key may be left out of it: editors would mark it as unknown."""
    schema = manifest.json_schema()
    kernel = schema["$defs"]["Kernel"]
    assert kernel["additionalProperties"] is False
    assert set(kernel["required"]) == {"option", "architecture", "features", "sources", "symbols"}
    assert schema["properties"]["schema"] == {"const": 1, "title": "Schema", "type": "integer"}
    assert kernel["properties"]["features"]["minItems"] == 1
    assert schema["$defs"]["Midr"]["properties"]["parts"]["minItems"] == 1
    assert set(schema["$defs"]["Policy"]["required"]) == {"help", "architecture", "features"}
    assert "null" not in str(schema)
