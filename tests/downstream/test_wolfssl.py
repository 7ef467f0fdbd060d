"""examples/wolfssl: wolfSSL itself, fetched and unedited, with our kernels under its names.

wolfSSL's own test is the check that everything is called as it must be. It is blind to wide loops, to
counters that wrap and to short tags, so a program of ours (tests/downstream/wolfssl) calls the public API
with and without the kernels, and both must say the same.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cmaketool import catalogue, manifest
from cmaketool.verify import objects
from tests.downstream import wolfssl_source
from tests.support import ROOT, cmake_or_skip, configure_command, leg_or_skip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cmaketool.toolchains import Leg

pytestmark = [pytest.mark.downstream, pytest.mark.wolfssl]
EXAMPLE = ROOT / "examples" / "wolfssl"
CONSUMER = ROOT / "tests" / "downstream" / "wolfssl"
GCC = "gcc-12-aarch64-linux-gnu"
CLANG = "clang-19-aarch64-linux-gnu"
ZIG = "zig-aarch64-linux-musl"
OPTION = "WOLFSSL_ARMASM_INTRINSICS"
OPTIONS = (OPTION, f"{OPTION}_SHA512", f"{OPTION}_SHA3")
FAST = "-O1"  # most of the time is compiling wolfSSL
FULL = "-O3"
WITHOUT = "--without-instructions"
PROCESSORS = ("max", "cortex-a72")


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


def _run(command: list[str]) -> str:
    done = subprocess.run(command, text=True, capture_output=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def _symbols() -> set[str]:
    model = manifest.load(EXAMPLE / "kernels.yml").model
    return {symbol for kernel in model.kernels.values() for symbol in kernel.symbols}


def _defined(build: Path) -> set[str]:
    """Return the functions that wolfSSL, built as a static library, defines."""
    folder = build / "objects of wolfSSL"
    folder.mkdir()
    _run(["ar", "x", "--output", str(folder), str(build / "wolfssl" / "libwolfssl.a")])
    read = (objects.read(item) for item in folder.iterdir())
    return {function.name for item in read for function in item.functions if not function.local}


class Builder:
    """Builds wolfSSL, or the project that brings it along, and programs beside it; each once in a module."""

    def __init__(self, folder: Path, sources: Path) -> None:
        self.sources = sources
        self._folder = folder
        self._begun = 0
        self._built: dict[tuple[str, ...], Path] = {}

    def leg(self, name: str) -> Leg:
        """Return a leg whose files are written once."""
        return leg_or_skip(name, self._folder / "legs" / name)

    def build(self, leg: str, source: Path, arguments: list[str], *targets: str) -> Path:
        """Build `targets` of the project at `source` and return the build folder."""
        key = (leg, str(source), *arguments, *targets)
        if key not in self._built:
            self._begun += 1  # one that failed leaves a folder of its own
            build = self._folder / f"build{self._begun}"
            command = configure_command(self.leg(leg), source, build)
            _run([*command, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", *arguments])
            _run([cmake_or_skip(), "--build", str(build), "--target", *targets])
            self._built[key] = build
        return self._built[key]

    def bundled(self, value: str, leg: str = GCC, level: str = FAST, flags: str = "") -> Path:
        """Build the project that lists wolfSSL's sources by hand, and all programs of ours."""
        arguments = [
            *(f"-D{option}={value}" for option in OPTIONS),
            f"-DCMAKE_C_FLAGS={flags}",
            f"-DCMAKE_C_FLAGS_RELEASE={level}",
            f"-DWOLFSSL_TREE={EXAMPLE / 'bundled'}",
            f"-DWOLFSSL_SOURCE_DIR={self.sources}",
        ]
        return self.build(leg, CONSUMER, arguments, "compare", "sizes", "speed")

    def own(
        self,
        value: str,
        configuration: Configuration,
        leg: str = GCC,
        level: str = FAST,
        include: Path = EXAMPLE / "attach.cmake",
    ) -> Path:
        """Build wolfSSL by its own CMake, its own test, and a program that links it."""
        arguments = [
            *(f"-D{option}={value}" for option in OPTIONS),
            f"-DCMAKE_C_FLAGS_RELEASE={level}",
            f"-DWOLFSSL_TREE={self.sources}",
            f"-DCMAKE_PROJECT_wolfssl_INCLUDE={include}",
            "-DWOLFSSL_CRYPT_TESTS=yes",
            "-DWOLFSSL_EXAMPLES=no",
            *configuration.arguments,
        ]
        return self.build(leg, CONSUMER, arguments, "wolfcrypttest", "sizes")

    def run(self, leg: str, program: Path, *arguments: str, processor: str | None = None) -> str:
        """Run a program by the leg's emulator."""
        return _run(self.leg(leg).invoke(program, arguments, processor=processor).words)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Return what builds for all tests here; where wolfSSL cannot be had, they are not run."""
    folder = tmp_path_factory.mktemp("wolfssl")
    try:
        return Builder(folder, wolfssl_source.provide(folder / "source"))
    except wolfssl_source.UnavailableError as reason:
        pytest.skip(f"NOT RUN: {reason}")


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return what prints a line that is seen whatever comes of the test."""

    def print_line(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end=" ")

    return print_line


