"""Privatizes many texts with one privatizer, on several threads, in order and in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from hushbit._text import PrivatizedText, encode, privatized_text
from hushbit.errors import HushbitError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from hushbit import _core

_BATCH_TEXTS = 256
_BATCH_BYTES = 256 << 10


class _Batch(NamedTuple):
    """Texts in UTF-8, and the error of the text after them if it cannot be encoded."""

    texts: list[bytes]
    failure: HushbitError | TypeError | None


_Released = tuple[list["_core.Result"], HushbitError | None]


def released_in_order(
    native: _core.Privatizer, texts: Iterable[str], threads: int, *, ahead: bool
) -> Iterator[PrivatizedText]:
    """Each text as `privatize` releases it. Unless `ahead`, no text is started before it is requested."""
    batches = _batches(texts, _BATCH_TEXTS if ahead else 1)
    index = 0
    for batch, (results, failure) in _parallel(native, batches, threads) if ahead else _serial(native, batches):
        yield from map(privatized_text, results)
        index += len(results)
        error = failure or batch.failure
        if error is not None:
            error.add_note(f"in the text at index {index}")
            raise error


def _serial(native: _core.Privatizer, batches: Iterable[_Batch]) -> Iterator[tuple[_Batch, _Released]]:
    return ((batch, native.privatize_lines(batch.texts)) for batch in batches)


def _parallel(native: _core.Privatizer, batches: Iterator[_Batch], threads: int) -> Iterator[tuple[_Batch, _Released]]:
    from concurrent.futures import ThreadPoolExecutor

    due: deque[tuple[_Batch, Future[_Released]]] = deque()
    executor = ThreadPoolExecutor(threads)
    try:
        for batch in batches:
            due.append((batch, executor.submit(native.privatize_lines, batch.texts)))
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
