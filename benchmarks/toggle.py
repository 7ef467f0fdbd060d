"""How much is saved by changing options in one build tree instead of configuring a fresh tree for each state.

Usage: python benchmarks/toggle.py [--leg NAME] [--until sources|objects] [--rounds N]

Verifies a generated manifest of four options and 16 sources on one leg, in one run both ways, one command at
a time, and prints the times and their ratio. Both ways go through the same states and rungs; each round does
both.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cmaketool import catalogue, toolchains
from cmaketool import manifest as manifests
from cmaketool import plan as plans
from cmaketool.verify import harness
from cmaketool.verify.job import Job
from cmaketool.verify.legrun import LegRun
from cmaketool.verify.model import Verdict, VerifyRequest
from cmaketool.verify.progress import Quiet
from cmaketool.verify.setups import Setup
from cmaketool.verify.states import Chain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cmaketool.plan import Plan
    from cmaketool.verify.model import Until

__all__ = ["main"]

OPTIONS = {"ONE": "aes", "TWO": "sha2", "THREE": "pmull", "FOUR": "sha1"}
SOURCES_EACH = 4
BODIES = {
    "aes": ("uint8x16_t", "vaesmcq_u8(vaeseq_u8(a, a))", "aese"),
    "sha2": ("uint32x4_t", "vsha256su0q_u32(a, a)", "sha256su0"),
    "pmull": ("poly64x2_t", "vreinterpretq_p64_p128(vmull_high_p64(a, a))", "pmull2"),
    "sha1": ("uint32x4_t", "vsha1su1q_u32(a, a)", "sha1su1"),
}


def write_manifest(folder: Path) -> Path:
    """Write a manifest of four options, a kernel each of four sources, and the sources."""
    options, kernels = ["options:"], ["kernels:"]
    for option, feature in OPTIONS.items():
        name = option.lower()
        kind, expression, mnemonic = BODIES[feature]
        sources = [f"{name}_{number}.c" for number in range(SOURCES_EACH)]
        symbols = [f"toggle_{name}_{number}" for number in range(SOURCES_EACH)]
        options.append(f"  {option}: {{help: kernels on {feature}}}")
        kernels += [
            f"  {name}:",
            f"    {{option: {option}, architecture: arm64, features: [{feature}],",
            f"     sources: [{', '.join(sources)}],",
            f"     symbols: [{', '.join(symbols)}],",
            f"     mnemonics: {{{', '.join(f'{symbol}: [{mnemonic}]' for symbol in symbols)}}}}}",
        ]
        for source, symbol in zip(sources, symbols, strict=True):
            text = (
                '#include "toggle_kernels_config.h"\n'
                f"#if TOGGLE_BUILD_{option}\n#include <arm_neon.h>\nTOGGLE_TARGET_{option}\n"
                f"{kind} {symbol}({kind} a);\n{kind} {symbol}({kind} a) {{ return {expression}; }}\n"
                f"TOGGLE_TARGET_END\n#else\ntypedef int {symbol}_is_empty;\n#endif\n"
            )
            (folder / source).write_text(text, encoding="utf-8", newline="\n")
    manifest = folder / "kernels.yml"
    text = "\n".join(["schema: 1", "name: toggle", *options, *kernels, ""])
    manifest.write_text(text, encoding="utf-8", newline="\n")
    return manifest


def one_by_one(works: Sequence[Callable[[], object]]) -> None:
    """Do `works` on this thread."""
    for work in works:
        work()


def seconds(request: VerifyRequest, plan: Plan, leg_name: str, *, fresh: bool) -> dict[str, float]:
    """Verify on one leg, each state in a fresh tree or as verify does it; return each state's wall time."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text).resolve()
        leg = toolchains.find(toolchains.leg(leg_name), folder / "leg")
        tools = toolchains.tools()
        if isinstance(leg, toolchains.Missing) or isinstance(tools, toolchains.Missing):
            raise SystemExit(f"{leg_name} cannot run here")
        job = Job(request, plan, harness.generated(plan, folder / "harness"), Quiet())
        run = LegRun(job, leg, Setup(tools), folder / "leg", named=True)
        if fresh:
            states = [state for chain in run.chains for state in chain.states]
            run.chains = tuple(Chain(f"tree{number}", (state,)) for number, state in enumerate(states))
        for chain in run.chains:
            run.run_chain(chain, one_by_one)
        assert all(state.verdict is Verdict.PASS for state in run.report.states), run.findings
        return {state.name: state.seconds for state in run.report.states}


def show(what: str, toggled: list[float], fresh: list[float]) -> None:
    """Print medians and the median of the rounds' ratios."""
    ratios = [slow / fast for slow, fast in zip(fresh, toggled, strict=True)]
    both = f"{statistics.median(toggled):.2f} s, each in a fresh tree {statistics.median(fresh):.2f} s"
    print(f"  {what}: {both}, ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--leg", default="zig-aarch64-linux-musl")
    parser.add_argument("--until", default="sources", choices=["sources", "objects"])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    until: Until = arguments.until
    with tempfile.TemporaryDirectory() as text:
        manifest = write_manifest(Path(text))
        plan = plans.resolve(manifests.load(manifest), catalogue.load())
        request = VerifyRequest(manifest=manifest, until=until, jobs=1)
        toggled, fresh = [], []
        for _ in range(arguments.rounds):
            toggled.append(seconds(request, plan, arguments.leg, fresh=False))
            fresh.append(seconds(request, plan, arguments.leg, fresh=True))
    # What a toggle saves shows in the states that a tree is toggled to; the two fresh ones are the same work.
    changed = [name for name in toggled[0] if not name.startswith("fresh")]
    print(f"{arguments.leg}, until {until}, median of {arguments.rounds} rounds:")
    for what, names in ((f"{len(changed)} states by toggling", changed), ("the whole leg", list(toggled[0]))):
        sums = [[sum(one[name] for name in names) for one in way] for way in (toggled, fresh)]
        show(what, *sums)


if __name__ == "__main__":
    main()
