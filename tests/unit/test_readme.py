"""What the README shows is what there is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from cmaketool import catalogue, manifest, plan, render
from cmaketool.cli import cli
from tests.support import ROOT

if TYPE_CHECKING:
    from pathlib import Path

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _block(language: str, number: int = 0) -> str:
    """Return a fenced block of a language."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return blocks[number]


def test_the_shortest_example(tmp_path: Path) -> None:
    (tmp_path / "sum_arm64.c").write_text(_block("c"), encoding="utf-8")
    (tmp_path / "kernels.yml").write_text(_block("yaml"), encoding="utf-8")
    resolved = plan.resolve(manifest.load(tmp_path / "kernels.yml"), catalogue.load())
    files = render.render(resolved, tmp_path)
    assert f"# {', '.join(files)}\n" in README
    assert "function(demo_target_kernels " in files["demo_kernels.cmake"]
    (kernel,) = resolved.kernels
    for name in (kernel.build_macro, kernel.target_macro):
        assert name in _block("c")
        assert name in files["demo_kernels_config.h"]


def test_the_example_of_choosing_at_run_time(tmp_path: Path) -> None:
    for name in ("sum_arm64.c", "sum_portable.c", "demo.h"):
        (tmp_path / name).write_text("", encoding="utf-8")
    text = _block("yaml") + _block("yaml", 1)
    (tmp_path / "kernels.yml").write_text(text, encoding="utf-8")
    resolved = plan.resolve(manifest.load(tmp_path / "kernels.yml"), catalogue.load())
    files = render.render(resolved, tmp_path)
    assert "void sum(unsigned char state[16], const unsigned char key[16])\n{" in files["demo_dispatch.c"]
    assert '"DEMO_CPU_FEATURES"' in files["demo_cpu.c"]


def test_commands_and_options_exist() -> None:
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    known = {option for command in commands.values() if command for p in command.params for option in p.opts}
    section = README.partition("## Commands")[2].partition("## ")[0]
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", section)) - known == {"--help"}
    assert set(re.findall(r"`cmaketool ([a-z]+)", section)) == set(commands)
