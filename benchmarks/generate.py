"""Time `cmaketool generate --check`: the bundled manifest, and one of 1,000 kernels.

    python benchmarks/generate.py [--runs 11]

Prints, for each, the minimum and median wall time of whole processes, and beside them the time of the bare
interpreter, which is the floor on the machine at that moment.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUNDLED = Path(__file__).resolve().parent.parent / "kernels" / "kernels.yml"
BUDGETS = {"bundled": 0.30, "1,000 kernels": 0.60}


def write_manifest(folder: Path, kernels: int) -> Path:
    """Write a manifest of that many kernels under ten options, with their sources, into `folder`."""
    lines = ["schema: 1", "name: many", "options:"]
    lines += [f"  OPTION_{number}: {{help: kernels of group {number}}}" for number in range(10)]
    lines.append("kernels:")
    for number in range(kernels):
        (folder / f"k{number}.c").write_text(f"/* kernel {number} */\n", encoding="utf-8")
        lines += [
            f"  k{number}:",
            f"    option: OPTION_{number % 10}",
            "    architecture: arm64",
            "    features: [aes, sha2]",
            f"    sources: [k{number}.c]",
            f"    symbols: [many_k{number}]",
            f"    mnemonics: {{many_k{number}: [aese, sha256h]}}",
        ]
    manifest = folder / "kernels.yml"
    manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return manifest


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(name: str, manifest: Path, runs: int) -> None:
    program = [str(Path(sys.executable).parent / "cmaketool"), "generate", str(manifest)]
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    times, floors = [], []
    for _ in range(runs):
        times.append(seconds([*program, "--check"]))
        floors.append(seconds([sys.executable, "-c", "pass"]))
    print(
        f"{name}: median {statistics.median(times):.3f} s, minimum {min(times):.3f} s of {runs}"
        f" (budget {BUDGETS[name]:.2f} s; python alone {statistics.median(floors):.3f} s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=11)
    arguments = parser.parse_args()
    measure("bundled", BUNDLED, arguments.runs)
    with tempfile.TemporaryDirectory() as folder:
        measure("1,000 kernels", write_manifest(Path(folder), 1000), arguments.runs)


if __name__ == "__main__":
    main()
