"""Crowds as in the core, and their exact channel, computed from the core's integers (docs/crowd.md)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import CrowdSize
from hushbit.errors import InvalidArgumentError
from hushbit.study.mechanisms.base import Ids, require_ids
from hushbit.study.mechanisms.core import CoreMechanism

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_RANGE = 2.0**64


@dataclass(frozen=True)
class Channel:
    """Pr[y | x] = λ·w(r, y)/m + (1 - λ)·q(y)/M, where r is the stand-in of x. All numbers come from the core.

    N known words, Y output words; an output index is a position in `outputs`.
    """

    outputs: Ids
    """(Y,): known ids, ascending."""
    stand_ins: NDArray[np.intp]
    """(N,): output indices."""
    starts: NDArray[np.intp]
    """(Y + 1,): where the crowd of each output begins in `members`, and where the last one ends."""
    members: NDArray[np.intp]
    """(E,): output indices, crowd by crowd, each in its own order."""
    member_shares: NDArray[np.int64]
    """(E,): the integers w of the members."""
    weights: NDArray[np.int64]
    """(Y,): the integers q."""
    mass: int
    """The mass m of each crowd."""
    threshold: int
    """The threshold of the 64-bit coin."""
    public: NDArray[np.bool_]
    """(N,): words that are released as typed. The formula does not hold for them, and no output word is among them."""

    @property
    def total(self) -> int:
        """The sum M of all weights."""
        return int(self.weights.sum())

    @property
    def coin(self) -> float:
        """The probability λ."""
        return self.threshold / _RANGE

    @cached_property
    def noise(self) -> NDArray[np.float64]:
        """(Y,): the probability of each output word for any typed word; for an unknown token, divide it by 1 - λ."""
        return np.asarray((_RANGE - self.threshold) / _RANGE * self.weights / self.total)

    @cached_property
    def shares(self) -> "csr_array":
        """(Y, Y): the integers w. Row r is the crowd of r; its entries are in the order of the crowd."""
        from scipy.sparse import csr_array

        count = len(self.outputs)
        # Building it from the arrays keeps the order of the crowd in each row.
        return csr_array((self.member_shares, self.members, self.starts), shape=(count, count))

    @cached_property
    def member_chances(self) -> NDArray[np.float64]:
        """(E,): the additional probability of each member."""
        return np.asarray(self.member_shares * (self.coin / self.mass))

    @cached_property
    def from_crowd(self) -> "csr_array":
        """(Y, Y): the additional probability of the members of a crowd."""
        scaled = self.shares.astype(np.float64)
        scaled.data *= self.coin / self.mass
        return scaled

    def distribution(self, words: Ids) -> NDArray[np.float64]:
        """(len(words), Y): the probability of each output word, by known word. A public word is treated as if it were
        not public.
        """
        rows = self.stand_ins[require_ids(words, len(self.stand_ins))]
        return np.asarray(self.from_crowd[rows].toarray() + self.noise)

    def of_pairs(self, words: Ids, released: NDArray[np.integer]) -> NDArray[np.float64]:
        """(len(words), len(released)): the probability of each output index, by known word."""
        different, rows = np.unique(self.stand_ins[require_ids(words, len(self.stand_ins))], return_inverse=True)
        kinds, columns = np.unique(released, return_inverse=True)
        chances = self.from_crowd[different][:, kinds].toarray() + self.noise[kinds]
        return np.asarray(chances[rows][:, columns])

    def unchanged(self) -> NDArray[np.float64]:
        """N_w, (N,): 0 for a word that cannot come out, 1 for a public word."""
        own = self.from_crowd.diagonal() + self.noise
        found = own[self.stand_ins]
        found[self.outputs[self.stand_ins] != np.arange(len(found))] = 0
        found[self.public] = 1
        return np.asarray(found)

    def with_threshold(self, threshold: int) -> "Channel":
        """The same crowds with a different coin."""
        return replace(self, threshold=threshold)

    def indices_of(self, released: Ids) -> NDArray[np.intp]:
        """Output indices of known ids that are output words."""
        return np.searchsorted(self.outputs, released)


class CrowdMechanism(CoreMechanism):
    """Crowds: a word of the crowd with probability λ, otherwise any output word by weight. This is local DP with ε for
    any two words.

    Size "one" is randomized response over the output words (Kairouz, Oh and Viswanath 2014). None means the bundle's
    size.
    """

    name = "crowd"

    def __init__(self, bundle: _core.Bundle, epsilon: float, size: CrowdSize | None = None) -> None:
        super().__init__(bundle, epsilon, crowd_size=size)

    @property
    def size(self) -> CrowdSize:
        """The size of the crowds."""
        size = self.info.crowd_size
        assert size is not None  # noqa: S101 - the mechanism is a crowd
        return size

    @cached_property
    def channel(self) -> Channel:
        """The exact channel. It reads the crowd of every output word."""
        return read_channel(self)

    def crowd(self, word: int) -> NDArray[np.uint32]:
        """(members, 3): id, share and weight, the nearest first."""
        return _core.crowd(self._privatizer, word)

    def output_weights(self) -> NDArray[np.uint32]:
        """(N,): the weight of each known word; 0 if it cannot come out."""
        return _core.output_weights(self._privatizer)


def read_channel(crowds: CrowdMechanism) -> Channel:
    """The channel of the core's tables. Raises InvalidArgumentError if they contradict each other."""
    bundle = crowds.bundle
    outputs = bundle.output_words()
    known = np.arange(bundle.info().words, dtype=np.uint32)
    stand_ins = bundle.stand_ins(known)
    weights = crowds.output_weights()[outputs].astype(np.int64)
    rows = [crowds.crowd(word) for word in outputs.tolist()]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    members = np.concatenate(rows)
    columns = np.searchsorted(outputs, members[:, 0])
    if (outputs[columns] != members[:, 0]).any() or (weights[columns] != members[:, 2]).any():
        raise InvalidArgumentError("the bundle's crowds contain words that are not output words, or different weights")
    return Channel(
        outputs,
        np.searchsorted(outputs, stand_ins),
        starts,
        columns,
        members[:, 1].astype(np.int64),
        weights,
        crowds.info.crowd_mass,
        crowds.info.crowd_threshold,
        crowds.is_public(known),
    )
