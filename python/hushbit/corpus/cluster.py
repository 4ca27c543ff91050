"""Drawing on the workers of a Dask cluster. What they draw comes back, and is paid for and written here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from hushbit import Privatizer
from hushbit.corpus.columns import Tally, release

if TYPE_CHECKING:
    from hushbit.corpus.run import Draw

Description = tuple[Callable[..., Privatizer], tuple[Any, ...]]
"""What a privatizer is pickled as. It is opened inside the task: what fails while Dask unpickles one is lost."""


def release_there(description: Description, column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, Tally]:
    """`release`, on a worker."""
    opened, arguments = description
    return release(opened(*arguments), column)


@contextmanager
def drawing_on(address: str, privatizer: Privatizer) -> Iterator[tuple[Draw, int]]:
    """A `Draw` that a cluster does, and how many parts it can do at once.

    A part that is drawn twice, as a worker was lost, is released once: only what comes back is. Raises OSError if there
    is no cluster at the address, TypeError if the privatizer cannot travel.
    """
    from distributed import Client

    description = privatizer.__reduce__()  # says why it cannot travel before anything begins
    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        threads = sum(client.nthreads().values())

        def draw(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, Tally]:
            drawn: tuple[pa.ChunkedArray, Tally] = client.submit(
                release_there, description, column, pure=False
            ).result()
            return drawn

        yield draw, max(threads, 1)