# ---- the project that lists the sources by hand: quick to build, every mode


def test_without_the_option_nothing_is_there(builder: Builder) -> None:
    assert _defined(builder.bundled("OFF")) & _symbols() == set()
    assert _defined(builder.bundled("ON")) >= _symbols()


def test_consumers_see_the_structures_that_the_library_has(builder: Builder) -> None:
    for value, sizes in (("OFF", "ChaCha 68 Poly1305 96"), ("ON", "ChaCha 132 Poly1305 168")):
        assert builder.run(GCC, builder.bundled(value) / "sizes") == f"{sizes} SHA-256 ba7816bf\n"


def _compare(builder: Builder, leg: str, level: str, say: Callable[[str], None]) -> None:
    off, on = (builder.bundled(value, leg, level) / "compare" for value in ("OFF", "ON"))
    expected = builder.run(leg, off).splitlines()
    for what in ((), (WITHOUT,)):
        found = builder.run(leg, on, *what).splitlines()
        assert found == expected, [line for line in found if line not in expected]
    counts = [re.fullmatch(r".+: (\d+) cases [0-9a-f]{16}", line) for line in expected]
    cases = sum(int(match[1]) for match in counts if match is not None)
    say(f"{leg} {level}: {len(expected)} groups, {cases} cases, with and without instructions: no difference")
    assert cases > 14000


def test_public_api_says_the_same_off_and_on(builder: Builder, say: Callable[[str], None]) -> None:
    _compare(builder, GCC, FAST, say)


@pytest.mark.parametrize(
    "flags",
    [
        pytest.param("", id="plain[B44]"),
        pytest.param("-march=armv8-a+crypto", id="compiler allows them[B44]", marks=pytest.mark.nightly),
    ],
)
def test_cpu_without_the_instructions_runs_none_of_them(flags: str, builder: Builder) -> None:
    """Whatever the compiler may use: on a Raspberry Pi 4 each of them ends the program."""
    groups = ["cbc decrypt", "direct", "gcm with the key's IV", "sha256", "sha512", "sha3-256"]
    groups += ["xchacha20-poly1305"]
    features = [
        catalogue.load().feature("arm64", name) for name in ("aes", "pmull", "sha2", "sha512", "sha3")
    ]
    crypto = {mnemonic for feature in features for mnemonic in feature.mnemonics}
    found = [
        builder.leg(ZIG).invoke(program / "compare", groups, hwcap=0, forbid=forbid)
        for program, forbid in (
            (builder.bundled("OFF"), ()),
            (builder.bundled("ON", flags=flags), sorted(crypto)),
        )
    ]
    assert _run(found[0].words) == _run(found[1].words)


