"""The default ε of a bundle, for its default mechanism and for the other mechanisms."""

from dataclasses import dataclass
from typing import Any

from hushbit import _core
from hushbit._options import EXPORTED_EPSILON, MECHANISMS, Crowd, Mechanism
from hushbit._progress import Progress
from hushbit.toolchain.bundle.calibration import Calibration, calibrate, measure


@dataclass(frozen=True)
class Defaults:
    """The ε of each mechanism, and how the one of the default mechanism was found."""

    epsilon: float
    """For the default mechanism."""
    others: dict[Mechanism, float]
    """Per differing bit, for mechanisms that are not the default."""
    calibration: Calibration
    method: str

    def describe(self, seed: int) -> dict[str, Any]:
        """For the `meta` of a bundle."""
        return {
            "method": self.method,
            "seed": seed,
            "sample": self.calibration.sample,
            "unchanged": round(self.calibration.unchanged, 6),
            "note": self.calibration.note,
        }


def choose_defaults(
    bundle: _core.Bundle, mechanism: Mechanism, crowd: Crowd, epsilon: float | None, seed: int, progress: Progress
) -> Defaults:
    """Finds the values that `epsilon`, for the default `mechanism`, does not determine.

    BRR and TEM get the ε at which words stay unchanged half of the time. Crowds have a fixed default, which does not
    depend on the vocabulary (docs/crowd.md).
    """
    method = "given"
    if epsilon is None and mechanism == "crowd":
        epsilon, method = EXPORTED_EPSILON, "docs/crowd.md"
    if epsilon is None:
        calibration, method = calibrate(bundle, mechanism, seed, progress), "mean N_w"
    else:
        calibration = measure(bundle, mechanism, epsilon, seed, progress, crowd)
    others: dict[Mechanism, float] = {
        other: calibrate(bundle, other, seed, progress).epsilon
        for other in MECHANISMS
        if other not in {mechanism, "crowd"}
    }
    return Defaults(calibration.epsilon, others, calibration, method)
