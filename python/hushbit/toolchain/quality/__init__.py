"""Measures the quality of codes: compared with their real-valued vectors, and under randomized response."""

from hushbit.toolchain.quality.aligned import Aligned, align
from hushbit.toolchain.quality.measure import measure_quality

__all__ = ["Aligned", "align", "measure_quality"]
