"""How good codes are: beside the real-valued vectors they were made of, and under the noise of randomized response."""

from hushbit.toolchain.quality.aligned import Aligned, align
from hushbit.toolchain.quality.measure import measure_quality

__all__ = ["Aligned", "align", "measure_quality"]
