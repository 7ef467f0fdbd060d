"""The bundled kernels, built by the project's CMakeLists.txt for each leg, against independent answers."""

from __future__ import annotations

import functools
import random
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cmaketool.verify import tap
from tests.build import vectors, vectors_chacha, vectors_hashes, vectors_modes
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip

if TYPE_CHECKING:
    from collections.abc import Callable

    from cmaketool import toolchains

pytestmark = pytest.mark.build

ARM64_LEGS = ["zig-aarch64-linux-musl", "gcc-12-aarch64-linux-gnu", "clang-19-aarch64-linux-gnu"]
PORTABLE_LEGS = [*ARM64_LEGS, "native"]


@dataclass
class Built:
    """The programs of one leg."""

    leg: toolchains.Leg
    folder: Path

    def run(self, program: str, *arguments: str, stdin: str = "") -> tap.TapResult:
        """Run `program` under the leg's emulator and parse what it says."""
        command = self.leg.invoke(self.folder / program, arguments).words
        done = subprocess.run(command, input=stdin, text=True, capture_output=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return tap.parse(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Built]:
    """Return a function that builds the whole project for a leg, once."""
    made: dict[str, Built] = {}

    def build(name: str) -> Built:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            leg = leg_or_skip(name, folder / "leg")
            cmake = cmake_or_skip()
            flags = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wundef -Werror"
            configure = configure_command(leg, ROOT, folder / "build")
            configure += ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS_INIT={flags}"]
            for command in (configure, [cmake, "--build", str(folder / "build")]):
                done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
                assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
            made[name] = Built(leg, folder / "build")
        return made[name]

    return build


LINES: dict[str, Callable[[], list[str]]] = {
    "cavp": vectors.cavp,
    "lengths": lambda: vectors.random_lengths(1),
    "splits": lambda: vectors.boundary_splits(2),
    "B66": vectors.counter_wraps,
    "modes-cavp": vectors_modes.cavp,
    "modes-lengths": lambda: vectors_modes.random_lengths(3),
    "gcm-B72": vectors_modes.gcm_additional_data,
    "gcm-wraps-B66": vectors_modes.gcm_wraps,
    "chacha-published": vectors_chacha.published,
    "chacha-lengths": lambda: vectors_chacha.random_lengths(3),
    "chacha-splits": lambda: vectors_chacha.boundary_splits(4),
    "B69": vectors_chacha.counter_wraps,
    "chacha-B72": lambda: vectors_chacha.additional_data(5),
    "sha2-cavp": vectors_hashes.sha2_cavp,
    "sha2-lengths": lambda: vectors_hashes.lengths(vectors_hashes.SHA2, 4),
    "sha3-cavp": vectors_hashes.sha3_cavp,
    "sha3-lengths": lambda: vectors_hashes.lengths((*vectors_hashes.SHA3, *vectors_hashes.SHAKE), 5),
    "shake-B75": vectors_hashes.shake_splits,
}


@functools.cache
def lines_of(kind: str) -> list[str]:
    return LINES[kind]()


def checked(program: Built, variant: str, lines: list[str]) -> tap.TapResult:
    """Run `lines` by one variant: every one of them must be counted, and right."""
    result = program.run("cmk_vectors", "--variant", variant, stdin="\n".join(lines) + "\n")
    assert tap.evaluate(result, variant) == []
    assert all(check.ok for check in result.checks)
    assert sum(check.vectors for check in result.checks) == len(lines)
    return result


@pytest.mark.parametrize(
    ("leg", "variant"),
    [(leg, "arm64") for leg in ARM64_LEGS]
    + [(leg, variant) for leg in PORTABLE_LEGS for variant in ("dispatch", "portable")],
)
@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind) for kind in LINES])
def test_answers(
    built: Callable[[str], Built],
    leg: str,
    variant: str,
    kind: str,
    record_property: Callable[[str, object], None],
) -> None:
    for check in checked(built(leg), variant, lines_of(kind)).checks:
        record_property("vectors", f"{leg} {variant} {kind} {check.algorithm}: {check.vectors}")


