"""The crowds of a vocabulary: output words, stand-ins, weights, lists and grades."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.preprocessing import default_components, fit_preprocessing, to_unit_length
from hushbit.toolchain.crowds.grades import GRADES, Grade, crowd_mass
from hushbit.toolchain.crowds.nearness import crowd_lists, nearest_of
from hushbit.toolchain.crowds.outputs import choose_outputs, word_weights
from hushbit.toolchain.defaults import EXPORTED_ALPHA, EXPORTED_OUTPUTS

DEFAULT_CENTERS = 4_096
_BLOCK_ROWS = 1 << 14


@dataclass(frozen=True)
class CrowdOptions:
    """How to make crowds. `build_crowds` raises InvalidArgumentError for impossible values."""

    outputs: int | str | Sequence[str] = EXPORTED_OUTPUTS
    """The number of words that may come out, the most frequent ones; "all"; or a list of words."""
    alpha: float = EXPORTED_ALPHA
    """Weights are inversely proportional to the frequency rank to this power; 0 for equal weights."""
    centers: int = DEFAULT_CENTERS
    """How many output words, the most frequent ones, have their own list; the others borrow a list."""
    grades: tuple[Grade, ...] = GRADES
    self_first: bool = True
    """Whether a word that borrows a list comes first in its own crowd."""
    excluded: Sequence[str] = ()
    """Words that never come out. They stay known: who types one is released by its stand-in."""
    components: int | None = None
    """How many principal components of the vectors to remove first; None for a tenth of the dimensions."""


@dataclass(frozen=True)
class Crowds:
    """The tables of docs/bundle-format.md. N known words, Y output words, C centers."""

    outputs: NDArray[np.uint32]
    """(Y,): known ids, ascending. A position in it is an output index."""
    standins: NDArray[np.uint32]
    """(N,): output indices."""
    weights: NDArray[np.uint32]
    """(Y,): q, each 1 or more; M, their sum, is below 2^32."""
    center_of: NDArray[np.uint32]
    """(Y,): the number of the list that a word uses."""
    lists: list[NDArray[np.uint32]]
    """C lists of output indices, the center first, then the nearest."""
    grades: tuple[Grade, ...]
    self_first: bool

    @property
    def mass(self) -> int:
        """M, the sum of all weights."""
        return int(self.weights.sum(dtype=np.uint64))


def build_crowds(
    words: Sequence[bytes],
    ranks: NDArray[np.intp],
    vectors: NDArray[np.float32],
    options: CrowdOptions,
    progress: Progress = no_progress,
    public: Sequence[int] = (),
) -> Crowds:
    """Makes the crowds of `words`, which are sorted by their bytes.

    `ranks` (N,) is the frequency rank of each word, the most frequent first; `vectors` (N, dimensions) are as read.
    Nearness is the cosine of the preprocessed vectors. `public` are ids that must not be output words.

    Raises InvalidArgumentError for output words that are not in the vocabulary, too few output words for the crowds,
    and impossible weights or grades.
    """
    by_rank = np.argsort(ranks, kind="stable")
    by_rank = by_rank[~np.isin(by_rank, np.asarray(public, dtype=np.intp))]
    by_rank = _without(words, by_rank, options)
    chosen = by_rank[choose_outputs([words[i].decode() for i in by_rank], options.outputs)]  # the most frequent first
    weights_by_rank = word_weights(len(chosen), options.alpha)
    order = np.argsort(chosen, kind="stable")
    outputs, weights = chosen[order].astype(np.uint32), weights_by_rank[order]
    mass = int(weights.sum(dtype=np.uint64))
    reach = _reach(options.grades, mass, len(chosen))
    units = _unit_vectors(vectors, options.components)
    output_units = units[outputs]
    # The centers, most frequent first: the output indices of the first words by rank.
    index_of_rank = np.empty(len(chosen), dtype=np.uint32)
    index_of_rank[order] = np.arange(len(chosen), dtype=np.uint32)
    centers = index_of_rank[: max(1, min(options.centers, len(chosen)))]
    center_of = nearest_of(output_units, output_units[centers], progress, "centers")
    center_of[centers] = np.arange(len(centers), dtype=np.uint32)
    standins = nearest_of(units, output_units, progress, "stand-ins")
    standins[outputs] = np.arange(len(outputs), dtype=np.uint32)
    lists = crowd_lists(output_units, weights, centers, reach, progress)
    return Crowds(outputs, standins, weights, center_of, lists, options.grades, options.self_first)


def _without(words: Sequence[bytes], by_rank: NDArray[np.intp], options: CrowdOptions) -> NDArray[np.intp]:
    """The places that may be output words. A list of output words must not name an excluded one."""
    excluded = set(options.excluded)
    if not isinstance(options.outputs, int | str):
        both = sorted(excluded.intersection(options.outputs))
        if both:
            raise InvalidArgumentError(
                f"{len(both)} words are both output words and excluded from them, such as {both[0]!r}; take them out"
                " of one list"
            )
    return np.array([i for i in by_rank.tolist() if words[i].decode() not in excluded], dtype=np.intp)


def _reach(grades: tuple[Grade, ...], mass: int, outputs: int) -> int:
    """The mass that every list must have."""
    segments = [grade.integers(mass) for grade in grades]
    reach = max(row[-1][0] for row in segments)
    if reach >= mass:
        raise InvalidArgumentError(f"{outputs} output words are too few for crowds with {reach} of their mass {mass}")
    if min(map(crowd_mass, segments)) < 1:
        raise InvalidArgumentError("a grade gives crowds without mass; increase its end")
    return reach


def _unit_vectors(vectors: NDArray[np.float32], components: int | None) -> NDArray[np.float32]:
    dimensions = vectors.shape[1]
    removed = default_components(dimensions) if components is None else components
    preprocessing = fit_preprocessing(vectors, removed)
    units = np.empty((len(vectors), preprocessing.kept), dtype=np.float32)
    for first in range(0, len(vectors), _BLOCK_ROWS):
        block = preprocessing.apply(vectors[first : first + _BLOCK_ROWS]).astype(np.float32)
        units[first : first + _BLOCK_ROWS] = to_unit_length(block)
    return units
