"""The default ε of a bundle, for its default mechanism and for the other mechanisms."""

from dataclasses import dataclass, replace
from typing import Any

from hushbit import _core
from hushbit._options import MECHANISMS, ON_CODES, CrowdSize, Mechanism
from hushbit._plumbing.progress import Progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.bundle.calibration import TARGET, Calibration, calibrate, measure
from hushbit.toolchain.defaults import EXPORTED_EPSILON

_TOLERANCE = 0.1  # the core allows an ε that is 5 % above the one for half of the words, which is about as much


@dataclass(frozen=True)
class Defaults:
    """The ε of each mechanism, and how the one of the default mechanism was found."""

    epsilon: float
    """The ε for the default mechanism."""
    others: dict[Mechanism, float]
    """The ε per differing bit, for mechanisms that are not the default."""
    calibration: Calibration
    method: str

    def require_changed(self, mechanism: Mechanism) -> None:
        """Raises InvalidArgumentError for a given ε at which more than about half of the words stay unchanged.

        Privatizers take the default ε of BRR and TEM for the one at which half of them do. Crowds need no such check.
        """
        unchanged = self.calibration.unchanged
        if self.method == "given" and mechanism in ON_CODES and unchanged > TARGET + _TOLERANCE:
            raise InvalidArgumentError(
                f"epsilon {self.epsilon:g} per differing bit ({mechanism}) leaves {unchanged:.0%} of the words as they"
                " were typed; choose a smaller one, or set allow_unchanged if that is meant"
            )

    def describe(self, seed: int) -> dict[str, Any]:
        """A dictionary for the `meta` of a bundle."""
        return {
            "method": self.method,
            "seed": seed,
            "sample": self.calibration.sample,
            "unchanged": round(self.calibration.unchanged, 6),
            "note": self.calibration.note,
        }


def choose_defaults(
    bundle: _core.Bundle, mechanism: Mechanism, crowd: CrowdSize, epsilon: float | None, seed: int, progress: Progress
) -> Defaults:
    """Finds the values that `epsilon`, for the default `mechanism`, does not determine.

    BRR and TEM get the ε at which words stay unchanged half of the time. Crowds have a fixed default (docs/crowd.md),
    which is lower only if the vocabulary is so small that it would leave more than half of the words unchanged.
    """
    method = "given"
    note = None
    if epsilon is None and mechanism == "crowd":
        epsilon, method = _default_of_crowds(bundle, crowd), "docs/crowd.md"
        if epsilon < EXPORTED_EPSILON:
            note = f"at {EXPORTED_EPSILON:g} more than half of the words would stay unchanged: the vocabulary is small"
    elif mechanism == "crowd" and epsilon is not None and not _is_taken(bundle, crowd, epsilon):
        note = (
            "more than half of the words stay unchanged, so a privatizer takes this epsilon only with allow_unchanged"
        )
    if epsilon is None:
        calibration, method = calibrate(bundle, mechanism, seed, progress), "mean N_w"
    else:
        calibration = replace(measure(bundle, mechanism, epsilon, seed, progress, crowd), note=note)
    others: dict[Mechanism, float] = {
        other: calibrate(bundle, other, seed, progress).epsilon
        for other in MECHANISMS
        if other not in {mechanism, "crowd"}
    }
    return Defaults(calibration.epsilon, others, calibration, method)


def _default_of_crowds(bundle: _core.Bundle, crowd: CrowdSize) -> float:
    """The largest multiple of a quarter up to the standard value that a privatizer takes without being asked to."""
    epsilon = EXPORTED_EPSILON
    while epsilon > 0 and not _is_taken(bundle, crowd, epsilon):
        epsilon -= 0.25
    return epsilon


def _is_taken(bundle: _core.Bundle, crowd: CrowdSize, epsilon: float) -> bool:
    _core.Privatizer(
        bundle, mechanism="crowd", crowd_size=crowd, epsilon=epsilon, allow_unchanged=True
    )  # nothing else is wrong
    try:
        _core.Privatizer(bundle, mechanism="crowd", crowd_size=crowd, epsilon=epsilon)
    except InvalidArgumentError:
        return False
    return True
