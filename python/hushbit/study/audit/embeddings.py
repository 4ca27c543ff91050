"""Checks of embeddings: the bound for every pair of texts from the integers, recomputed releases, and frequencies."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.audit.check import POWER, Check
from hushbit.study.audit.coins import Coin, released_check
from hushbit.study.audit.draws import chi_square_check
from hushbit.study.audit.power import noticed_share
from hushbit.study.audit.recompute import WORD
from hushbit.study.audit.releases import draw_texts, unknown_token
from hushbit.study.audit.run import AuditOptions
from hushbit.study.mechanisms.embedding import EmbeddingMechanism

_LENGTHS = (1, 2, 3, 8, 16, 60)  # lengths of texts, in words
_CELLS = 64  # groups of directions, by index, that are counted apart


def audit_embeddings(
    bundle: _core.Bundle,
    epsilon: float,
    options: AuditOptions,
    make: Callable[[_core.Bundle, float], EmbeddingMechanism] = EmbeddingMechanism,
    progress: Progress = no_progress,
) -> list[Check]:
    """Checks embeddings of texts of the bundle's words, of several lengths, and of texts without known words.

    Releases are drawn again from crowds that are sorted here; frequencies are those of releases without a seed.
    """
    generator = np.random.default_rng(options.seed)
    embedding = make(bundle, epsilon)
    texts = _texts(bundle, options.words, generator)
    return [
        check_lambda(embedding),
        check_crowds(embedding, texts, progress),
        check_released(embedding, texts, generator, progress),
        check_draws(embedding, texts[-6:], options.draws),
    ]


def _texts(bundle: _core.Bundle, count: int, generator: np.random.Generator) -> list[bytes]:
    """Returns `count` + 2 texts: first those without known words, then some of each length, the longest last."""
    words = b" ".join(text for text, _ in draw_texts(bundle, count * sum(_LENGTHS), generator)).split(b" ")
    texts, first = [b"", unknown_token(bundle)], 0
    for number in range(count):
        length = _LENGTHS[number * len(_LENGTHS) // count]
        texts.append(b" ".join(words[first : first + length]))
        first += length
    return texts


def check_lambda(embedding: EmbeddingMechanism) -> Check:
    """Whether the threshold gives at most the claimed ε, and the claimed ε is at most the requested one."""
    info = embedding.info
    said = f"a direction comes from the crowd with {info.crowd_probability:.9f}"
    return _coin(embedding).check("lambda", said, info.requested_epsilon, info.effective_epsilon, "crowds")


def _coin(embedding: EmbeddingMechanism) -> Coin:
    return Coin(embedding.info.crowd_threshold, embedding.info.crowd_directions, embedding.info.directions)


def check_crowds(embedding: EmbeddingMechanism, texts: list[bytes], progress: Progress = no_progress) -> Check:
    """Checks that crowds are k different directions, and the nearest ones, by sorting all of them.

    docs/proofs.md needs only that they are k different ones.
    """
    info = embedding.info
    wrong = dict.fromkeys(("of another size", "with a direction twice or out of range", "other than the nearest"), 0)
    vectors = embedding.vectors(texts)
    for number, vector in enumerate(vectors, 1):
        crowd = embedding.crowd(vector)
        inside = crowd[crowd < info.directions]
        wrong["of another size"] += int(len(crowd) != info.crowd_directions)
        wrong["with a direction twice or out of range"] += int(len(np.unique(inside)) != len(crowd))
        wrong["other than the nearest"] += int(not np.array_equal(crowd, _nearest(embedding, vector)))
        progress(number, len(texts), "crowds")
    faults = [f"{count:,} {what}" for what, count in wrong.items() if count]
    share = noticed_share(len(texts))
    return Check(
        "crowds",
        not faults,
        f"the crowds of {len(texts):,} texts, of {info.crowd_directions:,} of {info.directions:,} directions: "
        + ("; ".join(faults) if faults else "all different and the nearest, so no pair of texts is above the bound"),
        f"a fault in the crowds of {share:.2%} of such texts, with {POWER:.1%}",
        share,
        POWER,
        "crowds of other texts, and whether draws use these crowds",
    )


def _nearest(embedding: EmbeddingMechanism, vector: NDArray[np.int64]) -> NDArray[np.int64]:
    """The crowd by sorting everything. Inner products are below 2**62."""
    scores = embedding.directions() @ vector
    order = np.lexsort((np.arange(len(scores)), -scores))
    return np.asarray(order[: embedding.info.crowd_directions], dtype=np.int64)


def check_released(
    embedding: EmbeddingMechanism, texts: list[bytes], generator: np.random.Generator, progress: Progress = no_progress
) -> Check:
    """Checks releases with seeds, which are drawn again from crowds that are sorted here."""
    wrong = 0
    for number, (text, vector) in enumerate(zip(texts, embedding.vectors(texts), strict=True), 1):
        member = _nearest(embedding, vector).item if vector.any() else None
        wrong += _coin(embedding).wrong_releases(partial(embedding.release, text), member, generator)
        progress(number, len(texts), "draw again")
    return released_check(wrong, len(texts), "releases", "a crowd that was sorted", "texts that are not among these")


def check_draws(embedding: EmbeddingMechanism, texts: list[bytes], draws: int) -> Check:
    """Tests frequencies of releases without a seed: the crowd and the other directions, in groups by index."""
    info = embedding.info
    tables = []
    for text, vector in zip(texts, embedding.vectors(texts), strict=True):
        member = np.zeros(info.directions, dtype=np.int64)
        chance = info.crowd_threshold / WORD if vector.any() else 0.0
        member[_nearest(embedding, vector)] = 1
        expected = (1 - chance) / info.directions + chance * member / info.crowd_directions
        cell = np.arange(info.directions) * _CELLS // info.directions * 2 + member
        found = np.bincount(cell[embedding.draw(text, draws)], minlength=2 * _CELLS)
        wanted = np.bincount(cell, expected, minlength=2 * _CELLS).astype(np.float64) * draws
        tables.append((found, wanted))
    return chi_square_check(
        "draws",
        f"{len(texts)} texts × {draws:,} releases without a seed, {_CELLS} groups of directions in and out of crowds",
        tables,
        len(texts) * draws,
        "other texts, and faults within a group",
    )
