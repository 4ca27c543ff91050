"""PrivUnit (Bhowmick et al. 2018) with the best caps (Asi, Feldman and Talwar 2022): a baseline for unit vectors.

It is in floating point, so it is for comparison only: low-order bits of what it draws can leak.
"""

import math

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit.errors import InvalidArgumentError

with extra("privacy"):
    from scipy.special import betainc, betaincinv

Floats = NDArray[np.float64]
_CANDIDATES = 4000


class PrivUnit:
    """Draws a unit vector: from the cap around the given one with the probability p, otherwise from its complement.

    Any two vectors are ε-indistinguishable: the densities inside and outside a cap of the share q are p / q and
    (1 - p) / (1 - q), and their ratio is e^ε. q is the one that makes the drawn vector point best along the given one.
    """

    def __init__(self, dimensions: int, epsilon: float) -> None:
        if dimensions < 2 or not 0 < epsilon < math.inf:
            raise InvalidArgumentError(f"PrivUnit needs 2 dimensions or more and a finite epsilon above 0: {epsilon}")
        self.dimensions = dimensions
        shares = np.exp(np.linspace(math.log(0.5), -epsilon - 8, _CANDIDATES))
        heights = _height_of_share(shares, dimensions)
        chances = shares * math.exp(epsilon) / (1 - shares + shares * math.exp(epsilon))
        along = _mean_height(
            heights, dimensions
        )  # the integral over the whole sphere, counted where it lies in the cap
        means = chances * along / shares - (1 - chances) * along / (1 - shares)
        best = int(means.argmax())
        self.share, self.height, self.chance = float(shares[best]), float(heights[best]), float(chances[best])
        self.mean = float(means[best])
        """The mean inner product of the drawn vector with the given one."""
        edges = np.array([-1.0, self.height, 1.0])
        outside, inside = np.diff(_square_below(edges, dimensions))
        self.mean_square = float(self.chance * inside / self.share + (1 - self.chance) * outside / (1 - self.share))
        """The mean of its square."""

    def release(self, units: Floats, generator: np.random.Generator) -> Floats:
        """A draw for each row of unit vectors (texts, d); a row of zeros draws any vector."""
        count, d = units.shape
        inside = generator.random(count) < self.chance
        # The share of the sphere above a height is uniform: draw it within the cap or outside of it.
        above = np.where(inside, self.share * generator.random(count), 1 - (1 - self.share) * generator.random(count))
        heights = _height_of_share(above, d)
        across = generator.standard_normal((count, d))
        across -= (across * units).sum(axis=1, keepdims=True) * units
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        drawn = heights[:, None] * units + np.sqrt(1 - heights**2)[:, None] * across
        empty = ~units.any(axis=1)
        drawn[empty] = across[empty]
        return np.asarray(drawn)


def _height_of_share(shares: Floats, d: int) -> Floats:
    """The height h above which the share of the unit sphere in d dimensions lies: (1 + h) / 2 is beta distributed."""
    half = (d - 1) / 2
    return np.asarray(1 - 2 * betaincinv(half, half, shares))


def _mean_height(heights: Floats, d: int) -> Floats:
    """The integral of the height over the part of the sphere above each of `heights`, as a share of the sphere."""
    half = (d - 1) / 2
    density = math.exp(math.lgamma(d / 2) - math.lgamma(half)) / math.sqrt(math.pi)
    return np.asarray(density * (1 - heights**2) ** half / (d - 1))


def _square_below(heights: Floats, d: int) -> Floats:
    """The integral of the squared height over the part of the sphere below each of `heights`, as a share of the sphere.

    The squared height is beta distributed with the parameters 1/2 and (d - 1)/2, of the mean 1/d.
    """
    signs = np.sign(heights)
    return np.asarray((1 + signs * betainc(1.5, (d - 1) / 2, heights**2)) / (2 * d))
