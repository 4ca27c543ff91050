"""tools/bench/search: measures nearest-code searches on codes of real words.

By default a few minutes: codes of 256 bits, all libraries on 100,000 words, those that are quickly built on 400,000.
--full takes codes of all sizes, and all libraries on 400,000 words of 256 bits too: about an hour.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from search_bench.data import Setup

NOISES = [0.02, 0.05, 0.1, 0.2, 0.27, 0.38, 0.5]
QUICK_PEERS = ["flat", "multihash", "ivf"]
ROOT = Path(__file__).resolve().parents[3]


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tools/bench/search", description=__doc__.split("\n", 1)[1])
    parser.add_argument("--native", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--full", action="store_true", help="64 to 512 bits; every library at 256 bits")
    parser.add_argument("--bits", type=int, nargs="+", metavar="N", help="only these sizes of codes")
    parser.add_argument("--words", type=int, nargs="+", metavar="N", help="only these numbers of words")
    parser.add_argument("--noise", type=float, nargs="+", default=NOISES, metavar="P", help="flip probabilities")
    parser.add_argument("--peers", nargs="+", metavar="NAME", help="only these libraries")
    parser.add_argument("--simd", default="", metavar="NAME", help="limit all to avx2 (default: what there is)")
    parser.add_argument("--out", type=Path, default=ROOT / "build/bench/search", metavar="DIRECTORY")
    return parser.parse_args()


def plan(arguments: argparse.Namespace, all_peers: list[str]) -> Iterator[tuple[Setup, list[str]]]:
    """Vocabularies and the libraries to measure on each."""
    bits = arguments.bits or ([64, 128, 256, 512] if arguments.full else [256])
    for size in bits:
        for words in arguments.words or [100_000, 400_000]:
            usual = all_peers if words <= 100_000 or (arguments.full and size == 256) else QUICK_PEERS
            yield Setup(size, words), arguments.peers or usual


def main() -> int:
    """Runs the command; returns its exit code."""
    arguments = parse()
    os.environ["OMP_NUM_THREADS"] = "1"
    if arguments.simd:
        os.environ["FAISS_SIMD_LEVEL"] = arguments.simd.upper()
    # Only now, since faiss looks at its environment when it is imported.
    from hushbit import _core
    from hushbit._plumbing.records import json_text
    from search_bench import report
    from search_bench.data import codes_of
    from search_bench.measure import measure
    from search_bench.method import Method
    from search_bench.native import native_methods
    from search_bench.peers import PEERS
    from search_bench.plot import draw
    from search_bench.table import page

    tables: list[report.Table] = []
    for setup, names in plan(arguments, list(PEERS)):
        codes = codes_of(setup)
        print(setup, flush=True)
        peers: list[Method] = []
        for name in dict.fromkeys(["flat", *names]):
            start = time.perf_counter()
            peers.append(PEERS[name](codes))
            print(f"  built {peers[-1].name} in {time.perf_counter() - start:.1f} s", flush=True)
        results = []
        with native_methods(arguments.native, codes, arguments.simd or "best") as (own, sizes):
            for noise in arguments.noise:
                results += measure(codes, [*peers, *own], noise)
                report.print_results(results[-len(peers) - len(own) :])
        tables.append((setup, sizes, results))
    arguments.out.mkdir(parents=True, exist_ok=True)
    command = " ".join(["tools/bench/search", *(sys.argv[3:])])
    document = report.document(tables, command, arguments.simd or _core.KERNELS[0])
    (arguments.out / "search.json").write_text(json_text(document, report.DEPTH))
    (arguments.out / "search.md").write_text(page(document))
    draw(arguments.out / "search.png", document)
    print(f"written: {arguments.out}/search.json, search.md and search.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
