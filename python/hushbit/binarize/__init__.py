"""From real vectors to codes of bits.

A *method* learns from vectors (`fit`) and gives a *binarizer*, which encodes vectors. `fit` here finds the method by
name.
"""

from hushbit._progress import Progress, no_progress
from hushbit.binarize.base import Binarizer, Method, Vectors, encode
from hushbit.binarize.projection import ProjectionMethod
from hushbit.errors import InvalidArgumentError

METHODS: dict[str, Method] = {"projection": ProjectionMethod()}
"""Ways to learn codes, by the name that `--binarizer` takes and a bundle records."""

__all__ = ["METHODS", "Binarizer", "Method", "Vectors", "encode", "fit"]


def fit(method: str, vectors: Vectors, *, bits: int, seed: int = 0, progress: Progress = no_progress) -> Binarizer:
    """Learns a binarizer from float32 vectors (words, dimensions). The same input and seed give the same binarizer.

    Raises InvalidArgumentError for an unknown method, bits other than a positive multiple of 8, or a negative seed.
    """
    if method not in METHODS:
        raise InvalidArgumentError(f"no binarizer is called {method!r}; there is: {', '.join(METHODS)}")
    if bits < 8 or bits % 8 != 0:
        raise InvalidArgumentError(f"a code of {bits} bits is not possible; bits are a multiple of 8")
    if seed < 0:
        raise InvalidArgumentError(f"the seed is {seed}; it must be 0 or more")
    return METHODS[method].fit(vectors, bits=bits, seed=seed, progress=progress)
