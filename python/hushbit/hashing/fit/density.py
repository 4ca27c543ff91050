"""Joint densities of rows that can be fitted and drawn from."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit.hashing.fit.normal_scores import NormalScores
from hushbit.hashing.fit.random import Source, below, choose, normal

MAX_COMPONENTS = 5
_MAX_FITTED = 20_000  # a mixture of more rows is fitted to a fixed sample of them
_SCALED_COPY_SPREAD = 0.1
_MAX_KERNELS = 1 << 14
_NEIGHBORS, _NEIGHBORS_POWER = 0.7, 0.4  # 0.7 n^0.4 of n rows
_BLOCK = 0.5  # a block of normal scores has sqrt(n) / 2 of n values
_SHAKE = 0.25  # a share of what rounding leaves
_BALANCED = 4096  # rows to learn from how centers are balanced
_BLOCK_NUMBERS = 1 << 20


class Density(Protocol):
    """A distribution of rows of fixed length."""

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """A row for each of `members`, which are uniform indices of the rows that were fitted."""
        ...

    def describe(self) -> str:
        """Describes the fit in a few words, for the report."""
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
        rows: NDArray[np.float64] = (self._mean / self._scale + noise) * self._scale  # a product has all digits
        return rows

    def describe(self) -> str:
        """Describes the fit in a few words."""
        return "Gaussian"


class Mixture:
    """A mixture of at most MAX_COMPONENTS Gaussians, as many as are best by the Bayesian information criterion.

    It is deterministic.
    """

    def __init__(self, rows: NDArray[np.float64]) -> None:
        with extra("hashing"):
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
        """Describes the fit in a few words."""
        return f"mixture of {self.components} Gaussians" if self.components > 1 else "Gaussian (by BIC)"


class Kernel:
    """A Gaussian for every row with the mean and covariance of its nearest rows, in normal scores.

    Real weights have a narrow peak and long tails, which no one width suits; their normal scores do. A Gaussian around
    the row itself (Parzen) would leave what is drawn from it closer to that row than rows are to each other; around its
    neighbors (Taylor and Thompson 1986) it keeps the local mean and covariance, and follows dimensions that depend on
    each other. Of more than 16,384 rows a fixed sample is fitted.
    """

    def __init__(self, rows: NDArray[np.float64], noise: int = 0) -> None:
        """The last `noise` columns are left from sums by rounding: each row gets those of a row near it."""
        with extra("hashing"):
            from sklearn.neighbors import NearestNeighbors

        if len(rows) > _MAX_KERNELS:
            rows = rows[np.random.default_rng(0).permutation(len(rows))[:_MAX_KERNELS]]
        self._neighbors = min(len(rows), 2 + round(_NEIGHBORS * len(rows) ** _NEIGHBORS_POWER))
        self._free = rows.shape[1] - noise
        self._maps = [NormalScores(column, max(round(_BLOCK * len(rows) ** 0.5), 1)) for column in rows.T[: self._free]]
        self._scores = rows.copy()
        for i, scores in enumerate(self._maps):
            self._scores[:, i] = scores.scores(rows[:, i])

        known = self._scores[:, : self._free]
        self._search = NearestNeighbors(n_neighbors=self._neighbors).fit(known)
        self._own, self._stretch = 0.0, np.ones(self._free)
        self._balance()

    def _balance(self) -> None:
        """Finds how far centers must be from the neighbors' mean toward the row itself for variances to stay."""
        known = self._scores[:, : self._free]
        sample = known[:: len(known) // _BALANCED + 1]
        near = known[self._search.kneighbors(sample, return_distance=False)]
        centers, inside = near.mean(axis=1), near.var(axis=1).mean(axis=0)
        apart = sample - centers
        wanted = sample.var(axis=0).sum() - inside.sum()
        squared = apart.var(axis=0).sum()
        linear = ((centers - centers.mean(axis=0)) * (apart - apart.mean(axis=0))).mean(axis=0).sum()
        rest = centers.var(axis=0).sum() - wanted
        self._own = float(np.clip((-linear + np.sqrt(max(linear**2 - squared * rest, 0))) / max(squared, 1e-300), 0, 1))
        total = (centers + self._own * apart).var(axis=0) + inside
        self._stretch = np.sqrt(sample.var(axis=0) / total)

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """A row near each of `members`."""
        found, places = np.unique(members % len(self._scores), return_inverse=True)
        order = np.argsort(places, kind="stable")
        starts = np.searchsorted(places[order], np.arange(len(found) + 1))
        rows = np.empty((len(members), self._scores.shape[1]))
        noise = normal(len(members), rows.shape[1], words)
        whose = below(self._neighbors, len(members), words)
        block = max(_BLOCK_NUMBERS // (self._neighbors * rows.shape[1]), 1)
        for first in range(0, len(found), block):
            own = self._scores[found[first : first + block]]
            near = self._scores[self._search.kneighbors(own[:, : self._free], return_distance=False)]
            scores = near[..., : self._free]
            centers = scores.mean(axis=1)
            roots = _roots(scores - centers[:, None])
            centers += self._own * (own[:, : self._free] - centers)
            mine = order[starts[first] : starts[min(first + block, len(found))]]
            at = places[mine] - first
            rows[mine, : self._free] = centers[at] + np.einsum("nij,nj->ni", roots[at], noise[mine, : self._free])
            # Rounded to the row's own digits once more, or else those that come from a row near it would show.
            left = near[..., self._free :]
            rows[mine, self._free :] = left[at, whose[mine]]
            rows[mine, self._free :] += _SHAKE * np.abs(left).mean(axis=1)[at] * noise[mine, self._free :]
        for i, scores in enumerate(self._maps):
            rows[:, i] = scores.values(rows[:, i] * self._stretch[i])
        return rows

    def describe(self) -> str:
        """Describes the fit in a few words."""
        return "kernel density"


class ScaledCopies:
    """A copy of a row, a tenth larger or smaller: for rows of a kind that is too rare to fit anything to."""

    def __init__(self, rows: NDArray[np.float64]) -> None:
        self._rows = rows

    def draw(self, members: NDArray[np.int64], words: Source) -> NDArray[np.float64]:
        """A copy of each of `members`."""
        return self._rows[members] * np.exp(_SCALED_COPY_SPREAD * normal(len(members), 1, words))

    def describe(self) -> str:
        """Describes the fit in a few words."""
        return "scaled copies"


def _root(covariance: NDArray[Any]) -> NDArray[np.float64]:
    """A with A A^T = covariance, also where that is singular."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[..., None, :], dtype=np.float64)


def _roots(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Roots of the covariance of each of (n, k, d) centered rows."""
    return _root(np.einsum("nki,nkj->nij", rows, rows) / rows.shape[1])


def _quietly(mixture: Any, rows: NDArray[np.float64]) -> float:
    """Fits and returns the criterion; that EM stopped at its last step is no reason to warn, BIC compares anyway."""
    import warnings

    with extra("hashing"):
        from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return float(mixture.fit(rows).bic(rows))
