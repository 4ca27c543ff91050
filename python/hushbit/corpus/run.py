"""Releases a corpus part by part. Each part is drawn, paid for and named once, even if runs are interrupted."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from hushbit import Budget
from hushbit._plumbing.atomic import atomic_file
from hushbit._plumbing.extras import extra
from hushbit._plumbing.progress import Progress, no_progress
from hushbit._plumbing.records import Record
from hushbit.corpus.columns import Releaser, RowError, Tally, released_type
from hushbit.corpus.columns import draw as draw_here
from hushbit.corpus.formats.files import PACKERS
from hushbit.corpus.inputs import hashes
from hushbit.corpus.manifest import Manifest, Rows, open_manifest, versions
from hushbit.corpus.sources import Corpus, Part, parts_of
from hushbit.errors import InvalidArgumentError

with extra("corpus"):
    import pyarrow as pa

PART_ROWS = 100_000
Draw = Callable[[pa.ChunkedArray], tuple[pa.ChunkedArray, Tally]]
"""Draws the release of a column of texts, a value a text, on this machine or on another one. It raises RowError."""


@dataclass(frozen=True, slots=True)
class Summary(Record):
    """The result of a run.

    parts, earlier: the number of parts released by this run, and by earlier runs that were interrupted.
    tally: the cost of the parts of this run.
    left_out: the columns that were not copied. left_out_of_some: the number of further ones, which some rows lack.
    """

    parts: int
    earlier: int
    tally: Tally
    left_out: tuple[str, ...]
    left_out_of_some: int


class _StoppedError(Exception):
    """Another part failed, so this part is neither paid for nor released."""


class _Run:
    """One run. Several threads draw parts; only one part at a time is paid for and named."""

    def __init__(
        self, corpus: Corpus, manifest: Manifest, draw: Draw, released: pa.DataType, budget: Budget | None
    ) -> None:
        self._corpus = corpus
        self._place = corpus.schema.names.index(corpus.column)
        self._schema = corpus.schema.set(self._place, pa.field(corpus.column, released))
        self._manifest = manifest
        self._draw = draw
        self._budget = budget
        self._naming = threading.Lock()
        self._stopped = False

    def stop(self) -> None:
        """Ends the run: from now on no part gets its name."""
        with self._naming:
            self._stopped = True

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """Ends the run if a part fails, before a waiting part can get its name."""
        try:
            yield
        except BaseException:
            self._stopped = True
            raise

    def release(self, part: Part) -> Tally | None:
        """Releases a part and returns its cost; None if another part failed, so that this one was not released."""
        try:
            return self._release(part)
        except _StoppedError:
            return None
        except BaseException:
            self.stop()
            raise

    def _release(self, part: Part) -> Tally:
        corpus = self._corpus
        column, tally = self._drawn(part)
        table = part.rows.set_column(self._place, self._schema.field(self._place), column)
        path = self._manifest.output / f"part-{part.number:05}{corpus.suffix}"
        with ExitStack() as naming:
            with atomic_file(path) as file:
                self._write(table, file, PACKERS.get(corpus.packed))
                naming.enter_context(self._naming)
                if self._stopped:
                    raise _StoppedError
                naming.enter_context(self._stopping())
                self._manifest.draw(part.number, path.name, part.where, tokens=tally.tokens, cost=tally.cost)
                if self._budget is not None:
                    if tally.cost.epsilon_unit == "text":
                        self._budget.spend_texts(tally.cost.worst_case, tally.tokens)
                    else:
                        self._budget.spend(tally.cost.worst_case, tally.tokens)
            self._manifest.release(part.number)
        return tally

    def _write(self, table: pa.Table, file: BinaryIO, pack: Callable[[BinaryIO], BinaryIO] | None) -> None:
        """Writes and syncs the file, so that little can fail after the part is paid for."""
        packed = file if pack is None else pack(file)
        self._corpus.format.write(packed, self._schema, [table], self._corpus.column)
        if packed is not file:
            packed.close()
        file.flush()
        os.fsync(file.fileno())

    def _drawn(self, part: Part) -> tuple[pa.ChunkedArray, Tally]:
        column = self._corpus.column
        try:
            return self._draw(part.rows[column])
        except RowError as error:
            what = f"{part.file}, row {part.where.first + error.row}, column {column}: {error.cause}"
            failure = type(error.cause)(what, error.cause.position)
        raise failure


def release_corpus(
    corpus: Corpus,
    releaser: Releaser,
    output: Path,
    *,
    draw: Draw | None = None,
    released: pa.DataType | None = None,
    budget: Budget | None = None,
    jobs: int = 1,
    part_rows: int = PART_ROWS,
    equal_files: bool = False,
    progress: Progress = no_progress,
) -> tuple[Summary, Exception | None]:
    """Releases the unreleased parts of a corpus to files in the folder `output`, and returns their cost.

    The releaser must not have a device key, a budget or an audit log. `draw` draws the parts,
    values of the type `released`; by default this process does. The budget is charged
    part by part, with one write to the disk each. Files with equal contents are refused unless `equal_files` says that
    all of them are meant. If an error ends the run, it is returned: parts that were released before stay released, and
    the same call continues later. Raises the errors of `open_manifest` and of `hashes`.
    """
    released = released or released_type(releaser)
    what = {
        "bundle": None if releaser.bundle is None else releaser.bundle.info.hash,
        "options": releaser._chosen,
        "epsilon": releaser.info.effective_epsilon,
        "column": corpus.column,
        "columns": corpus.schema.names,
        "format": corpus.suffix,
        "values": str(released),
        "reading": asdict(corpus.reading),
        "rows a part": part_rows,
        "input": hashes(corpus.files, progress, equal=equal_files),
    }
    total = sum(map(corpus.format.rows, corpus.files))
    with open_manifest(output, what) as manifest:
        earlier = len(manifest.released)
        check_borders(parts_of(corpus, part_rows), manifest, progress)
        manifest.go_on()
        run = _Run(corpus, manifest, draw or (lambda column: draw_here(releaser, column)), released, budget)
        tally, failure = Tally(), None
        with ThreadPoolExecutor(jobs) as executor:
            try:
                done = 0
                for cost in _in_order(executor, run.release, _missing(corpus, part_rows, manifest), jobs):
                    tally += cost or Tally()
                    done += cost.rows if cost else 0
                    progress(min(done, total), total, "privatizing")
                manifest.complete()
            except Exception as error:
                failure = error
            finally:
                run.stop()
        parts = len(manifest.released) - earlier
        return Summary(parts, earlier, tally, corpus.left_out, corpus.left_out_of_some), failure


def check_borders(parts: Iterator[Part], manifest: Manifest, progress: Progress) -> None:
    """Raises InvalidArgumentError unless each part that was drawn has the same rows now.

    Otherwise a row could be in a part that is out and in one that is missing, or in none. Nothing is drawn before all
    of them are compared.
    """
    total = max(manifest.drawn, default=-1) + 1
    found: dict[int, Rows] = {}
    for part in islice(parts, total):
        progress(part.number, total, "comparing parts")
        found[part.number] = part.where
    for number, drawn in sorted(manifest.drawn.items()):
        now = found.get(number)
        if now != drawn:
            raise InvalidArgumentError(
                f"{manifest.output}: part {number} was {drawn} when it was drawn ({_by(manifest.versions)}), and is "
                f"{now or 'not there'} now ({_by(versions())}), so rows would be lost or released twice; go on with "
                "the versions of then, or write to a new folder (releasing a text again costs again)"
            )


def _by(versions: dict[str, str]) -> str:
    return "by " + ", ".join(f"{name} {version}" for name, version in versions.items())


def _missing(corpus: Corpus, rows: int, manifest: Manifest) -> Iterator[Part]:
    return (part for part in parts_of(corpus, rows) if part.number not in manifest.released)


def _in_order(
    executor: ThreadPoolExecutor, work: Callable[[Part], Tally | None], parts: Iterator[Part], jobs: int
) -> Iterator[Tally | None]:
    """The costs of the parts, in order; at most `jobs` + 1 parts are in memory. Raises the first error at the end."""
    due: deque[Future[Tally | None]] = deque()
    failure: BaseException | None = None
    try:
        for part in parts:
            due.append(executor.submit(work, part))
            if len(due) > jobs:
                yield due.popleft().result()
    except Exception as error:
        failure = error
    while due:
        try:
            yield due.popleft().result()
        except Exception as error:
            failure = failure or error
    if failure is not None:
        raise failure
