"""The default ε of a bundle: of its default mechanism, and of the others, which are one flag away."""

from dataclasses import dataclass
from typing import Any

from hushbit import _core
from hushbit._options import EXPORTED_EPSILON, MECHANISMS, Crowd, Mechanism
from hushbit._progress import Progress
from hushbit.toolchain.bundle.calibration import Calibration, calibrate, measure


@dataclass(frozen=True)
class Defaults:
    """The ε of each mechanism, and how that of the default one was found."""

    epsilon: float
    """Of the default mechanism."""
    others: dict[Mechanism, float]
    """Per differing bit, of those that are not the default."""
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
    """Finds what `epsilon`, that of the default `mechanism`, leaves open.

    BRR and TEM get the ε at which words stay themselves half of the time; crowds have one of their own, which does not
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