# A message of an algorithm, in one place of memory: its splits are whatever comes after the first numbers.
@st.composite
def messages(draw: st.DrawFn) -> list[str]:
    source = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311  not for keys
    algorithm = draw(st.sampled_from(["cbc", "gcm", "xts"]))
    edge, step = draw(st.integers(0, 40)), draw(st.integers(-1, 15))
    length = max(16 * edge + step, 0)
    offset = draw(st.integers(0, 15))
    place = draw(st.sampled_from([f"@{offset}", f"@{offset},{15 - offset}"]))
    splits = draw(st.lists(st.integers(0, 300), max_size=4))
    if algorithm == "xts":
        lines = vectors_modes.xts(
            source.randbytes(draw(st.sampled_from([32, 64]))),
            source.randbytes(16),
            source.randbytes(length + 16),
        )
        return [f"{line} {place}" for line in lines]
    key = source.randbytes(draw(st.sampled_from([16, 24, 32])))
    if algorithm == "cbc":
        whole = vectors.cut(16 * edge, [split - split % 16 for split in splits])
        lines = vectors_modes.cbc(key, source.randbytes(16), source.randbytes(16 * edge), whole)
    else:
        aad = source.randbytes(draw(st.integers(0, 150)))
        lines = vectors_modes.gcm(
            key,
            source.randbytes(draw(st.integers(8, 70))),
            aad,
            source.randbytes(length),
            tag_length=draw(st.integers(4, 16)),
            splits=vectors.cut(length + len(aad), splits),
        )
    return [f"{line} {place}" for line in lines]


@pytest.mark.parametrize(
    ("leg", "variant"),
    [
        ("gcc-12-aarch64-linux-gnu", "arm64"),
        ("gcc-12-aarch64-linux-gnu", "dispatch"),  # which has arm64_eor3 for GCM
        ("clang-19-aarch64-linux-gnu", "arm64"),
        ("native", "portable"),
    ],
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(many=st.lists(messages(), min_size=1, max_size=60))
def test_any_message_anywhere(
    built: Callable[[str], Built], leg: str, variant: str, many: list[list[str]]
) -> None:
    checked(built(leg), variant, [line for lines in many for line in lines])


@pytest.mark.parametrize("size", [16, 24, 32])
@pytest.mark.parametrize(("leg", "variant"), [("gcc-12-aarch64-linux-gnu", "arm64"), ("native", "portable")])
def test_a_hundred_thousand_blocks(built: Callable[[str], Built], leg: str, variant: str, size: int) -> None:
    checked(built(leg), variant, vectors.random_blocks(size, 100_000))


@pytest.mark.parametrize("leg", [pytest.param(leg, id=f"{leg}[B76]") for leg in ARM64_LEGS])
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(lines=st.lists(vectors_chacha.any_line(), min_size=15, max_size=40))
def test_any_chacha_message(built: Callable[[str], Built], leg: str, lines: list[str]) -> None:
    """Any length, split, alignment, in place or not, right or forged: the kernels, and plain C here."""
    for one, variant in ((leg, "arm64"), ("native", "portable")):
        checked(built(one), variant, lines)


def test_a_wrong_answer_is_noticed(built: Callable[[str], Built]) -> None:
    program = built("zig-aarch64-linux-musl")
    line = vectors.cavp()[0]
    wrong = line[:-1] + ("0" if line[-1] != "0" else "1")
    command = program.leg.invoke(program.folder / "cmk_vectors", ["--variant", "arm64"]).words
    done = subprocess.run(
        command, input=wrong + "\n", text=True, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    (check,) = tap.parse(done.stdout).checks
    assert not check.ok
    assert check.got != check.want


def test_the_projects_own_tests(built: Callable[[str], Built]) -> None:
    ctest = Path(cmake_or_skip()).with_name("ctest")
    command = [str(ctest), "--test-dir", str(built("native").folder), "--output-on-failure"]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("info", "known_answers_dispatch", "known_answers_portable"):
        assert re.search(rf" {name} \.+ +Passed", done.stdout), done.stdout
