"""How fast the bundled kernels are, without the hardware: one command for the whole table.

    python -m benchmarks.cycles [--compiler NAME,...] [--row TEXT,...] [--kernels DIR] [--json]

Builds the kernels with each cross compiler at -O2, counts instructions in the emulator, finds the main loops
in what it executes, and asks llvm-mca for their cycles. Beside each number stands what it is measured against
(yardsticks.yml). Exits 1 when a row is outside of what is accepted, and names it; 2 when there is no number.

Needs clang-19, llvm-19 and gcc-12-aarch64-linux-gnu beside the project's extra `verify`. docs/performance.md
says what such numbers mean.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.cycles import loops, model, programs, results, tools, yardsticks
from cmaketool.diagnostics import CmaketoolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.cycles.yardsticks import Row, Yardsticks

__all__ = ["main", "measure"]

_KERNELS = Path(__file__).resolve().parents[2] / "kernels"
_MORE = 8  # messages: what these cost beyond the first


def measure(
    given: Yardsticks, rows: Sequence[Row], compiler: str, kernels: Path, folder: Path
) -> list[results.Measured]:
    """Return the numbers of `rows` for the kernels in a folder, built into another by `compiler`.

    Raises CyclesError, CmaketoolError.
    """
    program = programs.build(kernels, compiler, folder)
    code = loops.listing(program)

    def one(row: Row) -> results.Measured:
        return _row(given, row, compiler, program, code)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, rows))


def _row(given: Yardsticks, row: Row, compiler: str, program: Path, code: loops.Code) -> results.Measured:
    size, run = given.message, row.run
    one, several = (loops.run(program, run.case, run.variant, messages, size) for messages in (1, 1 + _MORE))
    found = loops.find(code, one, several, _MORE)
    cycles = tuple(
        None
        if row.cycles.assembly[number] is None
        else sum(loop.passes * model.cycles(cpu, loop.lines) for loop in found) / size
        for number, cpu in enumerate(given.columns)
    )
    counted = (several.instructions - one.instructions) / _MORE / size
    return results.Measured(row, compiler, given.columns, counted, cycles, sum(loop.share for loop in found))


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cycles",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--compiler", default=",".join(programs.COMPILERS), metavar="NAME,...")
    parser.add_argument("--row", default="", metavar="TEXT,...", help="rows with this in their name")
    parser.add_argument("--kernels", type=Path, default=_KERNELS, metavar="DIR", help="where kernels.yml is")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(words)
    arguments.compiler = arguments.compiler.split(",")
    if unknown := set(arguments.compiler) - set(programs.COMPILERS):
        parser.error(f"no compiler {', '.join(sorted(unknown))}; there are {', '.join(programs.COMPILERS)}")
    arguments.given = yardsticks.load()
    texts = arguments.row.lower().split(",")
    arguments.rows = [row for row in arguments.given.rows if any(text in row.name.lower() for text in texts)]
    if not arguments.rows:
        parser.error(f"no row has {arguments.row} in its name")
    return arguments


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (default: this process's) and return the exit code."""
    arguments = _arguments(words)
    by_compiler = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for compiler in arguments.compiler:
                place = Path(folder) / compiler
                by_compiler.append(
                    measure(arguments.given, arguments.rows, compiler, arguments.kernels.resolve(), place)
                )
        except (tools.CyclesError, CmaketoolError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    measured = [one for row in zip(*by_compiler, strict=True) for one in row]
    columns = arguments.given.columns
    if arguments.json:
        print(json.dumps(results.as_json(measured, columns), indent=2))
    else:
        print(results.table(measured, columns))
    outside = [one for one in measured if one.misses]
    for one in outside:
        print(f"outside: {one.row.name}, {one.compiler}: {'; '.join(one.misses)}", file=sys.stderr)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