# ---- wolfSSL's own build and test


def _wolfcrypt(
    build: Path, builder: Builder, what: str, say: Callable[[str], None], *, tests: int, leg: str = GCC
) -> None:
    counts = {}
    for processor in PROCESSORS:
        said = builder.run(leg, build / "wolfssl/wolfcrypt/test/testwolfcrypt", processor=processor)
        counts[processor] = len(re.findall(r"passed!?$", said, re.MULTILINE))
    say(f"wolfCrypt, {what}: passed {counts}")
    assert set(counts.values()) == {tests}


@pytest.mark.parametrize("configuration", [DEFAULT, MODES], ids=lambda one: one.name)
def test_wolfcrypt_passes(configuration: Configuration, builder: Builder, say: Callable[[str], None]) -> None:
    build = builder.own("ON", configuration)
    _wolfcrypt(build, builder, f"{configuration.name}, on", say, tests=configuration.tests)
    assert builder.run(GCC, build / "sizes").startswith("ChaCha 132 Poly1305 168")


@pytest.mark.nightly
@pytest.mark.parametrize("leg", [GCC, CLANG])
@pytest.mark.parametrize("value", ["OFF", "ON"])
@pytest.mark.parametrize("configuration", [DEFAULT, MODES, WIDE], ids=lambda one: one.name)
def test_wolfcrypt_passes_everywhere(
    configuration: Configuration, value: str, leg: str, builder: Builder, say: Callable[[str], None]
) -> None:
    build = builder.own(value, configuration, leg)
    named = len(_defined(build) & _symbols())
    what = f"{configuration.name}, {value}, {leg}, {named} of the names"
    _wolfcrypt(build, builder, what, say, tests=configuration.tests, leg=leg)
    assert named == (len(_symbols()) if value == "ON" else 0)


@pytest.mark.nightly
@pytest.mark.parametrize("leg", [GCC, CLANG])
def test_wolfcrypt_passes_as_it_is_released(leg: str, builder: Builder, say: Callable[[str], None]) -> None:
    build = builder.own("ON", MODES, leg, FULL)
    _wolfcrypt(build, builder, f"modes, on, {leg} {FULL}", say, tests=MODES.tests, leg=leg)


@pytest.mark.nightly
def test_curves_are_refused(builder: Builder) -> None:
    with pytest.raises(AssertionError, match="Curve25519 and Ed25519 are wolfSSL's assembly"):
        builder.own("ON", Configuration("curves", 0, ("CURVE25519",)))


@pytest.mark.nightly
def test_wolfcrypt_passes_without_the_instructions(builder: Builder, say: Callable[[str], None]) -> None:
    build = builder.own("ON", WIDE, include=CONSUMER / "without.cmake")
    _wolfcrypt(build, builder, "wide, on, without instructions", say, tests=WIDE.tests)


@pytest.mark.nightly
@pytest.mark.parametrize(("leg", "level"), [(GCC, FULL), (CLANG, FULL), (CLANG, "-O0"), (ZIG, FULL)])
def test_public_api_says_the_same_everywhere(
    leg: str, level: str, builder: Builder, say: Callable[[str], None]
) -> None:
    _compare(builder, leg, level, say)


# ---- refusals


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-DWOLFSSL_KERNELS_POLICY=strict"], "it needs the compiler msvc; this is gcc"),
        (["-DWOLFSSL_ARM_ASM=yes"], "it excludes WOLFSSL_ARM_ASM, which is on"),
        (["-DWOLFSSL_KERNELS_POLICY=some"], "WOLFSSL_KERNELS_POLICY is 'some', it must be any or strict"),
    ],
    ids=["strict on gcc", "assembly", "unknown policy"],
)
def test_refused_at_configure(arguments: list[str], reason: str, builder: Builder, tmp_path: Path) -> None:
    command = configure_command(builder.leg(GCC), builder.sources, tmp_path / "build")
    command += [f"-DCMAKE_PROJECT_wolfssl_INCLUDE={EXAMPLE / 'attach.cmake'}", f"-D{OPTION}=ON", *arguments]
    done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode != 0
    assert reason in " ".join(done.stderr.split()), done.stderr


