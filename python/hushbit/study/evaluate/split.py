"""Splits documents as section 5.3 of the TEM paper does: four parts, two of the owner, two of others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.names import shown
from hushbit.errors import InvalidArgumentError

TRAIN_SHARE = 0.25
LEAST = 2  # documents of a class in each part

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Disjoint sets of documents, each with all classes in the proportions of the whole."""

    train: Indices
    """TR1: the documents that the model is trained on, the members that the attacker looks for."""
    held_out: Indices
    """TR2: the non-members of the model, which the attacker has never seen."""
    test: Indices
    """TE1: the documents on which accuracy is measured; non-members of the shadow model, which the attacker knows."""
    shadow: Indices
    """TE2: the documents that the attacker's shadow model is trained on."""


def check_sizes(
    labels: NDArray[np.int64], in_test: NDArray[np.bool_] | None, classes: list[str], train_share: float = TRAIN_SHARE
) -> None:
    """Says early what `split` would fail on. Raises InvalidArgumentError."""
    if not 0 < train_share < (1 if in_test is None else 0.5):
        most = "1" if in_test is None else "0.5, since half of the documents are for testing"
        raise InvalidArgumentError(f"the share to train on is {train_share:g}; it must be above 0 and below {most}")
    parts = split(labels, in_test, np.random.default_rng(0), train_share)
    for index, name in enumerate(map(shown, classes)):
        for what, part in vars(parts).items():
            if np.count_nonzero(labels[part] == index) < LEAST:
                raise InvalidArgumentError(
                    f"there are {np.count_nonzero(labels == index)} documents of the class {name}, too few to split: "
                    f"the part called {what.replace('_', ' ')} needs {LEAST} or more"
                )


def split(
    labels: NDArray[np.int64],
    in_test: NDArray[np.bool_] | None,
    generator: np.random.Generator,
    train_share: float = TRAIN_SHARE,
) -> Split:
    """Draws a split, class by class.

    `in_test` is the data's own choice of halves, each of which is split in two; else all four parts come from one draw.
    `train_share` is that of TR1 in all documents. The other parts are of equal size, or as the halves have it.
    """
    parts: list[list[Indices]] = [[], [], [], []]
    for label in np.unique(labels):
        members = generator.permutation(np.flatnonzero(labels == label))
        if in_test is None:
            first = round(len(members) * train_share)
            rest = len(members) - first
            cuts = [first, first + rest // 3, first + 2 * rest // 3]
        else:
            members = members[np.argsort(in_test[members], kind="stable")]
            training = int(np.count_nonzero(~in_test[members]))
            cuts = [round(training * 2 * train_share), training, training + (len(members) - training) // 2]
        for part, chosen in zip(parts, np.split(members, cuts), strict=True):
            part.append(chosen)
    return Split(*(np.sort(np.concatenate(part)) for part in parts))
