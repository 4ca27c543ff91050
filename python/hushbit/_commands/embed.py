"""`hushbit embed` writes one embedding for each line of text."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hushbit._commands import lines
from hushbit._options import EMBEDDER_DEFAULTS, EMBEDDER_EPSILON, PUNCTUATION_POLICIES
from hushbit._plumbing.extras import extra
from hushbit._text import sum_rounded_up
from hushbit.cli._shared import repetition, streams
from hushbit.cli._shared.arguments import add_bundle, epsilon, open_bundle, output_path, positive
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import INDEXES

if TYPE_CHECKING:
    from hushbit import Budget, Embedder, EmbedderInfo, _core

_DESCRIPTION = """\
Reads UTF-8 text and writes an embedding of each line: the index of one of the bundle's public directions, at one
epsilon for the whole line, whatever its length. Any two lines, the empty one among them, are hard to tell apart. Many
embeddings together tell what lines are about (docs/embedding.md).
"""
_EPILOG = """\
examples:
  hushbit embed < messages.txt > embeddings.jsonl
  hushbit embed messages.txt --epsilon 1 > embeddings.jsonl
  hushbit embed messages.txt --epsilon 4 -o embeddings.parquet
  echo 'see you tomorrow' | hushbit embed --words 5
  hushbit embed words.hushbit messages.txt --budget sent.budget --budget-per-day 10
  hushbit embed --projection encoder.projection vectors.npy -o embeddings.parquet
  hushbit embed --projection encoder.projection messages.parquet --column vector

Without BUNDLE the built-in English one is used. A single file that is not a bundle is read as the text.

Each line is one release and costs epsilon. It gives one JSON document on one line, with the index and the epsilon; with
--words also the words of the bundle nearest to the direction, for people to look at. With -o the indexes become the
column `index` of a Parquet file instead, in the order of the lines; its metadata have the bundle's hash and epsilon.

With --projection the rows are your own vectors, such as those of a sentence encoder, and no bundle is needed: a .npy
array (texts, n), or a column of lists of n numbers of a Parquet file. The projection is a public file, learned from
vectors of public texts (docs/embedding.md).

The first line that is not UTF-8 ends the command with exit code 1, and so does the first that a cap of the budget
refuses, with exit code 6; no later line is released then, and with -o no file is written.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "embed",
        help="release one embedding of each whole line, at one epsilon",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    add_bundle(parser)
    lines.add_file(parser)
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        default=EMBEDDER_EPSILON,
        metavar="E",
        help=f"local-DP epsilon of a whole line (default: {EMBEDDER_EPSILON:g})",
    )
    parser.add_argument(
        "--punctuation",
        choices=PUNCTUATION_POLICIES,
        default=EMBEDDER_DEFAULTS.punctuation,
        help="leave punctuation out, or count it like words (default: drop)",
    )
    lines.add_options(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--words", type=positive, metavar="N", help="print the N words nearest to each direction, too")
    writes(
        output.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            type=output_path,
            help="write this Parquet file instead (needs the extra `corpus`)",
        ),
        kind=INDEXES,
    )
    own = parser.add_argument_group("your own vectors")
    reads(
        own.add_argument(
            "--projection", metavar="FILE", help="read vectors in place of text, and shorten them by this projection"
        )
    )
    own.add_argument("--column", metavar="NAME", help="column of a Parquet file that holds the vectors")
    repetition.add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    if arguments.projection is not None:
        return _run_projection(arguments)
    if arguments.column is not None:
        raise CommandError("--column is only used with --projection", EXIT_USAGE)
    device_key = repetition.device_key(arguments)
    lines.take_text_for_text(arguments)
    bundle = open_bundle(arguments.bundle)
    budget = repetition.open_budget(arguments)
    embedder = bundle.embedder(
        arguments.epsilon,
        punctuation=arguments.punctuation,
        device_key=device_key,
        epoch=arguments.epoch or EMBEDDER_DEFAULTS.epoch,
        budget=budget,
        audit_log=arguments.audit_log,
    )
    text = lines.open_text(arguments.file)
    lines.say_if_typed(text)
    work = partial(_embed_block, embedder._native, arguments.invalid_utf8)
    blocks = text.released("embedding", work, arguments.threads, one_by_one=budget is not None)
    count = _Count()
    try:
        with closing(count.embeddings(blocks)) as released:
            if arguments.output is not None:
                indexes = ([native.index for native in some] for some in released)
                write_indexes(arguments.output, {"hushbit_bundle": embedder.info.hash}, embedder.info, indexes)
            else:
                form = _json_form(embedder, arguments.words)
                for embeddings in released:
                    streams.write(b"".join(map(form, embeddings)))
    except CommandError:  # a line failed: those before it are out, but for a file that is written as a whole
        if arguments.output is None:
            count.say_summary(embedder, budget, lines.INVALID_SAID.get(arguments.invalid_utf8, ""))
        raise
    count.say_summary(embedder, budget, lines.INVALID_SAID.get(arguments.invalid_utf8, ""))
    return EXIT_OK


