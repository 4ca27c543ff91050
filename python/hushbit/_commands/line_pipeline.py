"""Turns lines into results, in order, on several threads, with a bounded amount of text in memory."""

from __future__ import annotations

import io
import queue
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Generic, TypeVar

from hushbit.cli._shared.failure import CommandError
from hushbit.cli._shared.streams import WORKER_NAME

T = TypeVar("T")

MAX_LINE_BYTES = 64 << 20
_CHUNK_BYTES = 1 << 14
# How much may be read ahead of the line that is due, for each thread. A line costs its bytes and some for itself.
_AHEAD_BYTES = 256 << 10
_LINE_COST_BYTES = 4 << 10
# How long workers may take to come back once nobody wants their results.
_PATIENCE_SECONDS = 0.5
# How often it is said that a line is still being worked on.
_HEARTBEAT_SECONDS = 1.0


def read_blocks(file: io.RawIOBase, name: str) -> Generator[bytes]:
    """The lines of a file as soon as they are there, as many at a time as there are, without the last newline.

    The last line of the file may lack its newline. The file is unbuffered, since a thread that waits for input must not
    hold a lock that leaving Python needs. It is closed here, by the thread that reads it: closed by another, its number
    could already be another file's. Raises CommandError for a line longer than MAX_LINE_BYTES, and if `file`, called
    `name`, cannot be read.
    """
    with file:
        yield from _whole_lines(iter(lambda: _read(file, name), b""), name)


def read_lines(file: io.RawIOBase, name: str) -> Generator[bytes]:
    """`read_blocks`, line by line."""
    with closing(read_blocks(file, name)) as blocks:
        for block in blocks:
            yield from block.split(b"\n")


def _whole_lines(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    parts: list[bytes] = []
    length = number = 0
    for chunk in chunks:
        *whole, rest = chunk.rsplit(b"\n", 1)
        if whole:
            block = b"".join([*parts, *whole])
            parts.clear()
            length = 0
            number += block.count(b"\n") + 1
            yield block
        parts.append(rest)
        length += len(rest)
        if length > MAX_LINE_BYTES:
            raise CommandError(f"{name}, line {number + 1} is longer than {MAX_LINE_BYTES >> 20} MiB: break it up")
    if length:
        yield b"".join(parts)


def _read(file: io.RawIOBase, name: str) -> bytes:
    try:
        while (chunk := file.read(_CHUNK_BYTES)) is None:  # the descriptor does not block, and nothing is there yet
            import select

            select.select([file], [], [])
    except OSError as error:
        raise CommandError(f"cannot read {name}: {error.strerror}") from None
    return chunk


class _Job(Generic[T]):
    """A line on its way."""

    __slots__ = ("cost", "done", "error", "line", "number", "result")

    def __init__(self, number: int, line: bytes) -> None:
        self.number = number
        self.line = line
        self.cost = len(line) + _LINE_COST_BYTES
        self.done = threading.Event()
        self.result: T | None = None
        self.error: BaseException | None = None


class _InFlight:
    """How much may be in flight. A job larger than the limit travels alone."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._used = 0
        self._changed = threading.Condition()
        self.closed = False  # nothing may start any more

    def take(self, cost: int) -> bool:
        """Waits until `cost` fits. False if it was closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._used == 0 or self._used + cost <= self._limit)
            self._used += cost
            return not self.closed

    def give_back(self, cost: int) -> None:
        """A job has arrived."""
        with self._changed:
            self._used -= cost
            self._changed.notify()

    def close(self) -> None:
        """Stops everything that waits."""
        with self._changed:
            self.closed = True
            self._changed.notify()


class _Pipeline(Generic[T]):
    """A reader, workers, and the queue in which jobs stay in order."""

    def __init__(self, lines: Generator[bytes], work: Callable[[int, bytes], T], threads: int) -> None:
        self._lines = lines
        self._work = work
        self._in_flight = _InFlight(threads * _AHEAD_BYTES)
        self._due: queue.SimpleQueue[_Job[T] | None] = queue.SimpleQueue()
        self._waiting: queue.SimpleQueue[_Job[T] | None] = queue.SimpleQueue()
        self._workers = [threading.Thread(target=self._run, name=WORKER_NAME, daemon=True) for _ in range(threads)]

    def start(self) -> None:
        try:
            for worker in self._workers:
                worker.start()
            threading.Thread(target=self._read, name="hushbit-reader", daemon=True).start()
        except RuntimeError:
            raise CommandError(f"cannot start {len(self._workers)} threads: try fewer, as in --threads 1") from None

    def results(self, waiting: Callable[[], None]) -> Iterator[T]:
        while (job := self._due.get()) is not None:
            while not job.done.wait(_HEARTBEAT_SECONDS):
                waiting()
            self._in_flight.give_back(job.cost)
            if job.error is not None:
                raise job.error
            yield job.result  # type: ignore[misc]  # set, since there was no error

    def stop(self, patience: float | None) -> None:
        """Lets the workers go and waits for them, for at most `patience` seconds if that is not None."""
        self._in_flight.close()
        for _ in self._workers:
            self._waiting.put(None)
        for worker in self._workers:
            worker.join(None if patience is None else patience / len(self._workers))

    def _read(self) -> None:
        try:
            for number, line in enumerate(self._lines, start=1):
                job: _Job[T] = _Job(number, line)
                if not self._in_flight.take(job.cost):
                    return
                self._due.put(job)
                self._waiting.put(job)
        except BaseException as error:  # it belongs to the thread that asks for results
            failed: _Job[T] = _Job(0, b"")
            failed.error = error
            failed.done.set()
            self._due.put(failed)
        finally:
            self._lines.close()
            self._due.put(None)

    def _run(self) -> None:
        while (job := self._waiting.get()) is not None and not self._in_flight.closed:
            try:
                job.result = self._work(job.number, job.line)
            except BaseException as error:  # the same
                job.error = error
            job.done.set()


def one_by_one(lines: Generator[bytes], work: Callable[[int, bytes], T]) -> Generator[T]:
    """`in_order` without threads: no line is begun before the result of the one before was taken."""
    with closing(lines):
        for number, line in enumerate(lines, start=1):
            yield work(number, line)


def in_order(
    lines: Generator[bytes],
    work: Callable[[int, bytes], T],
    threads: int,
    waiting: Callable[[], None] = lambda: None,
) -> Generator[T]:
    """`work(number, line)` for every line, from line 1 on, by `threads` threads; results in order, each once it is due.

    `lines` belongs to a thread of its own, which closes it. `waiting` is called every second that a line takes.
    Raises what `work` or reading raised, when its turn comes. Close the generator to stop early. The threads are
    daemons: one that is inside the core then is left there, see `streams.leave_if_busy`.
    """
    pipeline = _Pipeline(lines, work, threads)
    pipeline.start()
    patience: float | None = _PATIENCE_SECONDS
    try:
        yield from pipeline.results(waiting)
        patience = None
    finally:
        pipeline.stop(patience)
