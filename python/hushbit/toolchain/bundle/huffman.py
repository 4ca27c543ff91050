"""Canonical Huffman codes of bounded length."""

from collections.abc import Sequence

MAX_LENGTH = 12


def code_lengths(counts: Sequence[int], max_length: int = MAX_LENGTH) -> list[int]:
    """The lengths of an optimal code with at most `max_length` bits for symbols that occur `counts` times.

    Symbols that do not occur get 0; a symbol that occurs alone gets 1. Package-merge (Larmore and Hirschberg, 1990):
    from the longest length up, combine pairs of the cheapest items into packages and merge them with the symbols. The
    length of a symbol is the number of times that it occurs among the 2n - 2 cheapest items at the end. Ties are
    resolved in favor of the lower symbol, so the same counts always give the same lengths. Needs 2 ** max_length >= the
    number of symbols that occur.
    """
    leaves: list[tuple[int, tuple[int, ...]]]
    leaves = sorted((count, (symbol,)) for symbol, count in enumerate(counts) if count > 0)
    lengths = [0] * len(counts)
    if len(leaves) == 1:
        lengths[leaves[0][1][0]] = 1
    if len(leaves) < 2:
        return lengths
    items = leaves
    for _ in range(max_length - 1):
        pairs = zip(items[0::2], items[1::2], strict=False)
        packages = [(a[0] + b[0], a[1] + b[1]) for a, b in pairs]
        items = sorted(leaves + packages, key=lambda item: item[0])
    for _, symbols in items[: 2 * len(leaves) - 2]:
        for symbol in symbols:
            lengths[symbol] += 1
    return lengths


def canonical_codes(lengths: Sequence[int]) -> list[int]:
    """The code value of each symbol: consecutive in order of (length, symbol), shifted left when the length grows."""
    codes = [0] * len(lengths)
    code = length_before = 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths) if length > 0):
        code <<= length - length_before
        codes[symbol] = code
        code += 1
        length_before = length
    return codes
