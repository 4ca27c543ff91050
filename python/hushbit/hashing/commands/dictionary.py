"""The attacker with a dictionary, for `privatize` and `attack`: its words are those of the built-in bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from hushbit._plumbing.progress import Progress
    from hushbit.hashing import HashedModel
    from hushbit.hashing.attacks.relatives import WordAttack

_FORMATS = ("skops", "npz")  # formats whose features scikit-learn hashes


def attack_dictionary(
    model: HashedModel,
    model_format: str,
    synthetic: Callable[[NDArray[np.int64]], NDArray[Any]],
    progress: Progress,
) -> WordAttack | None:
    """Attacks the table of a model with synthetic rows, which are given by their number among all synthetic ones.

    None for a model of another format, of words alone, or with too few words of the dictionary.
    """
    import numpy as np

    from hushbit.hashing.attacks.relatives import attack_words, kinds_of_relatives

    if model_format not in _FORMATS or not kinds_of_relatives(model.settings):
        return None
    genuine = np.zeros(model.range, dtype=np.bool_)
    genuine[model.hashes] = True

    def rows(hashes: NDArray[np.int64]) -> NDArray[Any]:
        before = np.searchsorted(model.hashes, hashes)
        found = np.empty((len(hashes), model.dimensions), dtype=model.weights.dtype)
        known = genuine[hashes]
        found[known] = model.weights[before[known]]
        found[~known] = synthetic((hashes - before)[~known])
        return found

    return attack_words(model.settings, genuine, rows, frequent_words(), progress=progress)


def words_document(found: WordAttack | None) -> dict[str, Any] | None:
    """The areas by n-grams, and their controls."""
    if found is None:
        return None
    return {
        "auc": found.auc,
        "relatives": found.relatives,
        "told_apart": found.succeeded,
        "limit": found.limit,
        "words": found.words,
        "by_relatives": found.by_relatives,
        "controls": found.controls,
    }


def words_text(found: dict[str, Any] | None) -> str:
    """The same for people."""
    if found is None:
        return "not attacked: the file says that features are words alone, or not how they are hashed"
    areas = ", ".join(f"{area:.3f} by {kind}" for kind, area in found["by_relatives"].items())
    control = max(found["controls"].values(), default=0.5)
    told = "can be told" if found["told_apart"] else "were not told"
    return f"trained words {told} by their n-grams: {areas} (yes above {found['limit']:.3f}; control {control:.3f})"


def frequent_words() -> list[str]:
    """Output words that scikit-learn finds in text, the most frequent first."""
    import numpy as np

    import hushbit
    from hushbit import _core

    bundle = hushbit.open()
    weights = _core.output_weights(bundle.privatizer("crowd")._native)
    order = np.argsort(-weights.astype(np.int64), kind="stable")[: bundle.info.output_words]
    found = (bundle.word(int(word)) for word in order)
    return [word for word in found if len(word) > 1 and word.isascii() and word.isalpha()]
