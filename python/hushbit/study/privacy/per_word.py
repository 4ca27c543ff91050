"""N_w, S_w and the effective support of every measured word (Feyisetan et al. 2020, plausible deniability)."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle
from hushbit.study.mechanisms.base import Ids
from hushbit.study.privacy import monte_carlo
from hushbit.study.privacy.figures import Listed, PerWord
from hushbit.study.privacy.intervals import CONFIDENCE, binomial_bounds

LISTED = 10
"""Words that a report names as the least, or the most, protected."""


def counted(ids: Ids, outputs: Ids, eta: float) -> PerWord:
    """Figures counted in draws: `outputs` are (len(ids), draws)."""
    return _per_word(
        ids,
        monte_carlo.unchanged(ids, outputs),
        monte_carlo.distinct(outputs),
        monte_carlo.support(outputs, eta),
        outputs.shape[1],
        exact=False,
    )


def computed(
    ids: Ids, unchanged: NDArray[np.float64], distinct: NDArray[np.float64], support: NDArray[np.float64], draws: int
) -> PerWord:
    """Figures that are known exactly, (len(ids),) each."""
    return _per_word(ids, unchanged, distinct, support, draws, exact=True)


def outcomes(
    blocks: Iterable[NDArray[np.float64]], draws: int, eta: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The expected S_w of `draws` draws, and the effective support, from output distributions: rows, block by block."""
    distinct, support = [], []
    for chances in blocks:
        distinct.append(-np.expm1(draws * np.log1p(-np.minimum(chances, 1 - 1e-16))).sum(axis=1))
        sums = np.cumsum(-np.sort(-chances, axis=1), axis=1)
        support.append((sums < (1 - eta) * (1 - 1e-12)).sum(axis=1) + 1.0)
    return np.concatenate(distinct), np.concatenate(support)


def rows_of(words: PerWord, bundle: Bundle, mechanism: str, epsilon: float) -> Iterator[dict[str, Any]]:
    """A JSON document for each word. Intervals of N_w are of 95 % (Clopper and Pearson 1934)."""
    shares = np.array(words.unchanged)
    low = high = shares
    if not words.exact:
        low, high = binomial_bounds(np.rint(shares * words.draws), words.draws, (1 + CONFIDENCE) / 2)
    for place, word in enumerate(words.ids):
        yield {
            "mechanism": mechanism,
            "epsilon": epsilon,
            "word": bundle.word(word),
            "unchanged": words.unchanged[place],
            "unchanged_low": float(low[place]),
            "unchanged_high": float(high[place]),
            "distinct": words.distinct[place],
            "support": words.support[place],
            "draws": words.draws,
            "exact": words.exact,
        }


def least_and_most_protected(words: PerWord, bundle: _core.Bundle) -> tuple[list[Listed], list[Listed]]:
    """Some words that stay themselves most often, and least often, each with N_w and S_w.

    Among words of equal N_w, those with fewer different outputs are less protected.
    """
    order = np.lexsort((np.array(words.distinct), -np.array(words.unchanged)))

    def listed(places: NDArray[np.intp]) -> list[Listed]:
        return [
            (bundle.word(words.ids[i]).decode("utf-8", "replace"), words.unchanged[i], words.distinct[i])
            for i in places.tolist()
        ]

    return listed(order[:LISTED]), listed(order[::-1][:LISTED])


def _per_word(
    ids: Ids,
    unchanged: NDArray[np.float64],
    distinct: NDArray[np.float64],
    support: NDArray[np.float64],
    draws: int,
    *,
    exact: bool,
) -> PerWord:
    values = [tuple(found.tolist()) for found in (unchanged, distinct, support)]
    return PerWord(tuple(ids.tolist()), values[0], values[1], values[2], draws, exact)
