"""What the searches of a bundle cost, fitted to times; and how good the plan is that rests on it.

Prints the costs to put into python/hushbit/toolchain/bundle/plan.py, then, for the costs that stand there, how much
longer the planned search takes than the faster of both, for each bundle on average over the noise levels.
"""

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from hushbit import _core
from hushbit._plumbing.progress import no_progress
from hushbit.toolchain import binarize
from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections, plan
from hushbit.toolchain.embeddings import Embeddings, read_embeddings

NOISES = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.27, 0.38)
QUERIES = 200
ROUNDS = 5
SCANS = {"both": "clusters", "mih": "rows"}


@dataclass(frozen=True)
class Measured:
    """One search of one bundle at one noise level, a query on average."""

    bundle: str
    search: str
    flips: float
    counts: NDArray[np.float64]
    """Numbers in the order of plan.COSTS."""
    nanoseconds: float
    weight: float
    """The closer both searches are, the more it matters who is right."""


def main() -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="tools/bench/plan", description=__doc__)
    parser.add_argument("--bits", type=int, nargs="+", default=[64, 128, 256, 512], metavar="N")
    parser.add_argument("--words", type=int, nargs="+", default=[20_000, 100_000, 400_000], metavar="N")
    arguments = parser.parse_args()
    embeddings = read_embeddings("glove-6b-50d")
    measured: list[Measured] = []
    plans: dict[str, float] = {}
    for bits in arguments.bits:
        for words in arguments.words:
            for index, scan in SCANS.items():
                name, bundle = f"{bits} bits, {words:,} words, {index}", bundle_of(embeddings, bits, words, index)
                plans[name] = plan.mih_flips(bundle, scan, 0, no_progress) / plan.UNIT
                measured += measure(name, bundle, scan)
                print(f"measured {name}", file=sys.stderr)
    print_costs(measured)
    print_losses(measured, plans)
    return 0


def bundle_of(embeddings: Embeddings, bits: int, words: int, index: str) -> _core.Bundle:
    """A bundle of the codes of the most frequent words."""
    order = sorted(range(words), key=lambda i: embeddings.words[i].encode())
    vectors = embeddings.vectors[:words]
    codes = binarize.encode(binarize.fit("projection", vectors, bits=bits, seed=0), vectors[order])
    sections = encode_sections([embeddings.words[i].encode() for i in order], codes, index)
    return _core.Bundle.from_bytes(
        assemble(Header(1.0, 0.0, bits, _core.UNICODE_VERSION, "brr"), encode_meta({}), sections)
    )


def measure(
    name: str, bundle: _core.Bundle, scan: str, noises: Sequence[float] = NOISES, count: int = QUERIES
) -> Iterator[Measured]:
    """Both searches at every noise level, in turn, so that a busy machine is unfair to neither."""
    info = bundle.info()
    generator = np.random.default_rng(1)
    overhead = call_overhead()
    for noise in noises:
        codes = bundle.codes(generator.integers(info.words, size=count, dtype=np.uint32))
        flips = np.packbits(generator.random((count, info.bits)) < noise, axis=1, bitorder="little")
        queries = [query[None, :] for query in codes ^ flips]
        times = {search: np.full(count, np.inf) for search in ("mih", scan)}
        for _ in range(ROUNDS):
            for search, best in times.items():
                np.minimum(best, [nanoseconds(bundle, query, search) for query in queries], out=best)
        mean = {search: float(best.mean()) - overhead for search, best in times.items()}
        for search in times:
            works = [_core.search_work(bundle, query, search) for query in queries]
            counts = np.mean([plan.counts(work, info.bits // 8, int(search == "mih")) for work in works], axis=0)
            weight = math.exp(-abs(math.log(mean["mih"] / mean[scan])))
            yield Measured(name, search, noise * info.bits, counts, mean[search], weight)


def call_overhead() -> float:
    """Nanoseconds that a call takes which has nothing to do."""
    codes = np.zeros((1, 8), dtype=np.uint8)
    sections = encode_sections([b"word"], codes)
    bundle = _core.Bundle.from_bytes(
        assemble(Header(1.0, 0.0, 64, _core.UNICODE_VERSION, "brr"), encode_meta({}), sections)
    )
    return float(np.median([nanoseconds(bundle, codes, "rows") for _ in range(10_000)]))


def nanoseconds(bundle: _core.Bundle, query: NDArray[np.uint8], search: str) -> int:
    """The time of one search, in processor time, to which other processes do not add."""
    start = time.process_time_ns()
    _core.nearest(bundle, query, search)
    return time.process_time_ns() - start


def print_costs(measured: list[Measured]) -> None:
    """The costs, none below 0, with the least weighted squares of relative errors."""
    counts = np.array([each.counts / each.nanoseconds for each in measured])
    weights = np.sqrt([each.weight for each in measured])
    costs, _ = nnls(counts * weights[:, None], weights)
    errors = np.abs(counts @ costs - 1)
    print("costs in nanoseconds:")
    for name, cost in zip(plan.COSTS, costs, strict=True):
        print(f"  {name:<10}{cost:10.3f}")
    print(f"relative errors: median {np.median(errors):.1%}, 90 % below {np.quantile(errors, 0.9):.1%}\n")


def print_losses(measured: list[Measured], plans: dict[str, float]) -> None:
    """How much longer than the faster search the planned one takes."""
    print(f"{'bundle':<32}{'flips':>8}{'best':>8}{'mean loss':>11}{'worst':>8}")
    means = []
    for name, flips in plans.items():
        of_bundle = [each for each in measured if each.bundle == name]
        hash_, scan = of_bundle[0::2], of_bundle[1::2]
        losses = np.array([loss(h, s, flips) for h, s in zip(hash_, scan, strict=True)])
        best = max((h.flips for h, s in zip(hash_, scan, strict=True) if h.nanoseconds < s.nanoseconds), default=0.0)
        means.append(losses.mean())
        print(f"{name:<32}{flips:8.1f}{best:8.1f}{losses.mean():11.1%}{losses.max():8.1%}")
    print(f"mean loss over all: {np.mean(means):.1%}")


def loss(by_hash: Measured, by_scan: Measured, flips: float) -> float:
    """0 if the plan, which is to use the hash up to some flips, chooses the faster one."""
    chosen = by_hash if by_hash.flips <= flips else by_scan
    return chosen.nanoseconds / min(by_hash.nanoseconds, by_scan.nanoseconds) - 1


if __name__ == "__main__":
    sys.exit(main())
