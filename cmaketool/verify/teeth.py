"""Teeth: a kernel broken on purpose must make a named check print a wrong value.

The mutant is compiled by the command that compiled the kernel, from a copy of the files that it was made of,
and linked by the test's own link command; nothing else is built again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cmaketool.verify import commandlines, tap
from cmaketool.verify.commandlines import Command
from cmaketool.verify.compilecommands import Commands
from cmaketool.verify.model import Verdict
from cmaketool.verify.steps import line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from cmaketool.plan import Plan, PlannedTooth
    from cmaketool.verify.buildtools import BuildTool
    from cmaketool.verify.judge import Judge
    from cmaketool.verify.model import Finding
    from cmaketool.verify.steps import Steps
    from cmaketool.verify.testprograms import Answers
    from cmaketool.verify.tree import Snapshot
    from cmaketool.verify.units import Unit

__all__ = ["Bite", "Jaw", "ready"]

COMPILE_LIMIT = 300.0  # seconds
RUN_LIMIT = 120.0


@dataclass(frozen=True, slots=True)
class Bite:
    """What became of a tooth; `reason` names it."""

    verdict: Verdict
    reason: str
    detail: str = ""
    command: str = ""


def ready(
    judge: Judge, teeth: Sequence[PlannedTooth], built: Iterable[Unit], findings: Iterable[Finding]
) -> tuple[tuple[PlannedTooth, Unit], ...]:
    """Return the teeth that can be tried in a state, each with the unit that it breaks.

    `built` are the kernels that are built there, `findings` all that was found. What keeps a tooth from being
    tried, and a kernel without one, is noted with `judge`.
    """
    broken = {finding.kernel for finding in findings if _is_bad(finding)}
    by_name = {unit.name: unit for unit in built}
    with_teeth = dict.fromkeys(tooth.kernel for tooth in teeth)
    for name in by_name:
        if name not in with_teeth:
            judge.say(name, "teeth", Verdict.NOT_SHOWN, "the manifest has no tooth for it")
    for name in with_teeth:
        if name in broken:
            judge.say(name, "teeth", Verdict.NOT_RUN, f"{name} did not pass without them")
    whole = by_name.keys() - broken
    return tuple((tooth, by_name[tooth.kernel]) for tooth in teeth if tooth.kernel in whole)


def _is_bad(finding: Finding) -> bool:
    """Say whether it keeps a kernel from being broken on purpose: that needs it right, not selected."""
    unshown = finding.verdict is Verdict.NOT_RUN and finding.rung != "selected"
    return unshown or finding.verdict is Verdict.FAIL


class _Invalid(Exception):  # noqa: N818  it is an answer
    """The mutant proves nothing, for this reason."""

    def __init__(self, reason: str, detail: str = "", command: str = "") -> None:
        super().__init__(reason)
        self.detail, self.command = detail, command


class Jaw:
    """Tries teeth against one built tree. Safe to use from several threads: the tree is only read."""

    def __init__(
        self,
        plan: Plan,
        snapshot: Snapshot,
        answers: Answers,
        build_tool: BuildTool,
        *,
        steps: Steps,
        folder: Path,
    ) -> None:
        self._plan, self._build_tool = plan, build_tool
        self._commands = Commands(snapshot.folder, steps)
        self._snapshot, self._answers, self._steps, self._folder = snapshot, answers, steps, folder

    def bite(self, tooth: PlannedTooth, unit: Unit) -> Bite:
        """Build and run the mutant of `tooth`. Raises what process.run does."""
        try:
            return self._bite(tooth, unit)
        except _Invalid as invalid:
            reason = f"tooth invalid: {tooth.name}: {invalid}"
            return Bite(Verdict.FAIL, reason, invalid.detail, invalid.command)

    def _bite(self, tooth: PlannedTooth, unit: Unit) -> Bite:
        folder = self._folder / tooth.name
        variant = self._sound(tooth, unit)
        mutants = self._mutants(tooth, unit, folder)
        program = self._link(tooth, mutants, folder)
        call = self._answers.call(program, variant)
        result = self._steps.run(
            f"tooth {tooth.name}: run", call.words, timeout=RUN_LIMIT, environment=call.environment
        )
        shown, again = _tail(result.output + result.errors), call.line
        if result.timed_out:
            raise _Invalid(f"the test did not end within {RUN_LIMIT:.0f} s", shown, again)
        if result.returncode not in {0, 1}:
            raise _Invalid(f"the test ended with {result.returncode}, not with a wrong value", shown, again)
        named = [
            check
            for check in tap.parse(result.output).checks
            if _named(check, tooth) and check.variant == variant
        ]
        if not named:
            raise _Invalid(f"the test printed no check {tooth.check}", shown, again)
        checks = [check for check in named if not check.ok]
        if result.returncode == 0 or not checks:
            reason = f"tooth did not bite: {tooth.name}: check {tooth.check} still passes"
            return Bite(Verdict.FAIL, reason, shown, again)
        if not any(check.got and check.want and check.got != check.want for check in checks):
            raise _Invalid("the failed check shows no wrong value", shown, again)
        return Bite(Verdict.PASS, f"{tooth.name} bit")

    def _sound(self, tooth: PlannedTooth, unit: Unit) -> str:
        """Return the variant to test, once the check passes for it without the tooth."""
        target = self._snapshot.tests.get(tooth.test)
        if target is None or not target.artifacts:
            raise _Invalid(f"there is no program for the test {tooth.test}")
        for variant in unit.tried_as:
            libraries = self._snapshot.libraries
            answer = self._answers.run(tooth.test, target.artifacts[0], variant, libraries=libraries)
            checks = [check for check in answer.tap.checks if _named(check, tooth)]
            if checks and all(check.ok and check.variant == variant for check in checks):
                return variant
        raise _Invalid(f"the test {tooth.test} does not pass a check {tooth.check} without the tooth")

    def _mutants(self, tooth: PlannedTooth, unit: Unit, folder: Path) -> dict[Path, Path]:
        """Compile the kernel's sources that are made of the tooth's file; return object -> mutant object."""
        root = self._plan.root
        file = (root / tooth.file).resolve()
        text = file.read_text(encoding="utf-8")
        if text.count(tooth.search) != 1:
            raise _Invalid(f"its text stands {text.count(tooth.search)} times in {tooth.file}, not once")
        if not file.is_relative_to(root):
            raise _Invalid(f"{tooth.file} is a link that leads out of the manifest's root")
        found: dict[Path, Path] = {}
        for source in unit.sources:
            original = self._snapshot.objects[source]
            parts = self._commands.parts(original)
            if not parts:
                raise _Invalid(f"it cannot be told what {source.name} is made of: preprocessing failed")
            if file not in parts:
                continue
            copy = folder / source.stem
            for part in parts:
                if part.is_relative_to(root):
                    place = copy / part.relative_to(root)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(part.read_bytes())
            mutated = copy / file.relative_to(root)
            mutated.write_text(text.replace(tooth.search, tooth.replace), encoding="utf-8", newline="\n")
            mutant = folder / f"{source.stem}{original.suffix}"
            command = self._compile_command(original, copy, mutant)
            found[original] = self._make(tooth, "compile", command, mutant)
        if not found:
            raise _Invalid(f"no source of {unit.name} includes {tooth.file}")
        return found

    def _make(self, tooth: PlannedTooth, verb: str, command: Command, product: Path) -> Path:
        """Run the `command` that compiles or links `product`."""
        words, folder = command
        result = self._steps.run(f"tooth {tooth.name}: {verb}", words, timeout=COMPILE_LIMIT, cwd=folder)
        if result.timed_out or result.returncode != 0 or not product.is_file():
            said = _tail(result.errors or result.output)
            raise _Invalid(f"it does not {verb}", said, line(words, cwd=folder))
        return product

    def _compile_command(self, original: Path, copy: Path, mutant: Path) -> Command:
        """Return the command that made `original`, changed to make `mutant` of the files under `copy`."""
        words, folder = self._commands.of(original)
        root = re.compile(re.escape(str(self._plan.root)) + r"(?=/|$)")
        changed = [root.sub(lambda _: str(copy), word) for word in words]
        return Command(commandlines.without_errors(commandlines.redirected(changed, mutant)), folder)

    def _link(self, tooth: PlannedTooth, mutants: dict[Path, Path], folder: Path) -> Path:
        """Link the tooth's test with the mutants before the library that holds the originals."""
        original = self._snapshot.tests[tooth.test].artifacts[0]
        program, link = folder / original.name, self._build_tool.link_command(original)
        try:
            words = commandlines.linking(link, program, mutants)
        except ValueError:
            raise _Invalid(f"there is no link command for {original.name}") from None
        return self._make(tooth, "link", Command(words, link.folder), program)


def _named(check: tap.Check, tooth: PlannedTooth) -> bool:
    """Say whether it is what the tooth names: one check, with its variant or without, or all of a family."""
    family = check.algorithm.partition("/")[0]
    return tooth.check in {family, check.algorithm, f"{check.algorithm} {check.variant}"}


def _tail(text: str) -> str:
    lines = [text for text in text.splitlines() if text.strip()]
    failed = [at for at, text in enumerate(lines) if text.startswith("not ok")]
    if failed:
        return "\n".join(lines[failed[0] : failed[0] + 3])
    return "\n".join(lines[-8:])
