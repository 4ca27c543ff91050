"""Embedders release one public direction for a whole text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hushbit import _core
from hushbit._budget import Budget
from hushbit._classifier import Classifier
from hushbit._described import Described
from hushbit._many import joined, released_in_order, threads_for
from hushbit._options import EmbedderOptions, PunctuationPolicy
from hushbit._plumbing.paths import path_bytes
from hushbit._plumbing.records import Record, public
from hushbit._text import decode, encode
from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from hushbit._bundle import Bundle


@dataclass(frozen=True, slots=True)
class EmbedderInfo(Record):
    """The promises of an embedder, computed from the integers with which it draws.

    requested_epsilon: the requested epsilon.
    effective_epsilon: the local-DP epsilon of a whole text that actually holds, never above the requested one.
    dimensions: d, the number of dimensions of a direction and of a text's vector: a multiple of 8, 8 to 64.
    directions: K, the number of public directions of which one is released.
    seed: the public seed from which the directions are made.
    crowd_directions: k, the size of a text's crowd, which is the k directions with the largest inner product with its
        vector.
    crowd_threshold: the direction comes from the crowd if a uniform 64-bit integer is below this number.
    crowd_probability: crowd_threshold / 2**64.
    clamped: whether the requested epsilon was above what the integers can express and was lowered.
    memoized: whether a device key was given, so that the same text has the same embedding within an epoch.
    hash: the SHA-256, in hex, that identifies where vectors come from: that of the bundle, or that of a projection.
    """

    requested_epsilon: float
    effective_epsilon: float
    dimensions: int
    directions: int
    seed: int
    crowd_directions: int
    crowd_threshold: int
    crowd_probability: float
    clamped: bool
    memoized: bool
    hash: str


@dataclass(frozen=True, slots=True)
class Embedding(Record):
    """An embedding, which is what may be released of a whole text.

    index: the number of the direction, 0 to `directions - 1` of the embedder's info. The rest follows from
        it.
    direction: the direction itself, d numbers, each 1 or -1.
    epsilon: the local-DP epsilon of the whole text, for any two texts of any length (docs/proofs.md).
    """

    index: int
    direction: tuple[int, ...]
    epsilon: float


@dataclass(frozen=True, slots=True)
class NearWord(Record):
    """An output word, and the cosine of its vector with a direction, -1 to 1."""

    word: str
    cosine: float


class Embedder(Described):
    """Directions, an epsilon and policies for the texts of one bundle. Created by `Bundle.embedder`.

    For any two texts, of any length and of any words, and any direction: the probabilities that it is released differ
    by a factor of at most e**epsilon. So length, order and the number of unknown words are hidden too.

    Immutable. Any number of threads may use the same embedder at once: the core releases the interpreter lock. Every
    call draws fresh randomness from the operating system, unless there is a device key.

    It is pickled as its description, like a `Privatizer`, and with the same conditions.
    """

    __slots__ = ("_budget", "_bundle", "_chosen", "_info", "_native", "_punctuation")
    _OPTIONS = EmbedderOptions
    _bundle: Bundle
    _info: EmbedderInfo

    def __init__(self, bundle: Bundle, options: EmbedderOptions) -> None:
        self._bundle = bundle
        self._chosen = options.chosen()
        self._budget = options.budget
        self._punctuation = options.punctuation
        self._native = _core.Embedder(
            bundle._native,
            epsilon=options.epsilon,
            punctuation=options.punctuation,
            device_key=options.device_key,
            epoch=options.epoch,
            budget=None if options.budget is None else options.budget._native,
            audit_log=None if options.audit_log is None else path_bytes(options.audit_log),
        )
        self._info = info_of(self._native)

    @property
    def bundle(self) -> Bundle:
        """The bundle whose words it knows."""
        return self._bundle

    @property
    def info(self) -> EmbedderInfo:
        """Its promises: the requested and the effective epsilon, and the sizes."""
        return self._info

    @property
    def epsilon(self) -> float:
        """The local-DP epsilon of a whole text that actually holds. It is the cost of each embedding."""
        return self._info.effective_epsilon

    @property
    def budget(self) -> Budget | None:
        """The budget from which every embedding is spent, if there is one."""
        return self._budget

    @property
    def punctuation(self) -> PunctuationPolicy:
        """How punctuation is treated."""
        return self._punctuation

    @property
    def directions(self) -> NDArray[np.int8]:
        """The public directions, a new array, int8 (K, d) of 1 and -1. Row `index` is the direction of an embedding."""
        return direction_array(self._native)

    def embed(self, text: str) -> Embedding:
        """Embeds one text, of any length.

        Raises TypeError if `text` is not a str, InvalidTextError for a lone surrogate, InvalidArgumentError for a text
        of more than 2**24 known words, RandomnessFailedError, OutOfMemoryError, and CorruptBundleError if the bundle is
        damaged where it was read; with a budget also BudgetExhaustedError, CorruptBudgetError, UnsupportedBudgetError
        and StorageFailedError; with an audit log StorageFailedError. After an error nothing was released.
        """
        return embedding_of(self._native.embed(encode(text)))

    def embed_many(self, texts: Iterable[str], *, threads: int | None = None) -> Iterator[Embedding]:
        """Embeds texts on several threads. Yields the embeddings lazily, in the order of the texts.

        Memory, threads, budgets and errors are as in `Privatizer.privatize_many`.
        """
        count = threads_for(texts, threads, "embed")
        return released_in_order(self._native.embed_lines, embedding_of, texts, count, ahead=self._budget is None)

    def embed_indexes(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.uint32]:
        """Embeds texts and returns the indexes, uint32 (len(texts),), which are all that must be kept or sent.

        This is the fastest way for many texts. Errors are as in `embed_many`. If one is raised, no index is returned,
        and with a budget what was spent stays spent.
        """
        import numpy as np

        count = threads_for(texts, threads if self._budget is None else 1, "embed")
        batches = np.array_split(np.arange(len(texts)), min(count, max(len(texts), 1)))
        parts = [texts[part[0] : part[-1] + 1] if len(part) else [] for part in batches]
        if len(parts) == 1:
            return self._indexes(parts[0], 0)
        from concurrent.futures import ThreadPoolExecutor

        starts = np.cumsum([0, *map(len, parts)]).tolist()
        with ThreadPoolExecutor(count) as executor:
            return np.concatenate(list(executor.map(self._indexes, parts, starts)))

    def _indexes(self, texts: Sequence[str], first: int) -> NDArray[np.uint32]:
        offsets, data = joined(texts, first)
        indexes, error = self._native.embed_batch(offsets, data)
        if error is not None:
            error.add_note(f"in the text at index {first + len(indexes)}")
            raise error
        return indexes

    def vectors(self, texts: Iterable[str]) -> NDArray[np.int64]:
        """The vectors of texts as typed, int64 (texts, d). They have NO privacy.

        They are meant for public texts, and for checking what is learned from embeddings. Only the direction of a
        vector counts for an embedding. Raises what `embed` raises, except the errors of a budget, an audit log and
        randomness.
        """
        return _core.text_vectors(self._native, [encode(text) for text in texts])

    def nearest_words(self, direction: ArrayLike, k: int = 10) -> list[NearWord]:
        """The `k` output words whose vectors point most along a direction, nearest first, for people to look at.

        direction: d finite numbers: the `direction` of an embedding, or the mean of many.
        k: the number of words, 1 to the number of output words (default: 10).

        This takes milliseconds. Raises InvalidArgumentError if the direction does not fit or `k` is out of range.
        """
        import numpy as np

        numbers = np.asarray(direction, dtype=np.float64)
        if numbers.ndim != 1:
            raise InvalidArgumentError(f"the direction has {numbers.ndim} dimensions; it must be a list of numbers")
        if not 1 <= k <= self._bundle.info.output_words:
            raise InvalidArgumentError(f"k is {k}; it must be 1 to {self._bundle.info.output_words}")
        ids, cosines = self._native.nearest_words(numbers, k)
        pairs = zip(ids.tolist(), cosines.tolist(), strict=True)
        return [NearWord(decode(self._bundle._native.word(word)), cosine) for word, cosine in pairs]

    def classifier(self, path: str | os.PathLike[str]) -> Classifier:
        """Opens weights that were learned from embeddings of the same bundle, for texts as typed on this device.

        The file is JSON, as `hushbit.analysis` saves it (docs/embedding.md). Raises OSError if it cannot be read, and
        InvalidArgumentError if it is for another bundle, for other dimensions or of another version.
        """
        return Classifier(self._native, path)

    def __repr__(self) -> str:
        info = self._info
        return (
            f"<hushbit.Embedder epsilon {info.effective_epsilon:.4g} per text, {info.directions} directions of "
            f"{info.dimensions} dimensions; punctuation {self._punctuation}{', memoized' if info.memoized else ''}>"
        )


def info_of(native: _core.Embedder) -> EmbedderInfo:
    """The public form of what the core says about an embedder."""
    info = native.info()
    return public(EmbedderInfo, info, hash=info.hash.hex())


def direction_array(native: _core.Embedder) -> NDArray[np.int8]:
    """The directions as an array, int8 (K, d) of 1 and -1."""
    import numpy as np

    rows = native.directions().astype("<u8").view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(rows, axis=1, bitorder="little")[:, : native.info().dimensions]
    return (2 * bits.astype(np.int8) - 1).astype(np.int8)


def embedding_of(native: _core.Embedding) -> Embedding:
    """The public form of the result of one native call."""
    signs = native.signs
    return Embedding(
        index=native.index,
        direction=tuple(1 if signs >> i & 1 else -1 for i in range(native.dimensions)),
        epsilon=native.epsilon,
    )
