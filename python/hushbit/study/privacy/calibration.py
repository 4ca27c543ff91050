"""Chooses ε for a bundle and a mechanism."""

from dataclasses import dataclass

from hushbit import _core
from hushbit._options import DEFAULTS
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.bundle.calibration import SAMPLE, epsilon_for_share, share_of

_MAX_EPSILON = 50.0
_STEPS = 60


@dataclass(frozen=True)
class Found:
    """An ε and how it was found."""

    epsilon: float
    """The ε per differing bit; for crowds it is per word, on real vectors per unit of Euclidean distance."""
    how: str
    unchanged: float | None = None
    """The mean N_w at this ε, if it was measured."""
    near: float | None = None
    """The share of near words at this ε, if it was measured."""
    distinct: float | None = None
    """The mean S_w at this ε, if it was measured."""


def epsilon_for_unchanged(
    bundle: _core.Bundle,
    mechanism: str,
    share: float,
    *,
    seed: int = 0,
    beta: float = DEFAULTS.beta,
    reachable: bool = False,
    progress: Progress = no_progress,
) -> Found:
    """The smallest ε at which words stay unchanged with probability `share` on average.

    With `reachable`, the target is half of the largest possible share if that is less. Raises InvalidArgumentError if
    no ε gives that share.
    """
    if not 0 < share < 1:
        raise InvalidArgumentError(f"the share of unchanged words is {share}; it must lie strictly between 0 and 1")
    measured = share_of(bundle, mechanism, seed, beta, progress)
    most = measured.without_noise()
    if most <= share and not reachable:
        raise InvalidArgumentError(
            f"no epsilon leaves {share} of the words unchanged: words share codes, so at most {most:.4f} are"
        )
    epsilon = epsilon_for_share(measured, share if most > share else most / 2, progress)
    found = measured(epsilon)
    how = (
        f"bisection on the mean share of unchanged words, from {SAMPLE:,} sampled words "
        f"{'with one draw each' if mechanism == 'brr' else 'in closed form'} (seed {seed})"
    )
    if epsilon == 0 and not reachable:
        how += f"; no epsilon leaves less than {found:.4f} unchanged, the vocabulary is too small"
    return Found(epsilon, how, found)


def epsilon_for_worst_case(
    bundle: _core.Bundle, mechanism: str, worst_case: float, beta: float = DEFAULTS.beta
) -> Found:
    """The largest ε whose local-DP ε of one token, under the default policy for unknown words, is at most `worst_case`.

    Raises InvalidArgumentError unless `worst_case` is a finite number above 0.
    """
    if not 0 < worst_case < float("inf"):
        raise InvalidArgumentError(f"the worst case is {worst_case}; it must be a finite number above 0")

    def holds(epsilon: float) -> bool:
        privatizer = _core.Privatizer(bundle, mechanism=mechanism, epsilon=epsilon, beta=beta, allow_unchanged=True)
        return privatizer.info().worst_case_per_token <= worst_case

    if holds(_MAX_EPSILON):
        return Found(_MAX_EPSILON, f"every epsilon up to {_MAX_EPSILON:g} satisfies that worst case")
    low, high = 0.0, _MAX_EPSILON
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return Found(low, "bisection on the worst case of one token that the core computes")
