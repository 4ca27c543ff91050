"""Fixtures that several tests share."""

import os
import signal
from pathlib import Path

import pytest

from cli_runner import Here

# A run in the background may have been started with interrupts ignored, and programs that tests start would inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Dask reads these when it is imported. On a busy machine a worker of a test can take longer than 30 seconds to answer.
os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "300s")
os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP", "300s")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The directory of the golden vectors (tests/vectors/README.md). Its files are not to be changed."""
    return Path(__file__).parent / "vectors"


@pytest.fixture
def here(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Here:
    """The command, run in this process."""
    return Here(tmp_path, capfdbinary)
