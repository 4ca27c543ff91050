"""Reads embeddings from the source that a user names."""

from pathlib import Path

from hushbit._plumbing.files import kind_of, locate, open_text
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InputFileError, InputNotFoundError, InvalidArgumentError
from hushbit.toolchain.embeddings.array import read_npy
from hushbit.toolchain.embeddings.binary import read_binary
from hushbit.toolchain.embeddings.formats import (
    HEAD_BYTES,
    is_binary,
    is_pickle,
    is_safetensors,
    parse_header,
    refuse_bytes,
    refuse_foreign,
)
from hushbit.toolchain.embeddings.gensim import read_keyed_vectors
from hushbit.toolchain.embeddings.model import Embeddings, without_prefix
from hushbit.toolchain.embeddings.named import NAMED_SOURCES
from hushbit.toolchain.embeddings.named_arrays import is_npz, read_npz, read_safetensors
from hushbit.toolchain.embeddings.spacy import read_spacy, vectors_folder
from hushbit.toolchain.embeddings.text import read_text


def read_embeddings(
    argument: str, *, max_words: int | None = None, prefix: str = "", progress: Progress = no_progress
) -> Embeddings:
    """Reads a named source or a file. The format is detected by the file's first bytes, not by its name.

    `argument` is a name in `NAMED_SOURCES`, or a path: GloVe text, word2vec text or word2vec's binary format, plain or
    compressed with gzip, bzip2, xz or zip (`ARCHIVE.zip`, or `ARCHIVE.zip/MEMBER` if it contains several files), or a
    `.npy` array with a word list next to it (see `hushbit.toolchain.embeddings.array`), a `.npz` with both, safetensors
    with `tokenizer.json` or a word list next to it, what gensim's `KeyedVectors.save` wrote, or a folder that spaCy
    wrote, of a pipeline or of its vectors. A named source has priority over a file with the same name; write `./NAME`
    for the file.

    `max_words`, 1 or more, stops after that many distinct words, in file order. With a `prefix`, such as "/c/en/", only
    words that begin with it are taken, without it.

    Raises InputNotFoundError if there is no such source or file, InputFileError with the file and line if it is
    malformed.
    """
    if max_words is not None and max_words < 1:
        raise InvalidArgumentError(f"max_words is {max_words}; it must be at least 1")
    if argument in NAMED_SOURCES:
        embeddings = NAMED_SOURCES[argument](None if prefix else max_words, progress)
    else:
        embeddings = _read_file(argument, None if prefix else max_words, progress)
    if prefix:
        embeddings = without_prefix(embeddings, prefix, max_words)
        if not embeddings.words:
            raise InputFileError(f"{argument}: no word begins with {prefix}")
    if not embeddings.words:
        raise InputFileError(
            f"{argument}: no row is left of {embeddings.rows}: {len(embeddings.rejected)} have an infinite number or "
            f"NaN, {len(embeddings.not_utf8)} a word that is not UTF-8"
        )
    return embeddings


def _read_file(argument: str, max_words: int | None, progress: Progress) -> Embeddings:
    try:
        location = locate(argument)
    except InputNotFoundError as error:
        names = ", ".join(NAMED_SOURCES)
        raise InputNotFoundError(f"{error}, and it is not a named source (the named sources are: {names})") from None
    if location.path.is_dir():
        return _read_folder(location.path, max_words, progress)
    kind = kind_of(location.path)
    if kind == "npy":
        return read_npy(location.path, max_words, progress)
    if kind == "zip" and location.member is None and is_npz(location.path):
        return read_npz(location.path, max_words, progress)
    with open_text(location) as text:
        head = text.peek(HEAD_BYTES)
        if kind == "text" and is_pickle(head):
            return read_keyed_vectors(location.path, max_words, progress)
        if kind == "text" and is_safetensors(head):
            return read_safetensors(location.path, max_words, progress)
        refuse_foreign(location.path, head)
        header = parse_header(head.partition(b"\n")[0].rstrip(b" \r"), location.path)
        if header is not None and is_binary(head, header[1]):
            return read_binary(text, location, header, max_words, progress)
        refuse_bytes(location.path, head)
        return read_text(text, location, max_words, progress)


def _read_folder(path: Path, max_words: int | None, progress: Progress) -> Embeddings:
    folder = vectors_folder(path)
    if folder is None:
        raise InputFileError(
            f"{path}: is a folder without vectors of spaCy (vocab/vectors and vocab/key2row); name a file in it, or "
            "give the folder of a pipeline that has vectors"
        )
    return read_spacy(folder, max_words, progress)
