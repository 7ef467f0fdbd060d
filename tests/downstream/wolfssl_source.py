"""wolfSSL's sources for tests: fetched by the machine's own apt when a test runs, never part of this project.

`python tests/downstream/wolfssl_source.py FOLDER` unpacks them into FOLDER and prints where they are; where
they cannot be had, it says why and exits with 3.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

__all__ = ["VARIABLE", "UnavailableError", "provide"]

VARIABLE = "WOLFSSL_SOURCE_DIR"  # in the environment: sources that are here already
OLDEST = (5, 9)  # before, WOLFSSL_ARMASM calls other names
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class UnavailableError(Exception):
    """Why there are no sources of wolfSSL here."""


@dataclass(frozen=True)
class _Archive:
    """A source package of Debian's, and which folder of its archive is wolfSSL's."""

    package: str
    version: str
    suite: str
    file: str
    sha256: str
    prefix: str


# wolfSSL is a part of the second. Suites drop versions in time; both are pinned: a later one needs an entry.
_ARCHIVES = (
    _Archive(
        "wolfssl",
        "5.9.2-1.2",
        "sid",
        "wolfssl_5.9.2.orig.tar.gz",
        "2f4ef3d4fd387a9b3191d36a6316d69116c46ff69bb9583b6c82b36d7b8ca114",
        r"[^/]+/",
    ),
    _Archive(
        "mariadb",
        "1:10.11.18-0+deb12u1",
        "bookworm",
        "mariadb_10.11.18.orig.tar.gz",
        "a46852c68075be7c31c7b33fee233c5b5a00c8c28117f5204d124e4f2fd56fa8",
        r"[^/]+/extra/wolfssl/wolfssl/",
    ),
)


def provide(folder: Path) -> Path:
    """Return where wolfSSL's sources are: those the environment names, else what `folder` gets and keeps.

    Raises UnavailableError.
    """
    given = os.environ.get(VARIABLE)
    if given:
        return _checked(Path(given))
    tree = folder / "wolfssl"
    if not tree.exists():
        _fetch_any(folder, tree)
    return _checked(tree)


def _checked(tree: Path) -> Path:
    header = tree / "wolfssl" / "version.h"
    text = header.read_text(encoding="utf-8") if header.is_file() else ""
    match = re.search(r'LIBWOLFSSL_VERSION_STRING "(\d+)\.(\d+)', text)
    if match is None:
        raise UnavailableError(f"{tree} holds no sources of wolfSSL: there is no {header}")
    if (int(match[1]), int(match[2])) < OLDEST:
        raise UnavailableError(f"{tree} is wolfSSL {match[1]}.{match[2]}; 5.9 or newer is needed")
    return tree.resolve()


def _fetch_any(folder: Path, tree: Path) -> None:
    mirror = _mirror()
    failures = [_fetch(archive, mirror, folder, tree) for archive in _ARCHIVES if not tree.exists()]
    if not tree.exists():
        reasons = "\n".join(failures)
        raise UnavailableError(
            f"no source of wolfSSL can be fetched; {VARIABLE} names one by hand\n{reasons}"
        )


def _fetch(archive: _Archive, mirror: str, folder: Path, tree: Path) -> str:
    """Make `tree` from an archive, or return why not."""
    try:
        _unpack(archive, _download(archive, mirror, folder / archive.suite), tree)
    except UnavailableError as why:
        return f"{archive.package}={archive.version} ({archive.suite}): {why}"
    return ""


def _apt(arguments: list[str], folder: Path | None = None) -> str:
    try:
        done = subprocess.run(
            ["apt-get", *arguments], cwd=folder, text=True, capture_output=True, timeout=300, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"apt-get: {error}") from None
    if done.returncode != 0:
        faults = [line for line in done.stderr.splitlines() if line.startswith("E:")]
        raise UnavailableError("; ".join(faults[:2]) or f"apt-get ended with {done.returncode}")
    return done.stdout


def _mirror() -> str:
    """Return the repository of Debian's that this machine uses."""
    wanted = ["Origin: Debian", "Component: main", "Created-By: Packages"]
    for line in _apt(["indextargets", "--format", "$(RELEASE) $(REPO_URI)", *wanted]).splitlines():
        release, _, address = line.partition(" ")
        if "-" not in release:  # not the ones for updates
            return address
    raise UnavailableError(f"apt knows no repository of Debian's (apt-get update?); {VARIABLE} names sources")


def _download(archive: _Archive, mirror: str, folder: Path) -> Path:
    """Let apt, with lists and a cache of its own, download an archive."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    signed = f"[signed-by={KEYRING}] " if KEYRING.exists() else ""
    sources = folder / "sources.list"
    sources.write_text(f"deb-src {signed}{mirror} {archive.suite} main\n", encoding="utf-8")
    options = {
        "Dir::Etc::sourcelist": str(sources),
        "Dir::Etc::sourceparts": "-",
        "Dir::State::Lists": str(folder / "lists"),
        "Dir::Cache": str(folder / "cache"),
        "APT::Sandbox::User": "root",
    }
    common = [f"-o{name}={value}" for name, value in options.items()]
    _apt([*common, "update", "--error-on=any"])
    _apt([*common, "--tar-only", "--download-only", "source", f"{archive.package}={archive.version}"], folder)
    file = folder / archive.file
    if not file.is_file():
        raise UnavailableError(f"apt-get source left no {archive.file}")
    if hashlib.sha256(file.read_bytes()).hexdigest() != archive.sha256:
        raise UnavailableError(f"{archive.file} is not what it was: its SHA-256 differs")
    return file


def _unpack(archive: _Archive, file: Path, tree: Path) -> None:
    """Unpack wolfSSL's folder as `tree`, which appears when it is whole."""
    begin = re.compile(archive.prefix)
    unpacked = tree.with_name("unpacking")
    with tarfile.open(file) as content:
        members = []
        for member in content:
            match = begin.match(member.name)
            if match is not None and match.end() < len(member.name):
                member.name = member.name[match.end() :]
                members.append(member)
        content.extractall(unpacked, members, filter="data")
    file.unlink()
    unpacked.rename(tree)


if __name__ == "__main__":
    try:
        print(provide(Path(sys.argv[1])))
    except UnavailableError as reason:
        print(f"wolfSSL: NOT RUN: {reason}")
        sys.exit(3)
