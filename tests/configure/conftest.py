"""The CMakes under test, and a project for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.configure.support import Project, cmake_params, cmakes, new_project

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["any_cmake", "every_cmake", "project"]


@pytest.fixture(scope="session")
def any_cmake() -> Path:
    """One CMake, for what does not depend on its version: the newest."""
    return list(cmakes().values())[-1]


@pytest.fixture(params=cmake_params())
def every_cmake(request: pytest.FixtureRequest) -> Path:
    """The oldest CMake that is there and the newest, in turn; by night all of them."""
    path: Path = request.param
    return path


@pytest.fixture
def project(tmp_path: Path, any_cmake: Path) -> Project:
    """A plain project with a library `lib` that asks for the kernels of `pair`."""
    return new_project(tmp_path / "project", any_cmake)
