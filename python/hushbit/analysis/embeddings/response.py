"""How a released direction answers to the direction of a text's vector: what every estimate from releases rests on."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError

VECTORS = 1024
"""Public random vectors over which a crowd is averaged."""
MISS = 1e-9
"""The probability that m or a is farther off than its bound."""
_SEED = 0
_BLOCK = 128


@dataclass(frozen=True)
class Response:
    """Constants of an embedder: u is the unit vector of a text, ĝ = g / √d the unit vector of a released direction.

    A direction is released from the crowd of u with the chance λ, and otherwise from all, whose first and second
    moments are known exactly. Those of crowds are averages over random u, which differ only in their place among the
    directions: E[ĝ | u] = m·u + (1 - λ)·E_all[ĝ], and off the diagonal E[ĝĝᵀ | u] = κ·uuᵀ + (1 - λ)·E_all[ĝĝᵀ]. On the
    diagonal ĝĝᵀ is 1/d whatever u is, since directions are signs.
    """

    directions: NDArray[np.int8]
    """(K, d) of 1 and -1."""
    crowd: int
    """k, the number of directions in a crowd."""
    chance: float
    """λ, the chance that the direction is from the crowd."""
    m: float
    """The mean of ⟨ĝ, u⟩ of what is released, but for the mean of all directions."""
    m_error: float
    """The standard error of m, from averaging over VECTORS random vectors."""
    m_bound: float
    """How far m is at most from its mean over all directions of u, unless an event of the probability MISS occurred
    when the public vectors were drawn. A theorem, unlike `m_error`, and much wider: see `_bounds`."""
    m_deviation: float
    """The standard deviation of m over single vectors, which differ in their place among the directions."""
    a: float
    """The mean of ⟨ĝ, u⟩²."""
    a_error: float
    """Its standard error."""
    a_bound: float
    """The same bound for a as `m_bound` is for m."""
    kappa: float
    """κ, the factor of u_i·u_j in E[ĝ_i·ĝ_j]: λ·(a_crowd - 1/d)·(d + 2)/(d - 1)."""
    mean_of_all: NDArray[np.float64]
    """(d,): (1 - λ)·E_all[ĝ]."""
    moments_of_all: NDArray[np.float64]
    """(d, d): (1 - λ)·E_all[ĝĝᵀ]."""

    @property
    def dimensions(self) -> int:
        """d."""
        return int(self.directions.shape[1])

    @property
    def b(self) -> float:
        """The mean of ⟨ĝ, x⟩² for a unit vector x at a right angle to u: what of 1 is left, over d - 1 such vectors."""
        return (1 - self.a) / (self.dimensions - 1)

    @property
    def units(self) -> NDArray[np.float64]:
        """ĝ: (K, d)."""
        return self.directions / math.sqrt(self.dimensions)


def response_of(directions: NDArray[np.int8], crowd: int, chance: float, vectors: int = VECTORS) -> Response:
    """The response of an embedder: its `directions`, and `crowd_directions` and `crowd_probability` of its info.

    Nothing typed is used: the average is over `vectors` Gaussian vectors of a public seed. It takes half a second.

    Raises InvalidArgumentError for a crowd or a chance that no embedder has.
    """
    count, d = directions.shape
    if d < 2 or not 1 <= crowd <= count or not 0 <= chance <= 1 or vectors < 2:
        raise InvalidArgumentError(f"no embedder has {count} directions in {d} dimensions, {crowd} of them in a crowd")
    units = directions / math.sqrt(d)
    of_all = units.mean(axis=0)
    along, squares = _crowds_of_random_vectors(units, crowd, vectors)
    m, m_deviation = chance * along.mean(), chance * along.std(ddof=1)
    second_of_all = units.T @ units / count
    along_bound, squares_bound = _bounds(
        along, squares, count / crowd * float(np.linalg.eigvalsh(second_of_all)[-1]), d
    )
    # The mean of ⟨ĝ, u⟩² over all directions is exactly 1/d for a random u.
    a = chance * squares.mean() + (1 - chance) / d
    return Response(
        directions=directions,
        crowd=crowd,
        chance=chance,
        m=float(m),
        m_error=float(m_deviation / math.sqrt(vectors)),
        m_bound=chance * along_bound,
        m_deviation=float(m_deviation),
        a=float(a),
        a_error=float(chance * squares.std(ddof=1) / math.sqrt(vectors)),
        a_bound=chance * squares_bound,
        kappa=float(chance * (squares.mean() - 1 / d) * (d + 2) / (d - 1)),
        mean_of_all=(1 - chance) * of_all,
        moments_of_all=(1 - chance) * second_of_all,
    )


def _bounds(along: NDArray[np.float64], squares: NDArray[np.float64], largest: float, d: int) -> tuple[float, float]:
    """How far the means of `along` and `squares`, (vectors,) each, are at most from those over all u, but for MISS.

    `largest` is at least the mean of ⟨ĝ, u⟩² over the crowd, for every u: K/k times the largest eigenvalue of
    E_all[ĝĝᵀ] is, since a sum over the crowd is at most that over all directions. So `squares` are from 0 to `largest`,
    and the empirical Bernstein bound holds for their mean (Maurer and Pontil 2009).

    The mean of ⟨ĝ, u⟩ over the crowd is the largest of the functions ⟨mean of ĝ over S, u⟩ for sets S of k directions,
    whose gradients are at most √largest long. So it is Lipschitz with this constant, and by the logarithmic Sobolev
    inequality of the sphere, whose constant is d - 1, and Herbst's argument its mean over n independent u deviates by t
    or more with a probability of at most 2·exp(-n(d - 1)t² / (2·largest)) (Ledoux 2001).
    """
    largest, logarithm, count = min(largest, 1.0), math.log(4 / MISS), len(along)
    by_gradient = math.sqrt(2 * largest * logarithm / (count * (d - 1)))
    by_variance = math.sqrt(2 * squares.var(ddof=1) * logarithm / count) + 7 * largest * logarithm / (3 * (count - 1))
    return by_gradient, by_variance


def _crowds_of_random_vectors(
    units: NDArray[np.float64], crowd: int, vectors: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The means over the crowd of each of some random unit vectors u of ⟨ĝ, u⟩ and of its square, (vectors,) each."""
    generator = np.random.Generator(np.random.PCG64(_SEED))
    along, squares = np.empty(vectors), np.empty(vectors)
    for first in range(0, vectors, _BLOCK):
        u = generator.standard_normal((min(_BLOCK, vectors - first), units.shape[1]))
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        products = u @ units.T
        if crowd < products.shape[1]:
            products = np.partition(products, -crowd, axis=1)[:, -crowd:]
        rows = slice(first, first + len(u))
        along[rows], squares[rows] = products.mean(axis=1), (products**2).mean(axis=1)
    return along, squares
