"""What audits of embeddings and of reports share: a coin chooses between a set of a known size and all there is."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np

from hushbit.study.audit.check import POWER, Check
from hushbit.study.audit.power import noticed_share
from hushbit.study.audit.recompute import WORD, Stream
from hushbit.study.mechanisms.core import SEED_BYTES

SEEDS = 8
"""Releases with different seeds for each text or value."""
_DIGITS = 60
_BYTES = 24  # bytes of a release: the coin, a place in the set, a place among all


@dataclass(frozen=True)
class Coin:
    """A release is one of a set of `size` if a uniform 64-bit integer is below `threshold`, else one of all `count`."""

    threshold: int
    size: int
    count: int

    def wrong_releases(
        self, release: Callable[[bytes], int], member: Callable[[int], int] | None, generator: np.random.Generator
    ) -> int:
        """How many of SEEDS releases are not what their seeds give.

        `member` gives the member of the set at a place; None where there is no set.
        """
        wrong = 0
        for _ in range(SEEDS):
            seed = generator.bytes(SEED_BYTES)
            stream = Stream(seed)
            coin, in_set, in_all = np.frombuffer(stream.take(_BYTES), dtype="<u8").tolist()
            place = stream.index(self.size, in_set)
            expected = stream.index(self.count, in_all)
            if member is not None and coin < self.threshold:
                expected = member(place)
            wrong += int(release(seed) != expected)
        return wrong

    def check(self, name: str, said: str, requested: float, effective: float, sets: str) -> Check:
        """Whether the threshold gives at most the claimed ε, and the claimed ε is at most the requested one."""
        with localcontext(prec=_DIGITS):
            odds = (Decimal(requested).exp() - 1) * self.size
            largest = min(Decimal(WORD) * odds / (self.count + odds), Decimal(WORD - 1))
            real = (1 + Decimal(self.threshold) * self.count / (Decimal(WORD - self.threshold) * self.size)).ln()
            rounded_down = self.threshold <= largest
            claimed = real <= Decimal(effective) <= Decimal(requested)
        fault = "" if rounded_down else ", which is ABOVE what the epsilon allows"
        return Check(
            name,
            rounded_down and claimed,
            f"{said}{fault}; that gives ε {real:.9f} for a whole text; claimed {effective:.9f}",
            "a threshold that is too high by one, and any claim that is too small",
            0.0,
            1.0,
            f"whether draws use this threshold, and {sets} of this size",
        )


def released_check(wrong: int, cases: int, releases: str, drawn: str, unseen: str) -> Check:
    """Whether all releases with seeds are what their seeds give."""
    count = SEEDS * cases
    share = noticed_share(count)
    return Check(
        "released",
        wrong == 0,
        f"{count:,} {releases}, each drawn again from {drawn}: "
        + (f"{wrong:,} are others than" if wrong else "all are")
        + " what the seed gives",
        f"a fault that changes the outcome of {share:.2%} of such {releases}, with {POWER:.1%}",
        share,
        POWER,
        f"randomness without a seed, and {unseen}",
    )
