"""Fixtures that several tests share."""

from pathlib import Path

import pytest

from reference.bundle_file import BundleFile, read_bundle


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The directory of the golden vectors (tests/vectors/README.md)."""
    return Path(__file__).parent / "vectors"


@pytest.fixture(scope="session")
def words_path(vectors: Path) -> Path:
    """A bundle of 64 bits, some 700 words: contractions, hyphens, punctuation, other scripts, twins. Read-only."""
    return vectors / "words-64.hushbit"


@pytest.fixture(scope="session")
def words_file(words_path: Path) -> BundleFile:
    """The same bundle as the reference reads it."""
    return read_bundle(words_path.read_bytes())
