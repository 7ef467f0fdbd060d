"""`cmaketool toolchains`: the table, the descriptions and the JSON document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cmaketool import cli, toolchains
from cmaketool.toolchains import listing
from cmaketool.toolchains.listing import Listing
from cmaketool.toolchains.model import Facts, Processor

if TYPE_CHECKING:
    from collections.abc import Sequence


def found(name: str, version: str = "gcc 12.2.0, arm64", features: Sequence[str] = ("aes",)) -> Listing:
    file = toolchains.leg(name)
    facts = Facts(architectures=("arm64",), family="gcc", version="12.2.0", features=tuple(features))
    processors = (Processor(name="max", features=frozenset({"sha2", "aes"})), Processor(name="mine"))
    leg = toolchains.Leg(
        file=file,
        facts=facts,
        version=version,
        toolchain_file=None,
        configure_arguments=(),
        compiler=Path("/bin/cc"),
        emulator=(),
        processors=processors,
    )
    return Listing(file, leg, compiler="/bin/cc")


def missing(name: str) -> Listing:
    file = toolchains.leg(name)
    return Listing(file, None, f"{file.compiler[0]} is not on PATH", file.packages)


ALL = [
    found("native"),
    missing("gcc-11-aarch64-linux-gnu"),
    found("msvc-model-arm64", "a stand-in for msvc 19.44.35207.1, arm64"),
    found("zig-arm-linux-musleabihf", "zig 0.17.1 (clang 22.1.8), another architecture"),
]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.cli, ["toolchains", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


@pytest.mark.parametrize("width", [listing.NARROWEST, 80, 81, 120, 400])
def test_the_table_fits_its_width(width: int) -> None:
    assert max(map(len, listing.as_table(ALL, width).splitlines())) <= width
    every = [missing(leg.name) if leg.compiler else found(leg.name) for leg in toolchains.legs()]
    assert max(map(len, listing.as_table(every, width).splitlines())) <= width


def test_what_the_table_says() -> None:
    lines = listing.as_table(ALL, 80).splitlines()[1:]
    assert lines == [
        "",
        "leg                        shows        found",
        "native                     everything   gcc 12.2.0, arm64",
        "gcc-11-aarch64-linux-gnu*  everything   no: aarch64-linux-gnu-gcc-11 is not on",
        "                                        PATH",
        "    install: Debian: apt-get install gcc-11-aarch64-linux-gnu",
        "        libc6-dev-arm64-cross qemu-user",
        "msvc-model-arm64           everything   a stand-in for msvc 19.44.35207.1, arm64",
        *(f"    {'limits: ' if not at else '    '}{line}" for at, line in enumerate(LIMITS)),
        "zig-arm-linux-musleabihf*  to compiled  zig 0.17.1 (clang 22.1.8), another",
        "                                        architecture",
        "",
        "* run only when it is named, or by --toolchain all",
    ]


LIMITS = [
    "compiled by clang in cl's place, which takes what cl is known to",
    "take; cl's code generation is not shown",
]


def test_what_a_description_says() -> None:
    lines = listing.as_descriptions([ALL[2], ALL[1]], 200).splitlines()
    assert lines[2] == "msvc-model-arm64"
    assert "    stands for: Microsoft's cl 19.44 for ARM64" in lines
    assert "    compiler: /bin/cc" in lines
    assert "    needs no flag on arm64: aes" in lines
    assert lines[lines.index("    processor max: aes sha2") + 1] == "    processor mine: not known"
    rest = lines[lines.index("gcc-11-aarch64-linux-gnu") :]
    assert "    found: no: aarch64-linux-gnu-gcc-11 is not on PATH" in rest
    assert "    run: when it is named, or by --toolchain all" in rest


def test_the_json_document() -> None:
    document: dict[str, Any] = json.loads(listing.as_json(ALL[1:3]))
    assert document["schema"] == 1
    absent, model = document["legs"]
    assert set(absent) == set(model)
    assert (absent["found"], absent["slices"], absent["processors"], absent["compiler"]) == (
        False,
        {},
        {},
        "",
    )
    assert absent["missing"] == "aarch64-linux-gnu-gcc-11 is not on PATH"
    assert "apt-get install gcc-11-aarch64-linux-gnu" in absent["remedy"]
    assert (model["found"], model["default"], model["embedded"]) == (True, True, False)
    assert model["slices"] == {"arm64": ["aes"]}
    assert model["processors"] == {"max": ["aes", "sha2"], "mine": None}
    assert model["limits"].startswith("compiled by clang in cl's place")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a compiler but zig, which is in the packages of this Python."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    return tmp_path


def test_the_command_lists_every_leg(bare: Path) -> None:
    code, output = run()
    assert code == 0
    for leg in toolchains.legs():
        assert f"\n{leg.name}" in output
    assert output.count(" no: ") >= 10
    assert max(map(len, output.splitlines())) <= 80


def test_the_command_describes_what_is_named(bare: Path) -> None:
    code, output = run("native")
    assert code == 0
    assert "found: no: no C compiler (cc, gcc, clang) is on PATH" in output
    code, output = run("native", "--json")
    assert [leg["leg"] for leg in json.loads(output)["legs"]] == ["native"]


def test_the_command_lists_leg_files_beside_a_manifest(bare: Path) -> None:
    text = "name: board\nstands_for: a board\ncompiler: [bcc]\nfacts: from-compiler\npackages: buy it\n"
    (bare / "board.leg.yml").write_text(text, encoding="utf-8")
    code, output = run("--manifest", str(bare / "kernels.yml"))
    assert (code, "does not exist" in output) == (2, True)
    (bare / "kernels.yml").touch()
    _, output = run("--manifest", str(bare / "kernels.yml"))
    assert "\nboard " in output
    assert "\n    install: buy it\n" in output


def test_what_cannot_be_used_is_an_error_of_the_users(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["toolchains", "natve"]) == 2
    assert "did you mean 'native'" in capsys.readouterr().err
    assert cli.main(["toolchains", "--toolchain-file", str(bare / "no.cmake")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "no.cmake: error: there is no such toolchain file [toolchain-file]" in said.err


def test_a_bundled_leg_that_cannot_be_used_is_a_line(bare: Path) -> None:
    compiler = bare / "aarch64-linux-gnu-gcc-11"
    compiler.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    compiler.chmod(0o755)
    for name in ("aarch64-linux-gnu-ar", "aarch64-linux-gnu-ranlib", "qemu-aarch64"):
        (bare / name).symlink_to(compiler)
    code, output = run("gcc-11-aarch64-linux-gnu")
    assert code == 0
    assert "found: no: unusable:" in output
    assert "does not preprocess" in " ".join(output.split())
