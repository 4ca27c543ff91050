"""An attacker with a dictionary: a word that was trained on shares weights with the n-grams that contain it.

Features that occur in the same documents only get the same weights. A rare word and the pairs of words that it was part
of do, and so do the runs of letters of a rare word. Synthetic rows repeat as often as genuine ones, but at hashes that
have nothing to do with each other. So who hashes a word of a dictionary and its n-grams, and finds more equal rows than
chance explains, knows that the word was typed. Words alone have no relatives: their models are not attacked.

Nothing is learned, and the words are a random half of each kind, so that chance has the distribution of Mann and
Whitney's statistic, and the bound on it that `attack` beside this proves. The control hashes with another seed, and
must find nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.hashing.attacks.attack import BAR, FALSE_ALARM
from hushbit.hashing.table.murmur import hash_features
from hushbit.hashing.table.repeats import row_keys

Rows = NDArray[np.int64]

COMPANIONS = 200
"""The frequent words with which pairs are tried."""
_MOST_WORDS = 1500  # words of either kind
_MIN_WORDS = 20
_SEED = 0x5EED  # the seed of the control; scikit-learn's is 0
_CHARACTERS = (3, 5)  # n-grams that are tried where the file does not say which


@dataclass(frozen=True)
class WordAttack:
    """Areas under the ROC of words whose rows are genuine against other words: 0.5 is chance.

    `by_relatives` is by the kind of n-grams, `controls` the same with hashes that the model does not use. `words` is
    the smallest number of words that an area is of, half of them genuine.
    """

    by_relatives: dict[str, float]
    controls: dict[str, float]
    words: int

    @property
    def auc(self) -> float:
        """The largest."""
        return max(self.by_relatives.values())

    @property
    def relatives(self) -> str:
        """Those that tell most."""
        return max(self.by_relatives, key=lambda kind: self.by_relatives[kind])

    @property
    def limit(self) -> float:
        """What `auc` may be: attack.BAR, or what chance reaches with probability FALSE_ALARM at most."""
        each = self.words // 2
        error = math.sqrt((2 * each + 1) / (12 * each**2))
        return max(BAR, 0.5 + error * math.sqrt(2 * math.log(len(self.by_relatives) / FALSE_ALARM)))

    @property
    def succeeded(self) -> bool:
        """Whether trained words can be told from others."""
        return self.auc > self.limit


def kinds_of_relatives(settings: dict[str, Any]) -> dict[str, Callable[[str, Sequence[str]], list[list[str]]]]:
    """Functions, by name, that make the relatives of a word: lists of features of which each first one should repeat.

    A model of words alone has none. A model whose file does not say what its features are has pairs of words and runs
    of 3 to 5 letters.
    """
    analyzer, known = settings.get("analyzer", "word"), bool(settings)
    low, high = settings.get("ngram_range") or (1, 1)
    kinds: dict[str, Callable[[str, Sequence[str]], list[list[str]]]] = {}
    if not known or (analyzer == "word" and high > 1):
        kinds["pairs of words"] = _pairs_alone if known and low > 1 else _pairs
    if not known or analyzer in ("char", "char_wb"):
        lengths = (low, high) if known else _CHARACTERS
        kinds["runs of letters"] = lambda word, _: _letters(word, *lengths)
    return kinds


def has_relatives(settings: dict[str, Any]) -> bool:
    """Whether the file says that features are n-grams."""
    return bool(settings) and bool(kinds_of_relatives(settings))


def attack_words(
    settings: dict[str, Any],
    genuine: NDArray[np.bool_],
    rows: Callable[[Rows], NDArray[Any]],
    words: Sequence[str],
    *,
    progress: Progress = no_progress,
) -> WordAttack | None:
    """Attacks a complete table of a model whose features scikit-learn would hash.

    `genuine` is (R,), `rows` gives the weights of hashes, `words` are a dictionary, the most frequent words first.
    None if the model has no n-grams, or too few words of the dictionary are of either kind. Needs the package mmh3.
    """
    kinds = kinds_of_relatives(settings)
    companions = words[:COMPANIONS]
    keys = np.concatenate([row_keys(rows(part)) for part in np.array_split(np.arange(len(genuine)), 64)])
    _, groups, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    share = sizes[groups] / len(groups)
    areas: dict[str, float] = {}
    controls: dict[str, float] = {}
    fewest = 2 * _MOST_WORDS
    for done, (name, relatives) in enumerate(kinds.items()):
        progress(done, len(kinds), "attacking words")
        for found, seed in ((areas, 0), (controls, _SEED)):
            chosen = _choose(genuine, words, companions, relatives, seed)
            if chosen is None:
                continue
            evidence = [_evidence(groups, share, features) for features in chosen]
            found[name] = _area(np.array(evidence))
            fewest = min(fewest, len(chosen))
    progress(len(kinds), len(kinds), "attacking words")
    return WordAttack(areas, controls, fewest) if areas else None


def _pairs(word: str, companions: Sequence[str]) -> list[list[str]]:
    """The word, and all pairs with a companion."""
    return [[word, *(f"{word} {other}" for other in companions), *(f"{other} {word}" for other in companions)]]


def _pairs_alone(word: str, companions: Sequence[str]) -> list[list[str]]:
    """Pairs with a companion, of which any may be the one that repeats."""
    pairs = _pairs(word, companions[: COMPANIONS // 8])[0][1:]
    return [pairs[at:] for at in range(len(pairs) - 1)]


def _letters(word: str, low: int, high: int) -> list[list[str]]:
    padded = f" {word} "
    runs = [padded[at : at + n] for n in range(low, high + 1) for at in range(len(padded) - n + 1)]
    runs = list(dict.fromkeys(runs))
    return [runs[at:] for at in range(len(runs) - 1)]


def _choose(
    genuine: NDArray[np.bool_],
    words: Sequence[str],
    companions: Sequence[str],
    relatives: Callable[[str, Sequence[str]], list[list[str]]],
    seed: int,
) -> list[list[Rows]] | None:
    """The hashed features of as many words with genuine rows as others, those with genuine rows first."""
    order = np.random.default_rng(0).permutation(len(words))
    mine: list[list[Rows]] = []
    others: list[list[Rows]] = []
    size = len(genuine)
    for place in order.tolist():
        kin = relatives(words[place], companions)
        if not kin:
            continue
        hashed = hash_features(kin[0], size, seed=seed)[0]
        # The hashes of the model say which words are trained ones, whatever the control looks at.
        own = hash_features(_own(kin), size)[0]
        into = mine if genuine[own].all() else others
        if len(into) < _MOST_WORDS:
            into.append([hashed[len(hashed) - len(features) :] for features in kin])
        if min(len(mine), len(others)) == _MOST_WORDS:
            break
    each = min(len(mine), len(others))
    return None if each < _MIN_WORDS else mine[:each] + others[:each]


def _own(kin: list[list[str]]) -> list[str]:
    """The features that a word has wherever it occurs: itself, or all of its runs of letters."""
    return kin[0][:1] if len(kin) == 1 else kin[0]


def _evidence(groups: Rows, share: NDArray[np.float64], features: list[Rows]) -> float:
    """How unlikely it is by chance that so many rows equal the first of each list; of the unlikeliest list."""
    best = 0.0
    for hashes in features:
        first, others = int(hashes[0]), np.unique(hashes[1:])
        others = others[others != first]
        equal = int((groups[others] == groups[first]).sum())
        if equal:
            expected = len(others) * float(share[first])
            best = max(best, equal * math.log(equal / expected) - equal + expected if equal > expected else 0.0)
    return best


def _area(evidence: NDArray[np.float64]) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(np.arange(len(evidence)) < len(evidence) // 2, evidence))
