"""Releases many texts on several threads, in order and in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hushbit._plumbing.parallel import processors
from hushbit._text import encode
from hushbit.errors import HushbitError, InvalidArgumentError

if TYPE_CHECKING:
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

_BATCH_TEXTS = 256
_BATCH_BYTES = 256 << 10


class _Batch(NamedTuple):
    """Texts in UTF-8, and the error of the text after them if it cannot be encoded."""

    texts: list[bytes]
    failure: HushbitError | TypeError | None


Native = TypeVar("Native")
Public = TypeVar("Public")
Release = Callable[[list[bytes]], tuple[list[Native], HushbitError | None]]
"""Releases texts in UTF-8 up to the first that fails; also returns its error."""


def threads_for(texts: Iterable[str], threads: int | None, single: str) -> int:
    """The number of threads: as many as were asked for, or one for each CPU. `single` is the method for one text.

    Raises TypeError for a str in the place of texts, InvalidArgumentError for less than one thread.
    """
    if isinstance(texts, str):
        raise TypeError(f"texts must be several str, not one str: use {single} for a single text")
    if threads is not None and threads < 1:
        raise InvalidArgumentError(f"threads is {threads}; it must be 1 or more")
    return threads or processors()


def released_in_order(
    release: Release[Native], publish: Callable[[Native], Public], texts: Iterable[str], threads: int, *, ahead: bool
) -> Iterator[Public]:
    """What is released of each text, in its public form. Unless `ahead`, no text is started before it is requested."""
    batches = _batches(texts, _BATCH_TEXTS if ahead else 1)
    index = 0
    for batch, (results, failure) in _parallel(release, batches, threads) if ahead else _serial(release, batches):
        yield from map(publish, results)
        index += len(results)
        error = failure or batch.failure
        if error is not None:
            error.add_note(f"in the text at index {index}")
            raise error


def joined(texts: Sequence[str], first: int = 0) -> tuple[NDArray[np.int64], bytes]:
    """Texts in UTF-8, one after another, and where each begins and the last ends.

    Raises what `encode` raises, with a note of the text's index, counted from `first`.
    """
    import numpy as np

    encoded: list[bytes] = []
    for index, text in enumerate(texts, first):
        try:
            encoded.append(encode(text))
        except (HushbitError, TypeError) as error:
            error.add_note(f"in the text at index {index}")
            raise
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    return offsets, b"".join(encoded)


def _serial(
    release: Release[Native], batches: Iterable[_Batch]
) -> Iterator[tuple[_Batch, tuple[list[Native], HushbitError | None]]]:
    return ((batch, release(batch.texts)) for batch in batches)


def _parallel(
    release: Release[Native], batches: Iterator[_Batch], threads: int
) -> Iterator[tuple[_Batch, tuple[list[Native], HushbitError | None]]]:
    from concurrent.futures import ThreadPoolExecutor

    due: deque[tuple[_Batch, Future[tuple[list[Native], HushbitError | None]]]] = deque()
    executor = ThreadPoolExecutor(threads)
    try:
        for batch in batches:
            due.append((batch, executor.submit(release, batch.texts)))
            if len(due) > threads:
                first, future = due.popleft()
                yield first, future.result()
        for first, future in due:
            yield first, future.result()
    finally:
        executor.shutdown(cancel_futures=True)


def _batches(texts: Iterable[str], most: int) -> Iterator[_Batch]:
    """Batches of texts up to the first invalid text, which ends the last batch."""
    encoded: list[bytes] = []
    size = 0
    for text in texts:
        try:
            encoded.append(encode(text))
        except (HushbitError, TypeError) as error:
            yield _Batch(encoded, error)
            return
        size += len(encoded[-1])
        if len(encoded) == most or size >= _BATCH_BYTES:
            yield _Batch(encoded, None)
            encoded, size = [], 0
    if encoded:
        yield _Batch(encoded, None)
