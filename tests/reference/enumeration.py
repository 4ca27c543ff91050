"""The exact output distribution of BRR on toy vocabularies, in rational arithmetic.

The codes of a toy vocabulary differ in at most 8 bits. Noise on a bit that all codes share moves every word away by the
same amount, so it changes neither which words are nearest nor how many tie: summing over those bits leaves the
distribution over the few that differ, which is enumerated.
"""

from collections.abc import Callable
from fractions import Fraction

from .coin import RANGE

# Gives the chances of the tied ids, from the true word and the tied ids. The real one does not look at the word.
TieBreak = Callable[[int, list[int]], dict[int, Fraction]]


def uniform_ties(word: int, tied: list[int]) -> dict[int, Fraction]:
    """Every tied id has the same chance, whatever the word was."""
    del word
    return {id: Fraction(1, len(tied)) for id in tied}


def distance(a: int, b: int) -> int:
    """Hamming distance of two codes given as integers."""
    return (a ^ b).bit_count()


def output_distribution(
    codes: list[int], bits: int, word: int | None, flip: Fraction, ties: TieBreak = uniform_ties
) -> list[Fraction]:
    """Pr[output = y] for every id y, given the true `word` (None: unknown, a uniform code) and a flip probability."""
    chances = [Fraction(0)] * len(codes)
    true_code = 0 if word is None else codes[word]
    p = Fraction(1, 2) if word is None else flip
    for noisy in range(1 << bits):
        moved = distance(noisy, true_code)
        chance = p**moved * (1 - p) ** (bits - moved)
        nearest = min(distance(noisy, code) for code in codes)
        tied = [id for id, code in enumerate(codes) if distance(noisy, code) == nearest]
        for id, share in ties(-1 if word is None else word, tied).items():
            chances[id] += chance * share
    return chances


def distributions(codes: list[int], bits: int, threshold: int, ties: TieBreak = uniform_ties) -> list[list[Fraction]]:
    """Row w: the output distribution for word w, with the integer coin of the core."""
    flip = Fraction(threshold, RANGE)
    return [output_distribution(codes, bits, word, flip, ties) for word in range(len(codes))]


def first_violation(codes: list[int], rows: list[list[Fraction]], odds: Fraction) -> tuple[int, int, int] | None:
    """The first (w, w', y) with Pr[M(w)=y] > odds^d(w,w') * Pr[M(w')=y], all exact; None if the promise holds."""
    for a, row_a in enumerate(rows):
        for b, row_b in enumerate(rows):
            factor = odds ** distance(codes[a], codes[b])
            for output, (chance_a, chance_b) in enumerate(zip(row_a, row_b, strict=True)):
                if chance_a > factor * chance_b:
                    return a, b, output
    return None
