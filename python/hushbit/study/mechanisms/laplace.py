"""Madlib's noise: a density proportional to e^(-ε·|z|) over real vectors (Feyisetan et al. 2020, section 2.6)."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtri

from hushbit.study.mechanisms.randomness import uniforms


def multivariate_laplace(
    count: int, dimensions: int, epsilon: float, generator: np.random.Generator | None = None
) -> NDArray[np.float64]:
    """Noise vectors (count, dimensions): a uniform direction times a radius that is Gamma(dimensions, 1/ε).

    The direction is a Gaussian vector divided by its length. Without that division, or with a Laplace number for each
    coordinate, the density would be different, and the guarantee would not hold.
    """
    direction: NDArray[np.float64] = ndtri(uniforms((count, dimensions), generator))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    radius = gammaincinv(dimensions, uniforms((count, 1), generator)) / epsilon
    return np.asarray(direction * radius, dtype=np.float64)
