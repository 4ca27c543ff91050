"""Fixtures that several tests share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The directory of the golden vectors (tests/vectors/README.md). Its files are not to be changed."""
    return Path(__file__).parent / "vectors"
