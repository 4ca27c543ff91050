"""What all trials share: documents, vocabulary, vectors, options."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import hushbit
from hushbit._bundle import Bundle
from hushbit._options import DEFAULTS
from hushbit._plumbing.documents import Documents
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.study.evaluate.corpus import Corpus, Coverage, tokenize
from hushbit.study.evaluate.pairs import Pairs
from hushbit.study.evaluate.plan import MADLIB_EPSILONS, WORD_EPSILONS, Setting, plan
from hushbit.study.evaluate.reproducible import seed_of
from hushbit.study.evaluate.split import TRAIN_SHARE, Split, check_sizes, split
from hushbit.study.mechanisms import Vectors, vectors_of
from hushbit.study.names import EVALUATED, MECHANISMS
from hushbit.study.privacy.comparison import Distances
from hushbit.toolchain.embeddings import Embeddings

EPOCHS = 20
SKIPPABLE = ("attained", "inversion", "reading", "timing")
"""What a run can leave out: bounds of the ε that is attained, the attacks on single words, those on running text, time
and size."""
BATCH = 64


@dataclass(frozen=True)
class EvaluationOptions:
    """What to evaluate. Raises InvalidArgumentError for what cannot be."""

    mechanisms: tuple[str, ...] = MECHANISMS
    epsilons: tuple[float, ...] = MADLIB_EPSILONS
    """Values of Madlib's ε."""
    word_epsilons: tuple[float, ...] = WORD_EPSILONS
    """The ε of a word at which crowds are evaluated."""
    trials: int = 5
    epochs: int = EPOCHS
    """The number of epochs for which every classifier is trained."""
    seed: int = 0
    beta: float = DEFAULTS.beta
    """The chance of a word beyond γ under TEM."""
    frequent: int = 2000
    """The number of words that inversion guesses among, the most frequent ones of the data."""
    train_share: float = TRAIN_SHARE
    """The share of the documents that a model is trained on."""
    reader_epochs: int = 4
    """The number of epochs for which the reader of running text is trained."""
    attacked_words: int = 12_000
    """The number of words of running text that the reader guesses."""
    skip: tuple[str, ...] = ()
    """The parts of `SKIPPABLE` that are left out. A later run in the same folder may do what this one skips."""

    def __post_init__(self) -> None:
        unknown = [name for name in self.mechanisms if name not in EVALUATED]
        if unknown or not self.mechanisms:
            raise InvalidArgumentError(
                f"there is no mechanism {', '.join(unknown) or 'named'}; there are: {', '.join(EVALUATED)}"
            )
        skipped = [name for name in self.skip if name not in SKIPPABLE]
        if skipped:
            raise InvalidArgumentError(f"{', '.join(skipped)} cannot be skipped; these can: {', '.join(SKIPPABLE)}")
        if (
            min(self.trials, self.epochs, self.reader_epochs, self.attacked_words) < 1
            or self.seed < 0
            or self.frequent < 2
        ):
            raise InvalidArgumentError(
                "trials and epochs must be 1 or more, the seed 0 or more, frequent words 2 or more"
            )


@dataclass(frozen=True)
class Inputs:
    """Everything that pieces of work read."""

    options: EvaluationOptions
    documents: Documents
    corpus: Corpus
    coverage: Coverage
    bundle: Bundle
    vectors: Vectors
    embeddings: dict[str, Any]
    distances: Distances
    settings: list[Setting]
    pairs: Pairs | None = None
    """The pairs of texts of a second task."""

    def split(self, trial: int) -> Split:
        """The split of a trial, the same for every mechanism, so that they can be compared within a trial."""
        generator = np.random.default_rng(seed_of(self.options.seed, "split", trial))
        return split(self.documents.labels, self.documents.in_test, generator, self.options.train_share)

    def protocol(self) -> dict[str, Any]:
        """All that a finished piece of work depends on, besides its own name: results are kept only for equal ones."""
        info = self.bundle.info
        return {
            "version": hushbit.__version__,
            "seed": self.options.seed,
            "data": {
                "name": self.documents.name,
                "sha256": self.documents.sha256,
                "documents": len(self.documents.texts),
                "classes": self.documents.classes,
            },
            "bundle": {"hash": info.hash, "words": info.words, "bits": info.bits},
            "embeddings": self.embeddings,
            "classifier": {"epochs": self.options.epochs, "batch": BATCH},
            "beta": self.options.beta,
            "frequent": self.options.frequent,
            "train_share": self.options.train_share,
            "reader": {"epochs": self.options.reader_epochs, "words": self.options.attacked_words},
            **({} if self.pairs is None else {"pairs": {"name": self.pairs.name, "sha256": self.pairs.sha256}}),
        }


def prepare(
    documents: Documents,
    bundle: Bundle,
    embeddings: Embeddings,
    options: EvaluationOptions,
    progress: Progress = no_progress,
    pairs: Pairs | None = None,
) -> Inputs:
    """Checks what belongs together and tokenizes. Raises InvalidArgumentError before anything takes long."""
    check_sizes(documents.labels, documents.in_test, documents.classes, options.train_share)
    vectors = vectors_of(bundle, embeddings)
    corpus, coverage = tokenize(bundle._native, documents.texts, progress)
    if coverage.words == 0:
        raise InvalidArgumentError("no word of the data is in the bundle's vocabulary")
    generator = np.random.default_rng(seed_of(options.seed, "distances"))
    distances = Distances.measure(bundle, vectors, generator, progress)
    source = {"name": embeddings.source.name, "sha256": embeddings.source.sha256, "dimensions": embeddings.dimensions}
    settings = plan(bundle, distances, options.mechanisms, options.epsilons, options.word_epsilons, options.beta)
    return Inputs(options, documents, corpus, coverage, bundle, vectors, source, distances, settings, pairs)
