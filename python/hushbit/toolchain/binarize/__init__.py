"""Converts real vectors to binary codes.

A *method* learns from vectors (`fit`) and returns a *binarizer*, which encodes vectors. `fit` in this package finds the
method by name.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.binarize.autoencoder import AutoencoderMethod
from hushbit.toolchain.binarize.base import Binarizer, Method, Vectors, encode
from hushbit.toolchain.binarize.identity import encoder_hash
from hushbit.toolchain.binarize.itq import ItqMethod
from hushbit.toolchain.binarize.neighborhood import NeighborhoodMethod
from hushbit.toolchain.binarize.projection import ProjectionMethod

METHODS: dict[str, Method] = {
    "autoencoder": AutoencoderMethod(),
    "itq": ItqMethod(),
    "neighborhood": NeighborhoodMethod(),
    "projection": ProjectionMethod(),
}
"""The methods to learn codes, by the name that `--binarizer` takes and a bundle records."""
DEFAULT = "autoencoder"

__all__ = ["DEFAULT", "METHODS", "Binarizer", "Method", "Vectors", "encode", "encoder_hash", "fit"]


def fit(
    method: str,
    vectors: Vectors,
    *,
    bits: int,
    seed: int = 0,
    components: int | None = None,
    parameters: Mapping[str, str] | None = None,
    progress: Progress = no_progress,
) -> Binarizer:
    """Learns a binarizer from float32 vectors (words, dimensions). The same input and seed give the same binarizer.

    `components`: how many principal components to remove first; None for the method's default. `parameters` change the
    parameters of the method, by name.

    Raises InvalidArgumentError for an unknown method or parameter, bits other than a positive multiple of 8, or a
    negative seed; DivergenceError if the training fails.
    """
    if method not in METHODS:
        raise InvalidArgumentError(f"there is no binarizer {method!r}; choose one of: {', '.join(METHODS)}")
    if bits < 8 or bits % 8 != 0:
        raise InvalidArgumentError(f"a code of {bits} bits is not possible; the number of bits must be a multiple of 8")
    if seed < 0:
        raise InvalidArgumentError(f"the seed is {seed}; it must be 0 or more")
    chosen = with_parameters(method, parameters or {})
    if components is None:
        components = chosen.default_components(vectors.shape[1])
    return chosen.fit(vectors, bits=bits, seed=seed, components=components, progress=progress)


def with_parameters(method: str, parameters: Mapping[str, str]) -> Method:
    """The method with changed parameters, given as text. Raises InvalidArgumentError for unknown parameters."""
    chosen: Any = METHODS[method]
    known = {field.name: type(getattr(chosen, field.name)) for field in fields(chosen)}
    values = {}
    for name, text in parameters.items():
        if name not in known:
            there = f"; its parameters are: {', '.join(known)}" if known else ""
            raise InvalidArgumentError(f"the binarizer {method} has no parameter {name!r}{there}")
        try:
            values[name] = known[name](text)
        except ValueError:
            raise InvalidArgumentError(f"the parameter {name} of the binarizer {method} cannot be {text!r}") from None
    changed: Method = replace(chosen, **values)
    return changed
