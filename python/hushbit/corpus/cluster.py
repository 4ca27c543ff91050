"""Draws releases on the workers of a Dask cluster. This process collects them, pays for them and writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hushbit._plumbing.extras import extra
from hushbit.corpus.columns import Releaser, Tally
from hushbit.corpus.columns import draw as draw_here
from hushbit.corpus.errors import ClusterError
from hushbit.errors import HushbitError

with extra("corpus"):
    import pyarrow as pa

if TYPE_CHECKING:
    from hushbit.corpus.run import Draw

Description = tuple[Callable[..., Releaser], tuple[Any, ...]]
"""The pickled form of a releaser. The task opens it, since Dask loses errors that occur during unpickling."""


def release_there(description: Description, column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, Tally]:
    """Draws on a worker."""
    opened, arguments = description
    return draw_here(opened(*arguments), column)


@contextmanager
def drawing_on(address: str, releaser: Releaser) -> Iterator[tuple[Draw, int]]:
    """A `Draw` that runs on a cluster, and the number of parts that the cluster can draw at once.

    If a worker is lost, its part is drawn again, but released only once: a release is what comes back. Raises
    ClusterError if there is no cluster at the address, and TypeError if the releaser cannot be sent to another
    process. The draw raises ClusterError, too, if the cluster is lost.
    """
    with extra("dask"):
        from distributed import Client
        from distributed.scheduler import KilledWorker

    description = releaser.__reduce__()  # raises TypeError, with the reason, before anything begins
    try:
        client = Client(address, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError):  # the address is none
        raise ClusterError(f"{address}: no scheduler of Dask answers there, as at tcp://host:8786") from None
    with client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]

        def draw(column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, Tally]:
            try:
                drawn: tuple[pa.ChunkedArray, Tally] = client.submit(
                    release_there, description, column, pure=False
                ).result()
            except HushbitError:
                raise
            except KilledWorker:
                raise ClusterError(
                    f"{address}: workers ended while they drew this part: do they have memory enough?"
                ) from None
            except (CancelledError, OSError, RuntimeError):  # RuntimeError: the client has noticed, and is closed
                raise ClusterError(
                    f"{address}: the cluster was lost; run again to go on with what is missing"
                ) from None
            return drawn

        yield draw, max(threads, 1)