# ---- settings that leave parts of wolfSSL out


@pytest.mark.parametrize(
    "changes",
    [
        "#define NO_CHACHA_ASM",
        "#undef HAVE_CHACHA\n#undef HAVE_XCHACHA\n#undef HAVE_POLY1305",
        "#undef HAVE_AESGCM\n#undef WOLFSSL_AESGCM_STREAM\n#undef WOLFSSL_AES_XTS",
        "#undef WOLFSSL_SHA512\n#undef WOLFSSL_SHA384\n#define WC_SHA3_NO_ASM",
    ],
    ids=["ChaCha20 in C", "no ChaCha20", "no GCM and XTS", "no SHA-512"],
)
def test_compiles_without(changes: str, builder: Builder, tmp_path: Path) -> None:
    settings = EXAMPLE / "bundled" / "user_settings.h"
    (tmp_path / "user_settings.h").write_text(f'#include "{settings}"\n{changes}\n', encoding="utf-8")
    kernels = manifest.load(EXAMPLE / "kernels.yml").model.kernels
    definitions = [f"-DWOLFSSL_KERNEL_{name.upper()}=1" for name in kernels]
    definitions += ["-DBUILDING_WOLFSSL", "-DWOLFSSL_USER_SETTINGS", "-DWOLFSSL_ARMASM"]
    definitions += ["-DWOLFSSL_ARMASM_CRYPTO_SHA512", "-DWOLFSSL_ARMASM_CRYPTO_SHA3"]
    folders = (tmp_path, builder.sources, EXAMPLE, ROOT / "kernels" / "include")
    sources = [str(source) for source in sorted((EXAMPLE / "src").glob("*.c"))]
    flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused", "-Werror"]
    compiler = str(builder.leg(GCC).compiler)
    _run([compiler, *flags, *definitions, *(f"-I{folder}" for folder in folders), *sources])


# ---- Microsoft's compiler, as far as its stand-in has a C library


def test_cl_would_take_them_with_wolfssls_headers(builder: Builder, tmp_path: Path) -> None:
    """Windows' headers that the stand-in lacks are as small as what is used of them."""
    compiler = builder.leg("msvc-model-arm64").compiler
    kernels = manifest.load(EXAMPLE / "kernels_strict.yml").model.kernels
    definitions = [f"/DWOLFSSL_KERNEL_{name.upper()}=1" for name in kernels]
    definitions += [f"/D{name}" for name in ("BUILDING_WOLFSSL", "WOLFSSL_USER_SETTINGS", "WOLFSSL_ARMASM")]
    definitions += ["/DWOLFSSL_ARMASM_CRYPTO_SHA512"]
    folders = (
        CONSUMER / "windows",
        builder.sources,
        EXAMPLE / "bundled",
        EXAMPLE,
        ROOT / "kernels" / "include",
    )
    includes = [f"/I{folder}" for folder in folders]
    for source in sorted((EXAMPLE / "src").glob("*.c")):
        command = [
            str(compiler),
            "/nologo",
            "/W4",
            "/WX",
            "/O2",
            "/c",
            str(source),
            f"/Fo{tmp_path / 'o.obj'}",
        ]
        assert "warning" not in _run([*command, *includes, *definitions, "/D__aarch64__=1"])


# ---- verify on the projects' own trees


def _verify(project: Path, *defines: str) -> str:
    command = [sys.executable, "-m", "cmaketool.cli", "verify", str(EXAMPLE / "kernels.yml")]
    command += ["--project", str(project), "--target", "wolfssl", "--toolchain", GCC, "--require"]
    for define in (f"CMAKE_C_FLAGS_RELEASE={FAST}", *defines):
        command += ["-D", define]
    return _run(command)