def _run_projection(arguments: argparse.Namespace) -> int:
    from hushbit import open_projection
    from hushbit._commands.embed_vectors import ROWS, indexes_of

    if arguments.words is not None:
        raise CommandError("--words needs a bundle: a projection has no words", EXIT_USAGE)
    named = [path for path in (arguments.bundle, arguments.file) if path not in (None, "-")]
    if len(named) != 1:
        raise CommandError("with --projection name one file of vectors, and no bundle", EXIT_USAGE)
    device_key = repetition.device_key(arguments)
    budget = repetition.open_budget(arguments)
    embedder = open_projection(
        arguments.projection,
        arguments.epsilon,
        device_key=device_key,
        epoch=arguments.epoch or EMBEDDER_DEFAULTS.epoch,
        budget=budget,
        audit_log=arguments.audit_log,
    )
    count = 0

    def released() -> Generator[list[int]]:
        nonlocal count
        # A row that is begun is spent, so none is begun that may not be written.
        for some in indexes_of(embedder, named[0], arguments.column, ROWS if budget is None else 1):
            yield some.tolist()
            count += len(some)

    try:
        with closing(released()) as indexes:
            if arguments.output is not None:
                write_indexes(arguments.output, {"hushbit_projection": embedder.info.hash}, embedder.info, indexes)
            else:
                for some in indexes:
                    streams.write(b"".join(document(index, embedder.epsilon) for index in some))
    except CommandError:  # as for text
        if arguments.output is None and count > 0:
            _say_released("vectors", count, embedder.epsilon, budget)
        raise
    _say_released("vectors", count, embedder.epsilon, budget)
    return EXIT_OK


def _say_released(what: str, count: int, epsilon: float, budget: Budget | None) -> None:
    total = sum_rounded_up([epsilon * count])
    streams.say(f"{what} released {count}, epsilon {epsilon:.6g} each, {total:.6g} in all")
    if budget is not None:
        repetition.say_budget(budget)


class _Released(NamedTuple):
    """What became of some lines. It holds nothing of the lines as typed."""

    embeddings: list[_core.Embedding]
    input_bytes: int
    lines: int
    """The number of lines that were read: all, or those before the one that failed."""
    invalid: int
    """How many of them were not UTF-8."""
    failure: tuple[str, int] | None
    """What failed in the line after those, and the exit code."""


def _embed_block(embedder: _core.Embedder, invalid_utf8: str, _: int, block: bytes) -> _Released:
    """Runs on a worker. `block` is a line, or several with newlines between them."""
    typed = block.split(b"\n")
    kept, invalid = lines.mended(typed, invalid_utf8)
    embeddings, error = embedder.embed_lines(list(kept.values()))
    reached = len(typed) if error is None else list(kept)[len(embeddings)]
    return _Released(
        embeddings=embeddings,
        input_bytes=len(block) + 1,
        lines=reached,
        invalid=sum(place < reached for place in invalid),
        failure=None if error is None else lines.failure_of(error, block),
    )


class _Count:
    """Takes embeddings from blocks of lines, and counts."""

    def __init__(self) -> None:
        self._lines = self._invalid = 0

    def embeddings(self, blocks: Generator[_Released]) -> Generator[list[_core.Embedding]]:
        """Those of some lines at a time."""
        with closing(blocks) as released:
            for some in released:
                yield some.embeddings
                self._lines += len(some.embeddings)
                self._invalid += some.invalid

    def say_summary(self, embedder: Embedder, budget: Budget | None, invalid: str) -> None:
        """Says on stderr what was released and what it cost."""
        if self._invalid:
            streams.say(f"{invalid}: {self._invalid}")
        _say_released("lines", self._lines, embedder.epsilon, budget)


def _json_form(embedder: Embedder, words: int | None) -> Callable[[_core.Embedding], bytes]:
    def form(native: _core.Embedding) -> bytes:
        if words is None:
            return document(native.index, native.epsilon)
        from hushbit._embedder import embedding_of

        near = embedder.nearest_words(embedding_of(native).direction, words)
        return document(native.index, native.epsilon, words=[word.word for word in near])

    return form


def document(index: int, epsilon: float, **more: object) -> bytes:
    """An embedding as a line of JSON."""
    found = {"index": index, "epsilon": epsilon, **more}
    return json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def write_indexes(path: Path, source: dict[str, str], info: EmbedderInfo, released: Iterable[list[int]]) -> None:
    """Writes the column `index`, all of it or nothing. source: what the metadata say of the directions."""
    from hushbit._plumbing.atomic import check_writable, write_atomically

    check_writable(path)
    with extra("corpus"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    metadata = {**source, "hushbit_epsilon": repr(info.effective_epsilon)}
    schema = pa.schema([pa.field("index", pa.uint32(), nullable=False)], metadata=metadata)
    chunks = [pa.array(some, type=pa.uint32()) for some in released]
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table([pa.chunked_array(chunks, type=pa.uint32())], schema=schema), buffer)
    write_atomically(path, buffer.getvalue().to_pybytes())
