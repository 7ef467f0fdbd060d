"""The C of run time, read as text: shape, names, nothing that the manifest does not use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import jinja2
import pytest

from cmaketool import catalogue, manifest, names, outputs, plan, render, resources
from cmaketool.render import capabilities, dispatchers, substitution
from tests.support import ROOT
from tests.unit import manifests

if TYPE_CHECKING:
    from pathlib import Path

    from cmaketool.plan import Plan

WIDTH = 110


def with_prototype(prototype: str) -> str:
    return manifests.MANIFEST.replace(
        "functions: [demo_aes]", f"headers: [demo.h]\n    functions: ['{prototype}']"
    )


DISPATCHED = with_prototype("void demo_aes(unsigned char *p)")
PARTS = ("cpu.h", "cpu.c", "dispatch.h", "dispatch.c", "report.c", "info.c")


def load(path: Path) -> Plan:
    return plan.resolve(manifest.load(path), catalogue.load())


def rendered(folder: Path, text: str = DISPATCHED) -> dict[str, str]:
    """Return by its part what is generated for run time; "" is all of it."""
    files = render.render(manifests.planned(folder, text), folder)
    parts = {name.removeprefix("demo_"): text for name, text in files.items() if "kernels" not in name}
    return parts | {"": "".join(parts.values())}


def with_cpu(text: str, cpu: str) -> str:
    return text.replace("families:", f"cpu: {{{cpu}}}\nfamilies:")


def policy(fields: str) -> str:
    return f"policies: {{quick: {{help: h, architecture: arm64, features: [aes], {fields}}}}}"


@pytest.fixture(scope="module", params=["kernels", "tests/manifests/policies"])
def files(request: pytest.FixtureRequest) -> dict[str, str]:
    found = load(ROOT / request.param / "kernels.yml")
    return render.render(found, found.folder)


def test_the_files(tmp_path: Path) -> None:
    assert [name for name in rendered(tmp_path) if name] == list(PARTS)
    assert rendered(tmp_path, manifests.MANIFEST) == {"": ""}


def test_without_prototypes_there_is_nothing_to_dispatch(tmp_path: Path) -> None:
    parts = rendered(tmp_path, with_cpu(manifests.MANIFEST, "unknown_system: none"))
    assert list(parts) == ["cpu.h", "cpu.c", "report.c", "info.c", ""]
    assert "dispatch" not in parts[""]
    assert 'selected:");\n    add(&to, " none");' in parts["report.c"]


def test_form(files: dict[str, str]) -> None:
    mark = next(iter(files.values())).partition("\n")[0].lstrip("# ")
    for name, text in files.items():
        assert mark in text.partition("\n")[0]
        assert text.endswith("\n")
        assert not re.search(r"[ \t]+$|\t|\r|\n\n\n|\n\n\Z|\{\{ |\{%", text, re.MULTILINE), name
        if name.endswith((".c", ".h")) and "kernels" not in name:
            long = [line for line in text.splitlines() if len(line) > WIDTH]
            assert long == [], name
            unbraced = re.findall(r"^ *(?:if|for|while) \(.*\)$|^ *else$", text, re.MULTILINE)
            assert unbraced == [], name


def test_names(files: dict[str, str]) -> None:
    prefix = "pol" if "policies_cpu.h" in files else "cmk"
    reserved = {f"{prefix.upper()}_{part}" for part in ("CPU_H", "DISPATCH_H")}
    for name, text in files.items():
        if "kernels" in name:
            continue
        defined = set(re.findall(r"^#define (\w+)", text, re.MULTILINE)) - {
            "WIN32_LEAN_AND_MEAN", "_DARWIN_C_SOURCE", "_NETBSD_SOURCE", "__EXTENSIONS__",
        }  # fmt: skip
        assert all(macro.startswith(f"{prefix.upper()}_") for macro in defined)
        own = {macro for macro in defined if not macro.startswith(names.cpu_macro(prefix, "needs_"))}
        allowed = reserved | set(names.cpu_reserved(prefix)) | {names.call_macro(prefix)}
        allowed |= {text for text in own if text.startswith(names.cpu_switches(prefix))}
        known = plan_macros(prefix)
        assert own <= allowed | known, own - allowed - known


def plan_macros(prefix: str) -> set[str]:
    folder = "tests/manifests/policies" if prefix == "pol" else "kernels"
    cpu = load(ROOT / folder / "kernels.yml").cpu
    assert cpu is not None
    return {one.macro for one in cpu.features} | {one.macro for one in cpu.policies}


# Nothing that the manifest does not use


def test_one_instruction_set(tmp_path: Path) -> None:
    arm64 = rendered(tmp_path)[""]
    assert not re.search(r"cpuid|xgetbv|X86_64|ymm", arm64)
    text = DISPATCHED.replace("architecture: arm64", "architecture: x86_64")
    x86_64 = rendered(tmp_path, text.replace("[aese, aesmc]", "[aesenc]"))[""]
    assert not re.search(r"hwcap =|sysctl|IsProcessor|elf_aux|#error|SLICE_ARM64|xgetbv|ymm", x86_64)
    assert "leaf1.ecx & (UINT32_C(1) << 25)" in x86_64
    assert "leaf7" not in x86_64


def test_a_feature_that_no_system_is_asked_for(tmp_path: Path) -> None:
    text = DISPATCHED.replace("features: [aes]", "features: [neon]").replace("[aese, aesmc]", "[sri]")
    code = rendered(tmp_path, text)[""]
    assert code.count("found = DEMO_CPU_NEON;") == 3
    assert not re.search(r"hwcap =|sysctl|IsProcessor|elf_aux", code)
    assert "#if defined(__linux__) && !defined(DEMO_CPU_NO_OVERRIDE)" in code  # who else reads the vector


def test_no_policies(tmp_path: Path) -> None:
    parts = rendered(tmp_path)
    code = re.sub(r"/\*.*?\*/", "", parts[""], flags=re.DOTALL)
    assert not re.search(r"policies|worth|mrs|midr|asked->set|int policy|/sys/devices", code)
    assert 'policy: none");' in parts["report.c"]


@pytest.mark.parametrize(
    ("fields", "there", "not_there"),
    [
        pytest.param("when: {always: true}", "policies = DEMO_CPU_QUICK;", "midr|dirent|mrs", id="always"),
        pytest.param("when: {}", "uint32_t policies = 0;", "midr|dirent|mrs", id="when asked for"),
        pytest.param("when: {apple: true}", "{0xff000000, 0x61000000, DEMO_CPU_QUICK}", "dirent", id="apple"),
        pytest.param(
            "when: {midr: [{implementer: 0x41, parts: [0xd0c, 0x1]}]}",
            "{0xff00fff0, 0x4100d0c0, DEMO_CPU_QUICK},\n    {0xff00fff0, 0x41000010, DEMO_CPU_QUICK}",
            "dirent|__APPLE__\\)\n    policies",
            id="midr",
        ),
        pytest.param(
            "when: {always: true}, unless: [{implementer: 0x53}]",
            "if ((policies & (DEMO_CPU_QUICK)) != 0) {\n        policies &= ~denied();",
            "worth_on",
            id="unless",
        ),
    ],
)
def test_a_policy(tmp_path: Path, fields: str, there: str, not_there: str) -> None:
    parts = rendered(tmp_path, with_cpu(DISPATCHED, policy(fields)))
    assert there in parts["cpu.c"]
    assert not re.search(not_there, parts["cpu.c"])
    assert "#define DEMO_CPU_QUICK (UINT32_C(1) << 2)" in parts["cpu.h"]
    assert '{"quick", DEMO_CPU_QUICK, DEMO_CPU_AES, 1},' in parts["cpu.c"]


def test_what_is_always_there_is_not_asked_for(tmp_path: Path) -> None:
    assert "sysctl" not in rendered(tmp_path)["cpu.c"]
    text = DISPATCHED.replace("features: [aes]", "features: [aes, sha3]")
    asked = rendered(tmp_path, text)["cpu.c"]
    assert "uint32_t found = DEMO_CPU_AES | DEMO_CPU_SHA1 | DEMO_CPU_SHA2;" in asked
    assert 'confirmed("hw.optional.arm.FEAT_SHA3") || confirmed("hw.optional.armv8_2_sha3")' in asked
    question = "IsProcessorFeaturePresent(30) ? DEMO_CPU_AES | DEMO_CPU_SHA1 | DEMO_CPU_SHA2 : 0;"
    assert asked.count(question) == 1


@pytest.mark.parametrize("word", ["error", "none"])
def test_an_unknown_system(tmp_path: Path, word: str) -> None:
    text = rendered(tmp_path, with_cpu(DISPATCHED, f"unknown_system: {word}"))["cpu.c"]
    assert ("#error" in text) == (word == "error")
    assert ("kernels.yml may say cpu: {unknown_system: none}" in text) == (word == "error")


# Selection and masks


def test_a_kernel_needs_what_nothing_else_of_it_implies(tmp_path: Path) -> None:
    text = DISPATCHED.replace("features: [aes]", "features: [sha2, aes, pmull, sha1]")
    assert (
        "#define DEMO_CPU_NEEDS_AES_ARM64 (DEMO_CPU_SHA2 | DEMO_CPU_PMULL)\n"
        in rendered(tmp_path, text)["cpu.h"]
    )


def test_bits_need_all_that_they_imply(tmp_path: Path) -> None:
    text = rendered(tmp_path, DISPATCHED.replace("features: [aes]", "features: [aes, sha3]"))["cpu.c"]
    rows = re.findall(r'^    \{"(\w+)", \w+, (.*)\},$', text, re.MULTILINE)
    assert rows == [
        ("aes", "0"),
        ("sha1", "0"),
        ("sha2", "DEMO_CPU_SHA1"),
        ("sha512", "DEMO_CPU_SHA1 | DEMO_CPU_SHA2"),
        ("sha3", "DEMO_CPU_SHA1 | DEMO_CPU_SHA2 | DEMO_CPU_SHA512"),
    ]


def test_the_choice_is_the_manifests_order(tmp_path: Path) -> None:
    found = load(ROOT / "tests" / "manifests" / "policies" / "kernels.yml")
    family = next(one for one in found.families if one.name == "digest")
    chosen = dispatchers.selection(family, found)
    assert chosen["numbered"] == "1 sha512, 2 sha2, 3 avx2, 4 portable"
    assert chosen["last"] == "4"
    assert re.findall(r"HAS\(word, (.*)\)\)", chosen["tests"]) == [
        "POL_CPU_NEEDS_SHA512_ARM64 | POL_CPU_TRUSTED",
        "POL_CPU_NEEDS_SHA2_ARM64",
        "POL_CPU_NEEDS_AVX2_X86",
    ]
    assert chosen["condition"].split(" || ") == [
        "POL_BUILD_SHA512_ARM64", "POL_BUILD_SHA2_ARM64", "POL_BUILD_AVX2_X86",
    ]  # fmt: skip


def test_a_family_without_kernels_has_no_choice(tmp_path: Path) -> None:
    text = DISPATCHED.replace("      - {name: arm64, kernel: aes_arm64}\n", "")
    text = re.sub(r"symbols: .*", "symbols: [other]", re.sub(r"    mnemonics: .*\n", "", text))
    parts = rendered(tmp_path, text)
    assert "DEMO_CPU_INLINE int demo_select_aes(void)\n{\n    return 1;\n}" in parts["dispatch.h"]


# Prototypes


@pytest.mark.parametrize(
    "prototype",
    [
        "void demo_aes(void)",
        "const char *demo_aes(int a)",
        "unsigned long demo_aes(int a[2], char *const b)",
    ],
)
def test_declarators(tmp_path: Path, prototype: str) -> None:
    source = rendered(tmp_path, with_prototype(prototype))["dispatch.c"]
    assert f"\n{prototype}\n{{\n" in source
    assert ("return DEMO_CALL" in source) == (not prototype.startswith("void"))


def test_long_prototypes_are_folded(tmp_path: Path) -> None:
    parameters = [f"const unsigned char *parameter_{number}" for number in range(5)]
    source = rendered(tmp_path, with_prototype(f"status demo_aes({', '.join(parameters)})"))["dispatch.c"]
    found = re.search(r"^status demo_aes\((.*?)\)\n\{", source, re.MULTILINE | re.DOTALL)
    assert found
    assert re.split(r",\s+", found[1]) == parameters
    assert set(re.findall(r"\n +", found[1])) == {"\n" + " " * len("status demo_aes(")}
    assert max(map(len, source.splitlines())) <= WIDTH


def test_one_long_parameter_stays_whole(tmp_path: Path) -> None:
    text = with_prototype(f"void demo_aes(int {'x' * 120}, int y)")
    source = rendered(tmp_path, text)["dispatch.c"]
    assert f"void demo_aes(int {'x' * 120},\n              int y)\n" in source


def test_where_a_name_leaves_no_room_parameters_begin_on_the_next_line(tmp_path: Path) -> None:
    text = with_prototype(f"void demo_aes(int {'x' * 80}, int y)")
    source = rendered(tmp_path, text)["dispatch.c"]
    assert f"void demo_aes(int {'x' * 80}, int y)\n" in source
    assert f"demo_cpu_fill_for_demo_aes(\n    int {'x' * 80}, int y)\n" in source


# Substitution


def test_what_is_put_in_is_not_looked_at_again(tmp_path: Path) -> None:
    odd = "{{ plan.name }} {% if has_policies %} {{ 7 * 7 }}"
    cpu = policy("when: {always: true}").replace("help: h", f"help: '{odd}'")
    assert f"/* {odd} */\n#define DEMO_CPU_QUICK" in rendered(tmp_path, with_cpu(DISPATCHED, cpu))["cpu.h"]


def test_choices() -> None:
    text = "a\n{% if x %}\nb\n{% if y %}\nc\n{% endif %}\nd\n{% endif %}\ne\n"
    both = {(x, y): substitution.choose(text, {"x": x, "y": y}) for x in (True, False) for y in (True, False)}
    assert both == {
        (True, True): "a\nb\nc\nd\ne\n",
        (True, False): "a\nb\nd\ne\n",
        (False, True): "a\ne\n",
        (False, False): "a\ne\n",
    }
    with pytest.raises(KeyError, match="y"):
        substitution.choose(text, {"x": True})


def test_a_name_that_is_not_known_is_an_error() -> None:
    with pytest.raises(KeyError, match="select"):
        substitution.fill(
            "dispatch_family.h.j2",
            {"family": "", "numbered": "", "plan.upper": ""},
            {"has_kernels": False},
        )


@pytest.mark.parametrize("name", ["kernels.cmake.j2", "kernels_probe.c.j2"])
def test_a_template_that_asks_for_more_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match=r"holds more than names and choices: \{% "):
        substitution.fill(name, {}, {})


@pytest.mark.parametrize("name", ["cpu.h.j2", "cpu.c.j2"])
@pytest.mark.parametrize("folder", ["kernels", "tests/manifests/policies"])
def test_the_templates_mean_what_jinja2_takes_them_for(name: str, folder: str) -> None:
    found = load(ROOT / folder / "kernels.yml")
    assert found.cpu is not None
    texts, choices = capabilities.capabilities(found, found.cpu, catalogue.load())
    for key in ("module", "context.generated_by", "context.regenerate"):
        texts[key] = f"<{key}>"
    texts |= {"plan.name": found.name, "plan.prefix": found.prefix, "plan.upper": found.upper}
    texts["plan.manifest"] = found.manifest
    nested: dict[str, Any] = dict(choices)
    for key, text in texts.items():
        first, _, second = key.partition(".")
        if second:
            nested.setdefault(first, {})[second] = text
        else:
            nested[first] = text
    environment = jinja2.Environment(  # noqa: S701  C, not HTML
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    template = environment.from_string(resources.text("templates", name))
    assert substitution.fill(name, texts, choices) == template.render(nested)


# Files on disk


@pytest.mark.parametrize("part", PARTS)
def test_each_file_is_missed(tmp_path: Path, part: str) -> None:
    found = manifests.planned(tmp_path, DISPATCHED)
    files, mark = render.render(found, tmp_path), render.generated_by(found, tmp_path)
    outputs.write(tmp_path, files)
    assert outputs.compare(tmp_path, files, mark) == []
    (tmp_path / f"demo_{part}").unlink()
    (difference,) = outputs.compare(tmp_path, files, mark)
    assert (difference.name, difference.kind) == (f"demo_{part}", "missing")


def test_what_is_not_generated_any_more_is_stray(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path, DISPATCHED)
    outputs.write(tmp_path, render.render(found, tmp_path))
    found = manifests.planned(tmp_path, manifests.MANIFEST)
    files = render.render(found, tmp_path)
    outputs.write(tmp_path, files)
    strays = outputs.compare(tmp_path, files, render.generated_by(found, tmp_path))
    assert [one.name for one in strays] == sorted(f"demo_{part}" for part in PARTS)
    assert {one.kind for one in strays} == {"stray"}


def test_the_digest_follows_what_is_generated_for_run_time(tmp_path: Path) -> None:
    def digest(cpu: str) -> str:
        found = manifests.planned(tmp_path, with_cpu(DISPATCHED, cpu))
        fragment = render.render(found, tmp_path)["demo_kernels.cmake"]
        return str(re.findall(r"set\(_digest (\w+)\)", fragment)[0])

    assert digest("unknown_system: none") != digest("unknown_system: error")


def test_the_fragment_names_what_belongs_to_a_target(tmp_path: Path) -> None:
    found = manifests.planned(tmp_path, DISPATCHED)
    fragment = render.render(found, tmp_path)["demo_kernels.cmake"]
    assert "  set(_generated_sources demo_cpu.c demo_dispatch.c demo_report.c)\n" in fragment
    assert "  set(_generated_scope PUBLIC)\n" in fragment
    found = manifests.planned(tmp_path, manifests.MANIFEST)
    table = render.render(found, tmp_path)["demo_kernels.cmake"].partition("# ---- The interpreter")[0]
    assert "_generated" not in table
