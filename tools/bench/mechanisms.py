"""Madlib and Euclidean TEM against the package mldp-text: throughput, and whether both draw the same distribution.

The peer's nearest word is approximate, and its ⊥ scores 2·ln(|W|/|L|)/ε, which breaks the bound; at the ε chosen here
neither shows, since ⊥ hardly ever comes out.

bench_mechanisms.py --peer PYTHON: a Python that has mldp-text, in which this file runs itself once more as `--as-peer`.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

MECHANISMS = {"madlib": 10.0, "tem": 2.5}  # and their ε, at which some words change and some do not
WORDS = 500  # sampled from the vocabulary; the peer goes through as many as it has draws


def main() -> int:
    """Prints a table. Fails if a ratio is below 20 or the distributions differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="a Python that has mldp-text")
    parser.add_argument("--draws", type=int, default=20_000, help="number of draws of Hushbit, for each mechanism")
    parser.add_argument("--peer-draws", type=int, default=300, help="number of draws of the peer, for each mechanism")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.as_peer:
        run_peer(arguments.peer_draws)
        return 0
    if arguments.peer is None:
        parser.error("--peer is needed: use tools/bench/mechanisms")
    return compare(arguments)


def chosen(count: int) -> Any:
    """The words to privatize, as rows of the vectors: the same for both sides."""
    return np.random.default_rng(0).integers(count, size=WORDS)


# ---- The peer, in its own environment


def run_peer(draws: int) -> None:
    """Prints a JSON document: where the vectors are, and for each mechanism its seconds and which draws stayed."""
    from mldp_text.mechanisms import TEM, MultivariateCalibrated
    from mldp_text.utils import EMBED, validate_and_load_embeddings

    vectors = validate_and_load_embeddings(EMBED)
    rows = chosen(len(vectors.index_to_key))
    words = [vectors.index_to_key[rows[i % WORDS]] for i in range(draws)]
    np.random.seed(1)  # noqa: NPY002 - what the peer draws from
    found = {}
    for name, kind in (("madlib", MultivariateCalibrated), ("tem", TEM)):
        mechanism = kind(MECHANISMS[name], embedding_matrix=vectors)
        mechanism.replace_word(words[0])
        began = time.perf_counter()
        outputs = [mechanism.replace_word(word) for word in words]
        seconds = time.perf_counter() - began
        found[name] = {"seconds": seconds, "same": [a == b for a, b in zip(words, outputs, strict=True)]}
    print(json.dumps({"vectors": EMBED, "rows": len(vectors.index_to_key), "found": found}))


# ---- Ours


def compare(arguments: argparse.Namespace) -> int:
    """Runs the peer, then the same words through our mechanisms, and prints both."""
    from hushbit.study.mechanisms import EuclideanTem
    from hushbit.study.mechanisms.madlib import Madlib
    from hushbit.toolchain.embeddings import read_embeddings

    command = [arguments.peer, __file__, "--as-peer", "--peer-draws", str(arguments.peer_draws)]
    peer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1])
    embeddings = read_embeddings(peer["vectors"])
    vectors = embeddings.vectors
    if len(vectors) != peer["rows"]:
        sys.exit("the peer read other rows of its vectors than we did")
    words = np.resize(chosen(len(vectors)), arguments.draws).astype(np.uint32)
    print(f"{len(vectors):,} words, {vectors.shape[1]} dimensions, {Path(peer['vectors']).name}; draws a second")
    print(f"{'':<8}{'epsilon':>8}{'peer':>10}{'ours':>10}{'ratio':>8}   unchanged: peer, ours, z of the difference")
    failed = False
    for name, kind in (("madlib", Madlib), ("tem", EuclideanTem)):
        mechanism = kind(vectors, MECHANISMS[name])
        began = time.perf_counter()
        outputs = mechanism.replace(words)
        ours = len(words) / (time.perf_counter() - began)
        theirs = peer["found"][name]
        speed = len(theirs["same"]) / theirs["seconds"]
        z, peer_share, our_share = difference(np.array(theirs["same"]), words == outputs)
        shares = f"{peer_share:.3f}, {our_share:.3f}, {z:+.1f}"
        print(f"{name:<8}{MECHANISMS[name]:>8g}{speed:>10.1f}{ours:>10.1f}{ours / speed:>8.1f}   {shares}")
        failed |= ours < 20 * speed or abs(z) > 4
    return 1 if failed else 0


def difference(peer: Any, ours: Any) -> tuple[float, float, float]:
    """The difference of the shares of unchanged draws, word by word over the words that the peer went through, in
    standard errors.
    """
    covered = min(WORDS, len(peer))
    by_word = [(peer[i::WORDS], ours[i::WORDS]) for i in range(covered)]
    means = np.array([[a.mean(), b.mean()] for a, b in by_word])
    pooled = np.array([np.append(a, b).mean() for a, b in by_word])
    sizes = np.array([1 / len(a) + 1 / len(b) for a, b in by_word])
    error = np.sqrt((pooled * (1 - pooled) * sizes).sum()) / covered
    peer_share, our_share = means.mean(axis=0)
    return float((peer_share - our_share) / max(error, 1e-12)), float(peer_share), float(our_share)


if __name__ == "__main__":
    sys.exit(main())
