"""The control: keep the word with some probability, otherwise release any other word, all equally likely.

A mechanism that is not better at the same share of unchanged words adds only its proof for near words.
"""

import math

from hushbit.errors import InvalidArgumentError
from hushbit.study.privacy.figures import NEAR, Control


def control_of(unchanged: float, words: int, mean_similarity: float) -> Control:
    """What it does at a share of unchanged words, where `words` may come out; see below."""
    return Control(
        epsilon=keep_or_uniform_epsilon(unchanged, words),
        similarity=keep_or_uniform_similarity(unchanged, words, mean_similarity),
        near={k: keep_or_uniform_near(unchanged, words, k) for k in NEAR},
    )


def keep_or_uniform_epsilon(unchanged: float, words: int) -> float:
    """ln(q·(|W| - 1) / (1 - q)): the local-DP ε of keeping the word with probability q, at least 0.

    This is |W|-ary randomized response (Kairouz, Bonawitz and Ramage 2016). Infinite for q = 1.
    """
    if not 0 <= unchanged <= 1 or words < 1:
        raise InvalidArgumentError(f"a share of {unchanged} of {words} words is not possible")
    if unchanged == 1:
        return 0.0 if words == 1 else math.inf
    if unchanged == 0 or words == 1:
        return math.inf  # one of the words cannot come out
    return abs(math.log(unchanged) - math.log1p(-unchanged) + math.log(words - 1))


def keep_or_uniform_near(unchanged: float, words: int, near: int) -> float:
    """The probability that its output is among the `near` nearest words, including the word itself."""
    if words == 1:
        return 1.0
    return unchanged + (1 - unchanged) * (min(near, words) - 1) / (words - 1)


def keep_or_uniform_similarity(unchanged: float, words: int, mean_similarity: float) -> float:
    """Its mean similarity of output to input, from the mean over all ordered pairs, self-pairs included."""
    if words == 1:
        return 1.0
    others = (mean_similarity * words - 1) / (words - 1)
    return unchanged + (1 - unchanged) * others
