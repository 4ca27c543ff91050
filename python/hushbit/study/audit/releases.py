"""Checks seeded releases of the whole bundle: recomputes them by brute force, and counts their coins."""

import math

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import Progress
from hushbit.study.audit.check import LEVEL, POWER, Check
from hushbit.study.audit.crowds import Drawing
from hushbit.study.audit.power import binomial_p, noticed_chances, noticed_share
from hushbit.study.audit.recompute import BrrRelease, Codes, release_brr, release_tem
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.core import SEED_BYTES, UNKNOWN, Brr, HammingTem, Release, ids_of
from hushbit.study.mechanisms.crowd import CrowdMechanism

_UNKNOWN_EVERY = 16  # words
_TRIES = 3  # words sampled for each needed word, since some cannot be typed
_TEXT_WORDS = 256  # words of one release
_NOTICED = 0.02  # a relative error of the coin that must be detected, if _MOST_COINS are enough
_MOST_COINS = 20_000_000


Texts = list[tuple[bytes, bytes]]
"""Texts of words of a bundle, each with the seed for its release."""


def draw_texts(bundle: _core.Bundle, tokens: int, generator: np.random.Generator, codes: Codes | None = None) -> Texts:
    """Sampled words that can be typed, with an unknown token after every 16 of them.

    With `codes`, a quarter of the words share their code with others, if there are such words: they always tie.
    """
    every = np.arange(bundle.info().words, dtype=np.uint32)
    words = _typeable(bundle, generator.choice(every, size=_TRIES * tokens))[:tokens]
    if codes is not None and len(codes.twins):
        twins = _typeable(bundle, generator.choice(np.unique(codes.twins), size=tokens))[: len(words[::4])]
        words[::4][: len(twins)] = twins
    unknown = unknown_token(bundle)
    parts = [unknown]
    for number, word in enumerate(words.tolist()):
        parts.append(bundle.word(word))
        if number % _UNKNOWN_EVERY == _UNKNOWN_EVERY - 1:
            parts.append(unknown)
    texts = [b" ".join(parts[first : first + _TEXT_WORDS]) for first in range(0, len(parts), _TEXT_WORDS)]
    return [(text, generator.bytes(SEED_BYTES)) for text in texts]


def _typeable(bundle: _core.Bundle, words: Ids) -> Ids:
    """The words that are one token when typed, and get noise."""
    spelled = ((word, bundle.word(word)) for word in words.tolist())
    typed = ids_of(word for word, text in spelled if [token.word for token in bundle.tokenize(text)] == [word])
    return typed if bundle.info().public_words == 0 else _not_public(bundle, typed)


def _not_public(bundle: _core.Bundle, words: Ids) -> Ids:
    """The words that get noise: the release of a public word counts it as public."""
    privatizer = _core.Privatizer(bundle, allow_unchanged=True)
    return ids_of(word for word in words.tolist() if not privatizer.privatize(bundle.word(word)).cost.public_words)


def unknown_token(bundle: _core.Bundle) -> bytes:
    """A token that is not in the vocabulary."""
    number = 0
    while any(token.word is not None for token in bundle.tokenize(b"qx%dz" % number)):
        number += 1
    return b"qx%dz" % number


def check_brr(brr: Brr, codes: Codes, texts: Texts, progress: Progress) -> list[Check]:
    """One check for each search: all noisy codes, nearest words, their number, and the released words."""
    threshold = int(brr.flip_chance * 2**64)
    right = []
    for number, (text, seed) in enumerate(texts, 1):
        right.append(release_brr(codes, _typed(brr.bundle, text), threshold, seed))
        progress(number, len(texts), "compare every word")
    checks = []
    for search in brr.searches:
        released = []
        for number, (text, seed) in enumerate(texts, 1):
            released.append(brr.release(text, seed, search))
            progress(number, len(texts), f"release by {search}")
        checks.append(_check_search(brr, search, released, right))
    return checks


def _check_search(brr: Brr, search: str, released: list[Release], right: list[BrrRelease]) -> Check:
    wrong = dict.fromkeys(("noisy codes", "nearest words", "released words"), 0)
    for ours, theirs in zip(right, released, strict=True):
        wrong["noisy codes"] += _different(ours.noisy, theirs.noisy)
        wrong["released words"] += _different(ours.outputs, theirs.outputs)
        found = np.stack(brr.nearest(ours.noisy, search), axis=1)
        brute = np.array([(near.distance, len(near.words), near.words[0]) for near in ours.found])
        wrong["nearest words"] += _different(brute, found)
    return _recomputed(f"released, {search}", right, wrong, _ties_text(right))


def _different(ours: NDArray[np.integer], theirs: NDArray[np.integer]) -> int:
    """The number of rows that differ; all rows if the number of rows differs."""
    if ours.shape != theirs.shape:
        return len(ours)
    return int((ours != theirs).reshape(len(ours), -1).any(axis=1).sum())


