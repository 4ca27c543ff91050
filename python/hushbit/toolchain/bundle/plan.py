"""Determines up to how much noise the multi-index hash is faster. A bundle records it, so that readers need not try.

Operations of the searches are counted, not timed, so that the same codes give the same bundle on every machine. The
costs of the operations were fitted once to times (tools/bench/plan); only their ratios matter here.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress

UNIT = 256
"""Flipped bits are stored in units of 1 / UNIT."""
COSTS = {"rows": 0.04, "clusters": 220.0, "planes": 2.1, "searches": 2200.0, "lookups": 23.0, "entries": 20.0}
"""Nanoseconds for one of each operation (`_core.SearchWork`; its other counts are proportional to these). For
rows, per byte of code; "searches" are those that begin with the hash. With AVX2, on one core of an AMD EPYC."""
_SAMPLE = 256
_STEPS = 64  # noise levels, up to a flip probability of 1/2

_Codes = NDArray[np.uint8]


def mih_flips(bundle: _core.Bundle, scan: str, seed: int, progress: Progress) -> int:
    """The expected number of flipped bits, in 1/UNIT of a bit, up to which the hash costs less than the scan.

    `scan` is the other search of the bundle: "clusters" or "rows". 0 if the hash is never faster. Takes seconds.
    """
    bits = bundle.info().bits
    step = bits / 2 / _STEPS
    below = -math.inf
    progress(0, _STEPS, "plan searches")
    for number, queries in enumerate(_noisier(bundle, seed)):
        above = _log_ratio(bundle, queries, scan)
        if above > 0:
            progress(_STEPS, _STEPS, "plan searches")
            # The point where a straight line between the logarithms of the two ratios crosses 0.
            flips = step * (number - above / (above - below)) if number > 0 else 0
            return math.floor(flips * UNIT)
        below = above
        progress(number, _STEPS, "plan searches")
    return bits // 2 * UNIT


def counts(work: _core.SearchWork, code_bytes: int, searches: int) -> list[int]:
    """The counts for COSTS, in the same order. `searches`: how many of them began with the hash."""
    return [work.rows * code_bytes, work.clusters, work.planes, searches, work.lookups, work.entries]


def _noisier(bundle: _core.Bundle, seed: int) -> Iterator[_Codes]:
    """Codes of the same sampled words under growing noise: a bit that flips at one level flips at higher levels too."""
    info = bundle.info()
    generator = np.random.Generator(np.random.PCG64(seed))
    codes = bundle.codes(generator.integers(info.words, size=_SAMPLE, dtype=np.uint32))
    uniform = generator.random((_SAMPLE, info.bits))
    for number in range(_STEPS + 1):
        flips = uniform < number / _STEPS / 2
        yield codes ^ np.packbits(flips, axis=1, bitorder="little")


def _log_ratio(bundle: _core.Bundle, queries: _Codes, scan: str) -> float:
    """The additional cost of the hash compared with the scan, for single queries: above 0 if the hash costs more."""
    scanned = queries[:1] if scan == "rows" else queries  # comparing all rows is the same work for any query
    return math.log(_mean_cost(bundle, queries, "mih") / _mean_cost(bundle, scanned, scan))


def _mean_cost(bundle: _core.Bundle, queries: _Codes, search: str) -> float:
    searches = int(search == "mih")
    counted = [counts(_core.search_work(bundle, query[None, :], search), len(query), searches) for query in queries]
    return float(np.mean(counted, axis=0) @ list(COSTS.values()))
