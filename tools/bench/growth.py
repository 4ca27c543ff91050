"""What a search costs as the vocabulary grows: the time of a query, the size of a bundle and the time to build it.

Up to 400,000 words, the codes are those of the most frequent real words. Beyond that, more words are more languages in
one bundle: the real codes again, their bits in another order and some bits inverted, both drawn at random for each
language. So words of one language are as near to one another as real ones, and languages are unrelated.

Prints a table in Markdown, with the exponent of each cost: the slope of a line through the logarithms. The last column
of a noise level is how much longer the search that the bundle's plan chooses takes than the faster one.
"""

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import plan as fitted
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import no_progress
from hushbit.toolchain import binarize
from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections, plan
from hushbit.toolchain.embeddings import read_embeddings

NOISES = (0.1, 0.27, 0.5)
WORDS = (10_000, 30_000, 100_000, 400_000, 1_000_000, 4_000_000)
REAL_WORDS = 400_000
QUERIES = 60

_Codes = NDArray[np.uint8]  # (words, bits / 8)


@dataclass(frozen=True)
class Size:
    """A vocabulary: what it costs, and for each noise level the nanoseconds of both searches and the plan's loss."""

    words: int
    build_seconds: float
    bundle_bytes: int
    peak_bytes: int
    searches: list[tuple[float, float, float]]
    """The figures for each of NOISES: the hash, the clusters, the plan's loss."""


def main() -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="tools/bench/growth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bits", type=int, default=256, metavar="N")
    parser.add_argument("--words", type=int, nargs="+", default=WORDS, metavar="N", help="ascending")
    arguments = parser.parse_args()
    embeddings = read_embeddings("glove-6b-50d")
    real = embeddings.vectors[:REAL_WORDS]
    codes = binarize.encode(binarize.fit("projection", real, bits=arguments.bits, seed=0), real)
    print_head()
    sizes = []
    for words in arguments.words:
        sizes.append(measure(np.concatenate(list(languages(codes, words)))))
        print_row(sizes[-1])
    print_exponents(sizes)
    return 0


def languages(codes: _Codes, words: int) -> Iterator[_Codes]:
    """Codes of so many words, a language at a time; the first is the real one."""
    generator = np.random.default_rng(0)
    for language in count():
        rows = codes[:words]
        if language > 0:
            bits = np.unpackbits(rows, axis=1)[:, generator.permutation(codes.shape[1] * 8)]
            inverted = generator.integers(256, size=codes.shape[1], dtype=np.uint8)
            rows = np.packbits(bits, axis=1) ^ inverted
        yield rows
        words -= len(rows)
        if words == 0:
            return


def measure(codes: _Codes) -> Size:
    """A bundle with both indexes: built, planned, and searched by both."""
    start = time.process_time()
    sections = encode_sections([b"%08d" % i for i in range(len(codes))], codes, "both")
    header = Header(1.0, 0.0, codes.shape[1] * 8, _core.UNICODE_VERSION, "brr")
    data = assemble(header, encode_meta({}), sections)
    bundle = _core.Bundle.from_bytes(data)
    flips = plan.mih_flips(bundle, "clusters", 0, no_progress) / plan.UNIT
    seconds = time.process_time() - start
    measured = list(fitted.measure("", bundle, "clusters", NOISES, QUERIES))
    searches = [
        (by_hash.nanoseconds, by_scan.nanoseconds, fitted.loss(by_hash, by_scan, flips))
        for by_hash, by_scan in zip(measured[0::2], measured[1::2], strict=True)
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Size(len(codes), seconds, len(data), peak, searches)


def print_head() -> None:
    """The machine, and the names of the columns."""
    names = ["words", "build, s of processor", "peak memory, MB", "bundle, bytes a word"]
    for noise in NOISES:
        names += [f"p = {noise:g}: hash, µs", "clusters, µs", "plan's loss"]
    print(f"On {processor()}, kernels {_core.KERNELS[0]}, one thread.\n")
    print("| " + " | ".join(names) + " |")
    print("|" + "--:|" * len(names), flush=True)


def print_row(size: Size) -> None:
    """One number of words."""
    cells = [f"{size.words:,}", f"{size.build_seconds:.1f}", f"{size.peak_bytes / 1e6:,.0f}"]
    cells.append(f"{size.bundle_bytes / size.words:.1f}")
    for by_hash, by_scan, loss in size.searches:
        cells += [f"{by_hash / 1e3:,.1f}", f"{by_scan / 1e3:,.1f}", f"{loss:.1%}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def print_exponents(sizes: list[Size]) -> None:
    """The last row."""
    words = [size.words for size in sizes]
    cells = ["exponent", exponent(words, [size.build_seconds for size in sizes]), "", ""]
    for i in range(len(NOISES)):
        cells += [*(exponent(words, [size.searches[i][search] for size in sizes]) for search in (0, 1)), ""]
    print("| " + " | ".join(cells) + " |")


def exponent(words: list[int], costs: list[float]) -> str:
    """The slope of the logarithms."""
    return f"{np.polyfit(np.log(words), np.log(costs), 1)[0]:.2f}" if len(words) > 1 else ""


def processor() -> str:
    """Its name, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "an unknown processor")


if __name__ == "__main__":
    sys.exit(main())