def test_verify_of_the_bundled_project(builder: Builder) -> None:
    said = _verify(EXAMPLE / "bundled", f"WOLFSSL_SOURCE_DIR={builder.sources}")
    assert f"PASS: 9 kernels on {GCC}" in said


@pytest.mark.nightly
def test_verify_of_wolfssl_itself(builder: Builder) -> None:
    include = f"CMAKE_PROJECT_wolfssl_INCLUDE={EXAMPLE / 'attach.cmake'}"
    without = ("BUILD_SHARED_LIBS=OFF", "WOLFSSL_CRYPT_TESTS=no", "WOLFSSL_EXAMPLES=no")
    assert f"PASS: 9 kernels on {GCC}" in _verify(builder.sources, include, *without)


# ---- other ways to build it


@pytest.mark.nightly
def test_fetched_by_the_project(builder: Builder) -> None:
    arguments = [f"-D{OPTION}=ON", f"-DFETCHCONTENT_SOURCE_DIR_WOLFSSL={builder.sources}"]
    build = builder.build(GCC, EXAMPLE / "fetch", arguments, "sizes")
    assert builder.run(GCC, build / "sizes") == "ChaCha 132 Poly1305 168 SHA-256 ba7816bf\n"


@pytest.mark.nightly
def test_shared_library(builder: Builder, tmp_path: Path) -> None:
    leg = builder.leg(GCC)
    command = configure_command(leg, builder.sources, tmp_path)
    command += [f"-DCMAKE_PROJECT_wolfssl_INCLUDE={EXAMPLE / 'attach.cmake'}", f"-D{OPTION}=ON"]
    _run([*command, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_EXE_LINKER_FLAGS="])
    _run([cmake_or_skip(), "--build", str(tmp_path), "--target", "wolfcrypttest"])
    program = tmp_path / "wolfcrypt/test/testwolfcrypt"
    root = ["-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={tmp_path}"]
    said = _run(["qemu-aarch64", "-cpu", "max", *root, str(program)])
    assert len(re.findall(r"passed!?$", said, re.MULTILINE)) == DEFAULT.tests


# ---- what it is good for


def _instructions(builder: Builder, program: Path, algorithm: str) -> float:
    """Count executed instructions per byte over messages of 16 KiB."""
    counts = []
    for messages in ("1", "3"):
        command = builder.leg(ZIG).invoke(program, [algorithm, messages]).words
        command.insert(len(command) - 3, "--count")
        done = subprocess.run(command, text=True, capture_output=True, timeout=300, check=True)
        match = re.search(r"instructions: (\d+)", done.stdout + done.stderr)
        assert match is not None
        counts.append(int(match[1]))
    return (counts[1] - counts[0]) / 2 / 16384


# Against wolfSSL's own C, at its own level of optimisation.
GAINS = {
    "gcm-encrypt": 20,
    "gcm-decrypt": 20,
    "gcm-pieces": 20,
    "ctr": 20,
    "ecb-encrypt": 20,
    "cbc-encrypt": 20,
    "cbc-decrypt": 20,
    "xts-encrypt": 20,
    "sha256": 15,
    "sha512": 4,
    "sha3-256": 1.8,
    "chacha20": 1.5,
    "poly1305": 1.5,
}


@pytest.mark.nightly
def test_instructions_per_byte_through_the_public_api(builder: Builder, say: Callable[[str], None]) -> None:
    off, on = (builder.bundled(value, level=FULL) / "speed" for value in ("OFF", "ON"))
    slow = {}
    for algorithm in builder.run(GCC, on).split():
        before, after = (_instructions(builder, program, algorithm) for program in (off, on))
        say(f"{algorithm}: {before:.3f} instructions per byte off, {after:.3f} on")
        if before / after < GAINS.get(algorithm, 0.5):
            slow[algorithm] = (before, after)
    assert slow == {}
