"""The command line: parse, call, print. No logic of its own; everything heavy is imported when used."""

from __future__ import annotations

import atexit
import gc
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cmaketool import __version__
from cmaketool.diagnostics import CmaketoolError, Diagnostic, ExitCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["cli", "main"]

INTERRUPTED = 130
LAZY_COMMANDS = {
    "bench": "cmaketool.bench.command",
    "toolchains": "cmaketool.toolchains.command",
    "verify": "cmaketool.verify.command",
}


class _LazyGroup(click.Group):
    """A group whose costly commands live in modules of their own, imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *LAZY_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in LAZY_COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(importlib.import_module(LAZY_COMMANDS[cmd_name]), cmd_name)
        return command


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: cmaketool generate kernels.yml && cmaketool verify kernels.yml",
)
@click.version_option(__version__, prog_name="cmaketool")
def cli() -> None:
    """Wire instruction-set kernels into CMake from one manifest, and prove that they are there."""


@cli.command(epilog="Example: cmaketool generate kernels/kernels.yml --check")
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the files go.  [default: the manifest's folder]",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a file is out of date.")
@click.option("--diff", is_flag=True, help="Write nothing; print what writing would change.")
@click.option("--list", is_flag=True, help="Write nothing; print the files that are generated.")
@click.option("--dry-run", is_flag=True, help="Write nothing; say which files would be written.")
def generate(manifest: Path, output: Path | None, **modes: bool) -> None:
    """Write the CMake fragment and the C that MANIFEST describes."""
    from cmaketool import catalogue, outputs, plan, render  # noqa: PLC0415
    from cmaketool import manifest as manifests  # noqa: PLC0415

    mode = _only(modes)
    resolved = plan.resolve(manifests.load(manifest), catalogue.load())
    folder = output if output is not None else manifest.parent
    files = render.render(resolved, folder)
    if mode == "list":
        for name in files:
            click.echo(folder / name)
    elif mode is None:
        changed = outputs.write(folder, files)
        for name in files:
            click.echo(f"{'wrote' if name in changed else 'unchanged'} {folder / name}")
    else:
        differences = outputs.compare(folder, files, render.generated_by(resolved, folder))
        command = ["cmaketool", "generate", str(manifest), *(("-o", str(output)) if output else ())]
        _compare(mode, command, folder, differences)


def _only(modes: Mapping[str, bool]) -> str | None:
    """Return the one mode that was asked for: with two, the last would take back what --check promises."""
    asked = [name for name, wanted in modes.items() if wanted]
    if len(asked) > 1:
        options = " and ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise click.UsageError(f"{options} exclude one another")
    return asked[0] if asked else None


def _compare(mode: str, command: Sequence[str], folder: Path, differences: Sequence[Any]) -> None:
    """Print the differences between `folder` and what is generated, as `mode` asks for them."""
    if mode == "dry_run":
        for difference in differences:
            verb = "would be deleted by hand" if difference.kind == "stray" else "would be written"
            click.echo(f"{verb}: {folder / difference.name}")
        return
    for difference in differences:
        click.echo(difference.text, nl=not difference.text.endswith("\n"))
    if mode == "check" and differences:
        import shlex  # noqa: PLC0415

        raise CmaketoolError(
            *(
                Diagnostic(
                    message=difference.summary,
                    rule=f"output-{difference.kind}",
                    file=str(folder / difference.name),
                    line=difference.line,
                    remedy=f"run: {shlex.join(command)}"
                    if difference.kind != "stray"
                    else "delete it: the manifest no longer generates it",
                )
                for difference in differences
            ),
            code=ExitCode.FAILED,
        )


@cli.command(epilog="Example: cmaketool schema > kernels.schema.json")
def schema() -> None:
    """Print the JSON Schema of a manifest, for editors."""
    import json  # noqa: PLC0415

    from cmaketool import manifest as manifests  # noqa: PLC0415

    click.echo(json.dumps(manifests.json_schema(), indent=2))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; anticipated failures print and never trace back."""
    gc.disable()  # a short run: collecting costs more than it frees
    atexit.register(gc.freeze)  # else the interpreter's end begins by collecting
    try:
        result = cli.main(args=arguments, prog_name="cmaketool", standalone_mode=False)
    except CmaketoolError as error:
        click.echo(str(error), err=True)
        return int(error.code)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return int(ExitCode.BAD_INPUT)
    except BrokenPipeError:
        sys.stderr.close()
        return int(ExitCode.OK)
    except OSError as error:
        if error.filename is not None:
            raise
        # Standard output, to a full disk for instance.
        diagnostic = Diagnostic(f"the output cannot be written: {error.strerror}", "output-inaccessible")
        click.echo(str(diagnostic), err=True)
        return int(ExitCode.BAD_INPUT)
    return int(result) if isinstance(result, int) else int(ExitCode.OK)


if __name__ == "__main__":
    sys.exit(main())
