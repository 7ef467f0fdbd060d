"""The program runs from the wheel and from an editable install, in a folder that is not the project's."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.downstream


def _run(command: Iterable[str | Path], folder: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, text=True, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, without isolation: the build back end is a test dependency."""
    folder = tmp_path_factory.mktemp("wheel")
    _run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT], folder)
    (path,) = folder.glob("*.whl")
    return path


def _environment(folder: Path) -> Path:
    """Make a virtual environment that sees the dependencies installed here, but no cmaketool of its own."""
    venv.EnvBuilder(with_pip=True).create(folder)
    python = folder / "bin" / "python"
    site = Path(
        _run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip()
    )
    # Folders named in a .pth file are searched, but .pth files inside them are not read, which is how an
    # editable cmaketool would come along.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def test_the_wheel_is_pure_and_whole(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for needed in ("cli.py", "catalogue/arm64.yml", "templates/kernels.cmake.j2", "kernels/kernels.yml"):
        assert f"cmaketool/{needed}" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith(("tests/", "examples/"))]


@pytest.mark.parametrize("how", ["wheel", "editable"])
def test_installed_program(how: str, wheel: Path, tmp_path: Path) -> None:
    python = _environment(tmp_path / "venv")
    what = [wheel] if how == "wheel" else ["--no-build-isolation", "-e", ROOT]
    _run([python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", *what], tmp_path)
    foreign = tmp_path / "foreign"
    (foreign / "kernels").mkdir(parents=True)
    program = python.parent / "cmaketool"
    assert "cmaketool" in _run([program, "--version"], foreign)
    (foreign / "k.c").write_text("/* a kernel */\n", encoding="utf-8")
    (foreign / "kernels.yml").write_text(
        "schema: 1\nname: demo\noptions: {K: {help: a kernel}}\nkernels:\n"
        "  k: {option: K, architecture: arm64, features: [aes], sources: [k.c], symbols: [k]}\n",
        encoding="utf-8",
    )
    _run([program, "generate", "kernels.yml"], foreign)
    _run([program, "generate", "kernels.yml", "--check"], foreign)
    assert (foreign / "demo_kernels.cmake").is_file()
    # The bundled kernels come along: without a manifest they are the ones verified.
    where = _run(
        [python, "-c", "from cmaketool import resources; print(resources.bundled_manifest())"], foreign
    )
    bundled = Path(where.strip())
    assert bundled.is_file()
    assert bundled.is_relative_to(ROOT) == (how == "editable")
    _run([program, "generate", bundled, "-o", foreign / "kernels"], foreign)
