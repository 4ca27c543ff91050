"""Time and size: the core's mechanisms against Madlib with Annoy's search and with exact search, in one run.

Everything runs on one processor, and it is that processor's time that is taken, so that other work on the machine
counts little. A word is timed as an app would ask for it, one call after another. A corpus is timed by the fastest
calls, on a sample of its words, and scaled up.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit import _core, _core_testing
from hushbit._options import CrowdSize
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.reproducible import one_thread_each, seed_of
from hushbit.study.mechanisms import Ids, Mechanism, Vectors
from hushbit.study.mechanisms.madlib import Madlib
from hushbit.study.names import CROWDS

CALLS = 300  # calls with one word each
SAMPLE = 10_000  # words of the corpus
TREES = 50  # trees of Annoy's index

Replace = Callable[[Ids], Ids]
Way = tuple[str, float, Replace, dict[str, int]]
"""A name, an ε, what is timed, and bytes."""


def measure(inputs: Inputs, progress: Progress = no_progress) -> dict[str, Any]:
    """Seconds and bytes by mechanism, as a JSON document, at the middle one of Madlib's ε and what matches it.

    Crowds that were evaluated come at the middle one of their ε.
    """
    from threadpoolctl import threadpool_limits

    generator = np.random.default_rng(seed_of(inputs.options.seed, "timing"))
    sample = generator.choice(inputs.corpus.ids, min(SAMPLE, len(inputs.corpus.ids)), replace=False)
    epsilon = _middle(inputs.options.epsilons)
    per_bit, _ = inputs.distances.match(epsilon)
    outputs = inputs.bundle._native.output_words()
    madlib = Madlib(inputs.vectors, epsilon, outputs=outputs)
    rows = []
    with threadpool_limits(1):
        one_thread_each()
        progress(0, 4, "timing")
        began = time.process_time()
        annoy = AnnoySearch(inputs.vectors[outputs], inputs.options.seed)
        built = time.process_time() - began

        def by_annoy(words: Ids) -> Ids:
            return outputs[annoy.nearest(inputs.vectors[words] + madlib.noise(len(words)))]

        ways: list[Way] = [
            ("brr", per_bit, _in_core(inputs, "brr", per_bit), _bundle_bytes(inputs)),
            ("tem", per_bit, _in_core(inputs, "tem", per_bit), _bundle_bytes(inputs)),
            *_crowds(inputs),
            ("madlib exact", epsilon, _plain(madlib), _vector_bytes(inputs, 0)),
            ("madlib annoy", epsilon, by_annoy, _vector_bytes(inputs, annoy.file_bytes())),
        ]
        for done, (name, own_epsilon, replace, size) in enumerate(ways, 1):
            rows.append({"name": name, "epsilon": own_epsilon, **_times(replace, sample, inputs), "bytes": size})
            progress(done, len(ways), "timing")
        points = inputs.vectors[sample] + madlib.noise(len(sample), generator)
        exact = madlib._index.search(points.astype(np.float32), 1)[1][:, 0]
        recall = float((annoy.nearest(points) == exact).mean())
    return {"sample": len(sample), "rows": rows, "annoy": {"trees": TREES, "build_seconds": built, "recall": recall}}


def _middle(epsilons: Sequence[float]) -> float:
    return sorted(epsilons)[len(epsilons) // 2]


def _crowds(inputs: Inputs) -> list[Way]:
    epsilon = _middle(inputs.options.word_epsilons)
    evaluated = [name for name in inputs.options.mechanisms if name in CROWDS]
    return [
        (name, epsilon, _in_core(inputs, "crowd", epsilon, CROWDS[name]), _bundle_bytes(inputs)) for name in evaluated
    ]


def _in_core(inputs: Inputs, mechanism: str, epsilon: float, crowd: CrowdSize | None = None) -> Replace:
    """Replaces words without the thread pool of `CoreMechanism.replace`, which would cost a single word more than the
    draw.
    """
    privatizer = _core.Privatizer(
        inputs.bundle._native,
        mechanism=mechanism,
        epsilon=epsilon,
        beta=inputs.options.beta,
        crowd_size=crowd,
        allow_unchanged=True,
    )
    return partial(_core_testing.replace, privatizer)


def _plain(mechanism: Mechanism) -> Replace:
    return lambda words: mechanism.replace(words)


def _times(replace: Replace, sample: Ids, inputs: Inputs) -> dict[str, float]:
    seconds = []
    for i in range(CALLS + 10):
        word = sample[i % len(sample) : i % len(sample) + 1]
        began = time.process_time()
        replace(word)
        seconds.append(time.process_time() - began)
    began = time.process_time()
    replace(sample)
    per_word = (time.process_time() - began) / len(sample)
    return {
        "word_seconds": float(np.median(seconds[10:])),  # the first calls only warm up
        "batch_word_seconds": per_word,
        "corpus_seconds": per_word * len(inputs.corpus.ids),
    }


# ---- Sizes, in bytes


def _bundle_bytes(inputs: Inputs) -> dict[str, int]:
    """Bytes of the bundle, which is all that a phone needs, without what embeddings of whole texts add."""
    info = inputs.bundle.info
    sections = {section.name: section.length for section in info.sections}
    vocabulary, total = sections.get("words", 0), info.file_bytes - sections.get("embedding", 0)
    return {"vocabulary": vocabulary, "index": total - vocabulary, "total": total}


def _vector_bytes(inputs: Inputs, index: int) -> dict[str, int]:
    """Bytes of plain words with a line end each, and of the vectors, which Annoy's index holds too if all words may
    come out.

    The vectors are float32, as the search takes them.
    """
    bundle = inputs.bundle._native
    vocabulary = sum(len(bundle.word(i)) + 1 for i in range(inputs.bundle.words))
    vectors = int(inputs.vectors.nbytes)
    all_come_out = len(bundle.output_words()) == inputs.bundle.words
    searched = (index or vectors) if all_come_out else vectors + index
    return {"vocabulary": vocabulary, "index": searched, "total": vocabulary + searched}


class AnnoySearch:
    """Annoy's approximate search, as in the papers, of vectors (words, dimensions). A seed builds one index."""

    def __init__(self, vectors: Vectors, seed: int = 0) -> None:
        from annoy import AnnoyIndex

        self._index: AnnoyIndex = AnnoyIndex(vectors.shape[1], "euclidean")
        self._index.set_seed(seed % (1 << 31) or 1)
        for word, vector in enumerate(vectors):
            self._index.add_item(word, vector)
        self._index.build(TREES, n_jobs=1)

    def nearest(self, points: NDArray[np.floating]) -> Ids:
        """A word near each of the points (count, dimensions); mostly, but not always, the nearest."""
        found = (self._index.get_nns_by_vector(point, 1)[0] for point in points)
        return np.fromiter(found, dtype=np.uint32, count=len(points))

    def file_bytes(self) -> int:
        """The size of the index as a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "index.annoy"
            self._index.save(str(path))
            return path.stat().st_size
