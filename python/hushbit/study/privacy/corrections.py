"""The true cost of two earlier mechanisms, whose papers state a smaller ε.

They are Lyu et al. 2020a ("Differentially private representation for NLP", DPNR) and 2020b ("Towards differentially
private text representations"). The corrections are in the appendix of the UeDP paper. The correction of 2020b weighs
the bits of a number. A weighed budget is not an ε of differential privacy; `encoding_local_dp` returns that.
"""

import math

from hushbit.errors import InvalidArgumentError


def dpnr_epsilon(coordinates: int, epsilon: float) -> float:
    """k·ε: the ε of a word for Laplace noise of scale 1/ε on each of k coordinates in [0, 1].

    Two words may differ by 1 in every coordinate, so the L1 sensitivity is k, not 1. DPNR states ε.
    """
    if coordinates < 1:
        raise InvalidArgumentError(f"{coordinates} coordinates are not possible; there is at least 1")
    return coordinates * _budget(epsilon)


def dpnr_dropout_epsilon(coordinates: int, epsilon: float, dropout: float) -> float:
    """ln((1 - μ)·e^(k·ε) + μ): the same if each word is dropped with probability μ, in [0, 1], before."""
    if not 0 <= dropout <= 1:
        raise InvalidArgumentError(f"a word dropout of {dropout} is not a probability")
    whole = dpnr_epsilon(coordinates, epsilon)
    # ln(1 + (1 - μ)(e^x - 1)), without e^x where it would overflow
    if whole < 700:
        return math.log1p((1 - dropout) * math.expm1(whole))
    return math.inf if dropout < 1 and math.isinf(whole) else (whole + math.log1p(-dropout) if dropout < 1 else 0.0)


def sign_bit_epsilon(integer_bits: int, epsilon: float) -> float:
    """2^(m+1)·ε_i: the correction for the sign bit of a real number in binary, with m integer bits.

    Each bit is randomized by randomized response at ε_i.
    """
    return math.ldexp(_budget(epsilon), _bits(integer_bits) + 1)


def integer_bit_epsilon(place: int, epsilon: float) -> float:
    """2^(i-1)·ε_i: the correction for the integer bit at place i. The lowest bit has place 1."""
    return math.ldexp(_budget(epsilon), _place(place) - 1)


def fraction_bit_epsilon(place: int, epsilon: float) -> float:
    """2^(-i)·ε_i: the correction for the fraction bit at place i. The highest bit has place 1."""
    return math.ldexp(_budget(epsilon), -_place(place))


def encoding_epsilons(integer_bits: int, fraction_bits: int, epsilon: float) -> list[tuple[str, float]]:
    """The corrections for all bits of the encoding, beginning with the sign: pairs of a bit's name and its ε.

    The correction weighs a bit by its value in the number. The local-DP ε of each bit is ε_i, whatever its value: see
    `encoding_local_dp`. Hushbit's learned codes are no such encoding: in the Hamming metric all bits weigh the same.
    """
    rows = [("sign", sign_bit_epsilon(integer_bits, epsilon))]
    rows += [(f"integer {i}", integer_bit_epsilon(i, epsilon)) for i in range(_bits(integer_bits), 0, -1)]
    return rows + [(f"fraction {i}", fraction_bit_epsilon(i, epsilon)) for i in range(1, _bits(fraction_bits) + 1)]


def encoding_sum(integer_bits: int, fraction_bits: int, epsilon: float) -> float:
    """(3·2^m - 2^-n)·ε_i: the sum of the corrections over the bits of one number (Equation 13 of the UeDP paper)."""
    return math.fsum(value for _, value in encoding_epsilons(integer_bits, fraction_bits, epsilon))


def total_epsilon(epsilon: float, features: int, iterations: int) -> float:
    """T·r·ε: the cost of r features at ε each, released with new noise in T iterations, by basic composition.

    If all iterations read the same noisy features, these count only once: use T = 1.
    """
    if features < 1 or iterations < 1:
        raise InvalidArgumentError(
            f"{features} features in {iterations} iterations are not possible; both are at least 1"
        )
    return iterations * features * _budget(epsilon)


def encoding_local_dp(integer_bits: int, fraction_bits: int, epsilon: float) -> float:
    """(1 + m + n)·ε_i: the local-DP ε of an encoded number, since two numbers can differ in all bits.

    For one bit it is ε_i: Pr[b → b] / Pr[1 - b → b] = e^ε_i.
    """
    return (1 + _bits(integer_bits) + _bits(fraction_bits)) * _budget(epsilon)


def _budget(epsilon: float) -> float:
    if not (math.isfinite(epsilon) and epsilon >= 0):
        raise InvalidArgumentError(f"epsilon is {epsilon}; it must be a finite number, 0 or more")
    return float(epsilon)


def _bits(count: int) -> int:
    if not 0 <= count <= 64:
        raise InvalidArgumentError(f"{count} bits are not possible; there are 0 to 64")
    return count


def _place(place: int) -> int:
    if not 1 <= place <= 64:
        raise InvalidArgumentError(f"there is no place {place}; places are 1 to 64")
    return place
