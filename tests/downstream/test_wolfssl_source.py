"""Where wolfSSL's sources come from, and what is said where there are none."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.downstream import wolfssl_source
from tests.support import ROOT, require_tool

if TYPE_CHECKING:
    from pathlib import Path


def _sources(folder: Path, version: str) -> Path:
    (folder / "wolfssl").mkdir()
    header = f'#define LIBWOLFSSL_VERSION_STRING "{version}"\n'
    (folder / "wolfssl" / "version.h").write_text(header, encoding="utf-8")
    return folder


@pytest.mark.parametrize("version", ["5.9.0", "5.10.1", "6.0.0"])
def test_given_sources_are_taken(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(wolfssl_source.VARIABLE, str(_sources(tmp_path, version)))
    assert wolfssl_source.provide(tmp_path / "unused") == tmp_path
    assert not (tmp_path / "unused").exists()


@pytest.mark.parametrize(
    ("version", "reason"), [("5.8.4", "is wolfSSL 5.8; 5.9 or newer is needed"), (None, "holds no sources")]
)
def test_given_sources_must_be_new_enough(
    version: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version is not None:
        _sources(tmp_path, version)
    monkeypatch.setenv(wolfssl_source.VARIABLE, str(tmp_path))
    with pytest.raises(wolfssl_source.UnavailableError, match=reason):
        wolfssl_source.provide(tmp_path / "unused")


def test_why_nothing_can_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said for each archive."""
    require_tool("apt-get")
    monkeypatch.delenv(wolfssl_source.VARIABLE, raising=False)
    monkeypatch.setattr(wolfssl_source, "_mirror", lambda: "file:/nowhere/debian")
    with pytest.raises(wolfssl_source.UnavailableError) as raised:
        wolfssl_source.provide(tmp_path)
    said = str(raised.value)
    assert said.startswith("no source of wolfSSL can be fetched; WOLFSSL_SOURCE_DIR names one by hand\n")
    assert "wolfssl=5.9.2-1.2 (sid): E: " in said
    assert "mariadb=1:10.11.18-0+deb12u1 (bookworm): E: " in said


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--nightly"], 1)], ids=["day", "night"])
def test_step_of_ci_without_sources(options: list[str], code: int, tmp_path: Path) -> None:
    """What did not run is said, and is a failure at night only."""
    apt = tmp_path / "apt-get"
    apt.write_text("#!/bin/sh\necho 'E: no network' >&2\nexit 100\n", encoding="utf-8")
    apt.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != wolfssl_source.VARIABLE}
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    command = [require_tool("bash"), str(ROOT / ".ci" / "wolfssl"), sys.executable, str(tmp_path / "sources")]
    done = subprocess.run(
        [*command, *options], env=environment, text=True, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (code, "wolfSSL: NOT RUN: E: no network\n"), done.stderr