def _typed(bundle: _core.Bundle, text: bytes) -> Ids:
    return ids_of(token.word for token in bundle.tokenize(text))


def _ties_text(right: list[BrrRelease]) -> str:
    ties = [
        (word, near.words)
        for release in right
        for word, near in zip(release.inputs.tolist(), release.found, strict=True)
        if len(near.words) > 1
    ]
    own = sum(word in words for word, words in ties)
    return f"; {len(ties):,} had ties, {own:,} of them with the word typed among these"


def _recomputed(
    name: str,
    right: list[Release] | list[BrrRelease],
    wrong: dict[str, int],
    more: str,
    how: str = "compared with all words",
) -> Check:
    tokens = sum(len(release.inputs) for release in right)
    unknown = sum(int((release.inputs == UNKNOWN).sum()) for release in right)
    faults = [f"{count:,} {what}" for what, count in wrong.items() if count]
    outcome = f"{' and '.join(faults)} are others than" if faults else "all are"
    share = noticed_share(tokens)
    return Check(
        name,
        not faults,
        f"{tokens:,} tokens, {unknown:,} of them unknown, each {how}: {outcome} what the seed gives{more}",
        f"a fault that changes the outcome of {share:.2%} of such tokens, with {POWER:.1%}",
        share,
        POWER,
        "randomness without a seed, and words that are not among the sampled ones",
    )


def check_tem(tem: HammingTem, codes: Codes, texts: Texts, progress: Progress) -> Check:
    """Checks what is released, token by token."""
    weights = [int(weight) for weight in tem.weights]
    right, wrong = [], 0
    for number, (text, seed) in enumerate(texts, 1):
        right.append(release_tem(codes, _typed(tem.bundle, text), weights, seed))
        wrong += _different(right[-1].outputs, tem.release(text, seed).outputs)
        progress(number, len(texts), "compare every word")
    return _recomputed("released", right, {"released words": wrong}, "")


def check_crowds(crowds: CrowdMechanism, texts: Texts, progress: Progress) -> Check:
    """Checks what is released, token by token."""
    drawing = Drawing(crowds)
    right, wrong = [], 0
    for number, (text, seed) in enumerate(texts, 1):
        right.append(drawing.release(_typed(crowds.bundle, text), seed))
        wrong += _different(right[-1].outputs, crowds.release(text, seed).outputs)
        progress(number, len(texts), "draw again")
    return _recomputed("released", right, {"released words": wrong}, "", "recomputed from shares and weights")


def check_coins(brr: Brr, codes: Codes, tokens: int, generator: np.random.Generator, progress: Progress) -> list[Check]:
    """Counts flips in the noisy codes of releases, for words and for unknown tokens, whose coins are fair."""
    flip = float(brr.flip_chance)
    # Enough to detect _NOTICED: LEVEL is 5 standard errors away, POWER another 3.
    coins = min(_MOST_COINS, math.ceil((8 / _NOTICED) ** 2 * (1 - flip) / flip))
    texts = draw_texts(brr.bundle, max(tokens, math.ceil(coins / codes.bits)), generator)
    flips, totals = [0, 0], [0, 0]
    for number, (text, seed) in enumerate(texts, 1):
        release = brr.release(text, seed)
        known = release.inputs != UNKNOWN
        base = np.zeros_like(release.noisy)
        base[known] = codes.rows[release.inputs[known]]
        counts = np.bitwise_count(release.noisy ^ base).sum(axis=1, dtype=np.int64)
        for kind, chosen in enumerate((known, ~known)):
            flips[kind] += int(counts[chosen].sum())
            totals[kind] += int(chosen.sum()) * codes.bits
        progress(number, len(texts), "count coins")
    return [
        _coins_check("coins of words", flips[0], totals[0], flip),
        _coins_check("coins of unknown", flips[1], totals[1], 0.5),
    ]


def _coins_check(name: str, flips: int, total: int, flip: float) -> Check:
    if total == 0:
        return Check(name, True, "no word of the bundle can be typed", "nothing", math.inf, POWER, "anything")
    p = binomial_p(flips, total, flip)
    low, high = noticed_chances(total, flip)
    below = f"of {low:.6g} or less, or " if low > 0 else ""
    return Check(
        name,
        p > LEVEL,
        f"{flips:,} of {total:,} bits of released noisy codes flipped, expected {flip * total:,.1f}, p {p:.2g}",
        f"a chance to flip {below}of {high:.6g} or more, where {flip:.6g} is right, with {POWER:.1%}",
        max(1 - low / flip, high / flip - 1),
        POWER,
        "randomness without a seed, and flips that depend on the word or the bit but are right on average",
    )
