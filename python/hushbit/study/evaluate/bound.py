"""What the guarantee alone says about a reader's success, whatever the reader does.

Metric privacy gives Pr[y | w] <= e^(ε·d(w, v))·Pr[y | v] for any fixed word v. The best guess from y succeeds with
probability sum over y of max over w of π(w)·Pr[y | w], which is therefore at most max over w of π(w)·e^(ε·d(w, v)), for
every v; likewise for ten guesses. k releases cost k·ε.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp


def success_bound(
    log_prior: NDArray[np.float64], distances: NDArray[np.floating], epsilon: float, guesses: int
) -> float:
    """The least bound over all v, at most 1. `distances` are (words, words), `log_prior` is (words,)."""
    logs = log_prior + epsilon * distances.astype(np.float64)  # a row for each v
    guesses = min(guesses, len(log_prior))
    best = np.partition(logs, len(log_prior) - guesses, axis=1)[:, -guesses:]
    return float(np.exp(min(0.0, logsumexp(best, axis=1).min())))
