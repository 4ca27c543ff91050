"""How far what TEM on codes releases is from the typed word, by how dense the words around it are: E[d], exactly.

    python tools/bench/output_distance.py words.hushbit glove-6b-50d

Density is told by the distance to the tenth nearest word. Prints the mean over the densest and the sparsest tenth of
1,000 words, and the correlation. The same files give the same line.
"""

import sys

import numpy as np

import hushbit
from hushbit.study.evaluate.distances import between_of
from hushbit.study.evaluate.draws import blocks, weights_of
from hushbit.study.mechanisms import EuclideanTem, HammingTem, vectors_of
from hushbit.study.privacy.sample import draw_words
from hushbit.toolchain.embeddings import read_embeddings

EPSILON, NEAREST = 0.15, 10


def main() -> None:
    """Runs the command."""
    bundle = hushbit.open(sys.argv[1])
    native, vectors = bundle._native, vectors_of(bundle, read_embeddings(sys.argv[2]))
    ids = draw_words(native, 1000, np.random.default_rng(0))
    density = np.concatenate(
        [np.sort(EuclideanTem(vectors, 1.0).distances(part), axis=1)[:, NEAREST] for part in np.array_split(ids, 10)]
    )
    mechanism = HammingTem(native, EPSILON)
    between, weights = between_of(mechanism, native, vectors), weights_of(mechanism)
    assert weights is not None  # noqa: S101 - TEM has a closed form
    found, unchanged = np.empty(len(ids)), np.empty(len(ids))
    for first, rows in blocks(weights, ids):
        for place, row in enumerate(rows, first):
            distances = between(ids[place : place + 1], weights.outputs)[0]
            found[place], unchanged[place] = row @ distances / row.sum(), row[distances == 0].sum() / row.sum()
    order = np.array_split(np.argsort(density), 10)
    dense, sparse = (float(found[part].mean()) for part in (order[0], order[-1]))
    told = [float(np.corrcoef(density, values)[0, 1]) for values in (found, unchanged, found / (1 - unchanged))]
    print(
        f"TEM on codes, epsilon {EPSILON}: {dense:.1f} bits of the densest tenth, {sparse:.1f} of the sparsest, "
        f"correlation {told[0]:.2f}; N_w {unchanged.mean():.3f}, correlation {told[1]:.2f}; "
        f"of changed words alone, correlation {told[2]:.2f}"
    )


if __name__ == "__main__":
    main()
