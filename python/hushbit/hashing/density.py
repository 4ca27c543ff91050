"""Joint densities of rows that can be fitted and drawn from."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit.hashing.normal_scores import NormalScores
from hushbit.hashing.random import Source, choose, normal

MAX_COMPONENTS = 5
_MAX_FITTED = 20_000  # a mixture of more rows is fitted to a fixed sample of them
_SCALED_COPY_SPREAD = 0.1
_NARROWER = 0.25  # than Silverman's kernel
_BLOCK_ROWS = 1 << 16


class Density(Protocol):
    """A distribution of rows of fixed length."""

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """A row for each of `members`, which are uniform indices of the rows that were fitted."""
        ...

    def describe(self) -> str:
        """In a few words, for the report."""
        ...


class Gaussian:
    """One Gaussian with the rows' mean and covariance."""

    def __init__(self, rows: NDArray[np.float64]) -> None:
        self._mean, self._scale = rows.mean(axis=0), rows.std(axis=0)
        scaled = (rows - self._mean) / self._scale  # columns may be of very different sizes
        self._factor = _root(scaled.T @ scaled / len(rows))

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """Independent of `members` but for their number."""
        noise: NDArray[np.float64] = normal(len(members), len(self._mean), words) @ self._factor.T
        rows: NDArray[np.float64] = self._mean + noise * self._scale
        return rows

    def describe(self) -> str:
        """In a few words."""
        return "Gaussian"


class Mixture:
    """Up to MAX_COMPONENTS Gaussians, as many as the Bayesian information criterion likes best; deterministic."""

    def __init__(self, rows: NDArray[np.float64]) -> None:
        from sklearn.mixture import GaussianMixture

        self._scale = rows.std(axis=0)
        scaled = rows / self._scale
        if len(scaled) > _MAX_FITTED:
            scaled = np.random.default_rng(0).permutation(scaled)[:_MAX_FITTED]
        best: Any = None
        criterion = np.inf
        for components in range(1, min(MAX_COMPONENTS, len(scaled)) + 1):
            candidate = GaussianMixture(components, reg_covar=1e-9, random_state=0, max_iter=200)
            found = _quietly(candidate, scaled)
            if found < criterion:
                best, criterion = candidate, found
        self.components = int(best.n_components)
        self._weights = np.asarray(best.weights_)
        self._means = np.asarray(best.means_)
        self._factors = [_root(covariance) for covariance in best.covariances_]

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """Independent of `members` but for their number."""
        chosen = choose(self._weights, len(members), words)
        noise = normal(len(members), self._means.shape[1], words)
        for component, factor in enumerate(self._factors):
            mine = chosen == component
            noise[mine] = noise[mine] @ factor.T
        rows: NDArray[np.float64] = (self._means[chosen] + noise) * self._scale
        return rows

    def describe(self) -> str:
        """In a few words."""
        return f"mixture of {self.components} Gaussians" if self.components > 1 else "Gaussian (by BIC)"


class Kernel:
    """A kernel density in normal scores: a Gaussian around every row, after ranks have made each dimension normal.

    Real weights have a narrow peak and long tails, which no one width suits; their normal scores do. The kernel has the
    shape of the scores' covariance and a quarter of Silverman's width, (n (d + 2) / 4)^(-1 / (d + 4)): his is for
    Gaussians, and smooths away how real dimensions depend on each other (attackers told such rows apart, also by the
    distance to the nearest row). So narrow a kernel widens dimensions by a percent or two at most.
    """

    def __init__(self, rows: NDArray[np.float64]) -> None:
        count, columns = rows.shape
        self._rows = rows
        self._maps = [NormalScores(column) for column in rows.T]
        width = _NARROWER * (count * (columns + 2) / 4) ** (-1 / (columns + 4))
        self._factor = width * _root(self._covariance())

    def _scores(self, members: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        return np.column_stack([m.scores(column[members]) for m, column in zip(self._maps, self._rows.T, strict=True)])

    def _covariance(self) -> NDArray[np.float64]:
        """Of the scores, block by block."""
        count, columns = self._rows.shape
        total, products = np.zeros(columns), np.zeros((columns, columns))
        for first in range(0, count, _BLOCK_ROWS):
            scores = self._scores(slice(first, first + _BLOCK_ROWS))
            total += scores.sum(axis=0)
            products += scores.T @ scores
        return np.asarray((products - np.outer(total, total) / count) / (count - 1))

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """A row near each of `members`."""
        scores = self._scores(members) + normal(len(members), len(self._maps), words) @ self._factor.T
        return np.column_stack([m.values(column) for m, column in zip(self._maps, scores.T, strict=True)])

    def describe(self) -> str:
        """In a few words."""
        return "kernel density"


class ScaledCopies:
    """A copy of a row, a tenth larger or smaller: for rows of a kind that is too rare to fit anything to."""

    def __init__(self, rows: NDArray[np.float64]) -> None:
        self._rows = rows

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """A copy of each of `members`."""
        return self._rows[members] * np.exp(_SCALED_COPY_SPREAD * normal(len(members), 1, words))

    def describe(self) -> str:
        """In a few words."""
        return "scaled copies"


def _root(covariance: NDArray[Any]) -> NDArray[np.float64]:
    """A with A A^T = covariance, also where that is singular."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0)), dtype=np.float64)


def _quietly(mixture: Any, rows: NDArray[np.float64]) -> float:
    """Fits and returns the criterion; that EM stopped at its last step is no reason to warn, BIC compares anyway."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return float(mixture.fit(rows).bic(rows))
