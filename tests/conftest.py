"""Fixtures that several tests share."""

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli_runner import Here

# A run in the background may have been started with interrupts ignored, and programs that tests start would inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Arrays of tests are small, and several tests run at a time: more threads of linear algebra would wait for each other.
# Programs that tests start inherit this.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# The same examples in each run, and none kept from earlier ones; how long one takes is no failure.
# Wheels are tried without Hypothesis.
if importlib.util.find_spec("hypothesis"):
    import hypothesis

    hypothesis.settings.register_profile("fixed", derandomize=True, database=None, deadline=None)
    hypothesis.settings.load_profile("fixed")

# Dask reads these when it is imported. On a busy machine a worker of a test can take longer than 30 seconds to answer.
os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "300s")
os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP", "300s")


@pytest.fixture(scope="module")
def cluster(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Dask with workers that are threads of this process: as many as the module's WORKERS."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=request.module.WORKERS,
        threads_per_worker=1,
        processes=False,
        dashboard_address=None,
        protocol="tcp",
        host="127.0.0.1",
    ) as running:
        yield running


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes that are no text have no part in a test's name: packed files carry the time, and the processes that run
    the suite must collect the same names."""
    return argname if isinstance(val, bytes) and not val.isascii() else None


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The directory of the golden vectors (tests/vectors/README.md). Its files are not to be changed."""
    return Path(__file__).parent / "vectors"


@pytest.fixture
def here(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Here:
    """The command, run in this process."""
    return Here(tmp_path, capfdbinary)
