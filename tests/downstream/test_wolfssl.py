"""examples/wolfssl: wolfSSL itself, fetched and unedited, with our kernels under its names.

wolfSSL's own test is the check that everything is called as it must be. It is blind to wide loops, to counters that
wrap and to short tags, so a program of ours (tests/downstream/wolfssl) calls the public API with and without the
kernels, and both must say the same.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cmaketool import manifest
from cmaketool.verify import objects
from tests.downstream import wolfssl_source
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cmaketool.toolchains import Leg

pytestmark = pytest.mark.downstream
EXAMPLE = ROOT / "examples" / "wolfssl"
CONSUMER = ROOT / "tests" / "downstream" / "wolfssl"
GCC = "gcc-12-aarch64-linux-gnu"
OPTION = "WOLFSSL_ARMASM_INTRINSICS"
FAST = "-O1"  # of wolfSSL, most of the time is compiling it
FULL = "-O3"
WITHOUT = "--without-instructions"


@dataclass(frozen=True)
class Configuration:
    """What of wolfSSL is built: its options, macros that have none, and how many tests it then has."""

    name: str
    tests: int
    options: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """CMake's arguments."""
        macros = " ".join(f"-D{macro}" for macro in self.macros)
        return [*(f"-DWOLFSSL_{option}=yes" for option in self.options), f"-DCMAKE_C_FLAGS={macros}"]


DEFAULT = Configuration("default", 44)
MODES = Configuration(
    "modes",
    46,
    ("AESCTR", "AESECB"),
    ("WOLFSSL_AESGCM_STREAM", "WOLFSSL_AES_XTS", "WOLFSSL_AES_DIRECT"),
)
WIDE = Configuration(
    "wide",
    59,
    (*MODES.options, "AESCCM", "AESCFB", "AESOFB", "AESCTS", "AESSIV", "CMAC", "AESKEYWRAP", "LMS"),
    (*MODES.macros, "HAVE_XCHACHA", "WOLFSSL_AES_EAX", "WC_SRTP_KDF"),
)


def _shared(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all workers of one run share."""
    base = factory.getbasetemp()
    return base.parent if base.name.startswith("popen-") else base


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return wolfSSL's sources; where they cannot be fetched, its tests are not run."""
    try:
        return wolfssl_source.provide(_shared(tmp_path_factory) / "wolfssl_source")
    except wolfssl_source.Unavailable as reason:
        pytest.skip(f"NOT RUN: {reason}")


def _run(command: list[str]) -> str:
    done = subprocess.run(command, text=True, capture_output=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def _symbols() -> set[str]:
    model = manifest.load(EXAMPLE / "kernels.yml").model
    return {symbol for kernel in model.kernels.values() for symbol in kernel.symbols}


def _defined(archive: Path, folder: Path) -> set[str]:
    """Return the functions that a static library defines."""
    folder.mkdir()
    _run(["ar", "x", "--output", str(folder), str(archive)])
    read = (objects.read(item) for item in folder.iterdir())
    return {function.name for item in read for function in item.functions if not function.local}


class Builder:
    """Builds wolfSSL, or the project that brings it along, and programs beside it; each once in a module."""

    def __init__(self, folder: Path, sources: Path) -> None:
        self._folder, self._sources = folder, sources
        self._built: dict[tuple[str, ...], Path] = {}

    def leg(self, name: str) -> Leg:
        """Return a leg whose files are written once."""
        return leg_or_skip(name, self._folder / "legs" / name)

    def build(self, leg: str, tree: Path, value: str, level: str, *arguments: str, targets: tuple[str, ...]) -> Path:
        """Build `targets` with the option at `value` and return the build folder."""
        key = (leg, str(tree), value, level, *arguments, *targets)
        if key not in self._built:
            build = self._folder / f"build{len(self._built)}"
            command = configure_command(self.leg(leg), CONSUMER, build)
            command += [
                "-DCMAKE_BUILD_TYPE=Release",
                f"-DCMAKE_C_FLAGS_RELEASE={level}",
                f"-DWOLFSSL_TREE={tree}",
                f"-DWOLFSSL_SOURCE_DIR={self._sources}",
                f"-DCMAKE_PROJECT_wolfssl_INCLUDE={EXAMPLE / 'attach.cmake'}",
                f"-D{OPTION}={value}",
                "-DBUILD_SHARED_LIBS=OFF",
                "-DWOLFSSL_CRYPT_TESTS=yes",
                "-DWOLFSSL_EXAMPLES=no",
                *arguments,
            ]
            _run(command)
            _run([cmake_or_skip(), "--build", str(build), "--target", *targets])
            self._built[key] = build
        return self._built[key]

    def bundled(self, value: str, leg: str = GCC, level: str = FAST) -> Path:
        """Build the project that lists wolfSSL's sources by hand, and all programs of ours."""
        tree = EXAMPLE / "bundled"
        return self.build(leg, tree, value, level, targets=("compare", "sizes", "speed"))

    def own(self, value: str, configuration: Configuration, leg: str = GCC, level: str = FAST) -> Path:
        """Build wolfSSL by its own CMake, and its own test."""
        targets = ("wolfcrypttest", "sizes")
        return self.build(leg, self._sources, value, level, *configuration.arguments, targets=targets)

    def run(self, leg: str, program: Path, *arguments: str, processor: str | None = None) -> str:
        """Run a program by the leg's emulator."""
        call = self.leg(leg).invoke(program, arguments, processor=processor)
        return _run(call.words)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory, sources: Path) -> Builder:
    """Return what builds for all tests here."""
    return Builder(tmp_path_factory.mktemp("wolfssl"), sources)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return what prints a line that is seen whatever comes of the test."""

    def print_line(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end=" ")

    return print_line


# ---- what the project that lists the sources by hand shows: quick to build, every mode


def test_without_the_option_nothing_is_there(builder: Builder, tmp_path: Path) -> None:
    off, on = (builder.bundled(value) / "wolfssl" / "libwolfssl.a" for value in ("OFF", "ON"))
    symbols = _symbols()
    assert _defined(off, tmp_path / "off") & symbols == set()
    assert _defined(on, tmp_path / "on") >= symbols


def test_consumers_see_the_structures_that_the_library_has(builder: Builder) -> None:
    for value, sizes in (("OFF", "ChaCha 68 Poly1305 96"), ("ON", "ChaCha 132 Poly1305 168")):
        said = builder.run(GCC, builder.bundled(value) / "sizes")
        assert said == f"{sizes} SHA-256 ba7816bf\n"


def _compare(builder: Builder, leg: str, level: str, say: Callable[[str], None]) -> None:
    off, on = (builder.bundled(value, leg, level) / "compare" for value in ("OFF", "ON"))
    expected = builder.run(leg, off).splitlines()
    for what in ((), (WITHOUT,)):
        found = builder.run(leg, on, *what).splitlines()
        different = [line for line in found if line not in expected]
        assert found == expected, different
    cases = sum(int(re.fullmatch(r".+: (\d+) cases [0-9a-f]{16}", line)[1]) for line in expected)  # type: ignore[index]
    say(f"{leg} {level}: {len(expected)} groups, {cases} cases, with kernels, without instructions: no difference")
    assert cases > 10000


def test_public_api_says_the_same_off_and_on(builder: Builder, say: Callable[[str], None]) -> None:
    _compare(builder, GCC, FAST, say)


# ---- wolfSSL's own build and test


def _wolfcrypt(
    builder: Builder,
    configuration: Configuration,
    value: str,
    say: Callable[[str], None],
    leg: str = GCC,
    level: str = FAST,
) -> None:
    build = builder.own(value, configuration, leg, level)
    counts = {}
    for processor in ("max", "cortex-a72"):
        said = builder.run(leg, build / "wolfssl/wolfcrypt/test/testwolfcrypt", processor=processor)
        counts[processor] = len(re.findall(r"passed!?$", said, re.MULTILINE))
    say(f"wolfCrypt {configuration.name} {value} {leg} {level}: passed {counts}")
    assert set(counts.values()) == {configuration.tests}
    sizes = "ChaCha 132 Poly1305 168" if value == "ON" else "ChaCha 68 Poly1305 96"
    assert builder.run(leg, build / "sizes").startswith(sizes)


@pytest.mark.parametrize("configuration", [DEFAULT, MODES], ids=lambda one: one.name)
def test_wolfcrypt_passes(
    configuration: Configuration, builder: Builder, say: Callable[[str], None]
) -> None:
    _wolfcrypt(builder, configuration, "ON", say)


# ---- refusals


@pytest.mark.parametrize(
    ("arguments", "reasons"),
    [
        (
            ["-DWOLFSSL_KERNELS_POLICY=strict"],
            [f"{OPTION}=ON", "it needs the compiler msvc; this is gcc"],
        ),
        (["-DWOLFSSL_ARM_ASM=yes"], [f"{OPTION}=ON", "it excludes WOLFSSL_ARM_ASM, which is on"]),
        (["-DWOLFSSL_ARMASM_INLINE=yes"], [f"{OPTION}=ON", "it excludes WOLFSSL_ARMASM_INLINE, which is on"]),
        (["-DWOLFSSL_KERNELS_POLICY=some"], ["WOLFSSL_KERNELS_POLICY is 'some'", "any or strict"]),
    ],
    ids=["strict on gcc", "assembly", "inline assembly", "unknown policy"],
)
def test_refused_at_configure(
    arguments: list[str], reasons: list[str], sources: Path, tmp_path: Path
) -> None:
    leg = leg_or_skip(GCC, tmp_path / "leg")
    command = configure_command(leg, sources, tmp_path / "build")
    command += [f"-DCMAKE_PROJECT_wolfssl_INCLUDE={EXAMPLE / 'attach.cmake'}", f"-D{OPTION}=ON", *arguments]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode != 0
    said = " ".join(done.stderr.split())
    for reason in reasons:
        assert reason in said, said
