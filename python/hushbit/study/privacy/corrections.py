"""What mechanisms of earlier papers cost, where the papers say less, by the corrections to them.

Lyu et al. 2020a ("Differentially private representation for NLP", DPNR) and 2020b ("Towards differentially private
text representations"); the corrections are those of the appendix of the UeDP paper. The one to 2020b weighs the bits of
a number, and a weighed budget is no ε of differential privacy: `encoding_local_dp` is.
"""

import math

from hushbit.errors import InvalidArgumentError


def dpnr_epsilon(coordinates: int, epsilon: float) -> float:
    """k·ε: Laplace noise of scale 1/ε on each of k coordinates in [0, 1], at the level of words.

    Two words may differ by 1 in every coordinate, so the L1 sensitivity is k, not 1. DPNR states ε.
    """
    if coordinates < 1:
        raise InvalidArgumentError(f"{coordinates} coordinates are not possible; there is at least 1")
    return coordinates * _budget(epsilon)


def dpnr_dropout_epsilon(coordinates: int, epsilon: float, dropout: float) -> float:
    """ln((1 - μ)·e^(k·ε) + μ): the same after each word is dropped with probability μ, in [0, 1]."""
    if not 0 <= dropout <= 1:
        raise InvalidArgumentError(f"a word dropout of {dropout} is not a probability")
    whole = dpnr_epsilon(coordinates, epsilon)
    # ln(1 + (1 - μ)(e^x - 1)), without e^x where it would overflow
    if whole < 700:
        return math.log1p((1 - dropout) * math.expm1(whole))
    return math.inf if dropout < 1 and math.isinf(whole) else (whole + math.log1p(-dropout) if dropout < 1 else 0.0)


def sign_bit_epsilon(integer_bits: int, epsilon: float) -> float:
    """2^(m+1)·ε_i, what the correction states for the sign bit of a real in binary with m integer bits.

    Every bit is under randomized response at ε_i.
    """
    return math.ldexp(_budget(epsilon), _bits(integer_bits) + 1)


def integer_bit_epsilon(place: int, epsilon: float) -> float:
    """2^(i-1)·ε_i, what the correction states for the integer bit at place i, counted from 1 at the lowest."""
    return math.ldexp(_budget(epsilon), _place(place) - 1)


def fraction_bit_epsilon(place: int, epsilon: float) -> float:
    """2^(-i)·ε_i, what the correction states for the fraction bit at place i, counted from 1 at the highest."""
    return math.ldexp(_budget(epsilon), -_place(place))


def encoding_epsilons(integer_bits: int, fraction_bits: int, epsilon: float) -> list[tuple[str, float]]:
    """What the correction states for every bit of the encoding, from the sign on: pairs of its name and its ε.

    These weigh a bit by what it changes in the number. The local-DP ε of a bit is ε_i whatever it weighs: see
    `encoding_local_dp`. Hushbit's learned codes are no such encoding: every bit weighs the same in the Hamming metric.
    """
    rows = [("sign", sign_bit_epsilon(integer_bits, epsilon))]
    rows += [(f"integer {i}", integer_bit_epsilon(i, epsilon)) for i in range(_bits(integer_bits), 0, -1)]
    return rows + [(f"fraction {i}", fraction_bit_epsilon(i, epsilon)) for i in range(1, _bits(fraction_bits) + 1)]


def encoding_sum(integer_bits: int, fraction_bits: int, epsilon: float) -> float:
    """(3·2^m - 2^-n)·ε_i: the sum of what the correction states over the bits of one number (its Equation 13)."""
    return math.fsum(value for _, value in encoding_epsilons(integer_bits, fraction_bits, epsilon))


def total_epsilon(epsilon: float, features: int, iterations: int) -> float:
    """T·r·ε: of r features of ε each, released anew in each of T iterations, by basic composition.

    If the noise is drawn once and every iteration reads the same noisy features, they count once: T is 1 then.
    """
    if features < 1 or iterations < 1:
        raise InvalidArgumentError(
            f"{features} features in {iterations} iterations are not possible; both are at least 1"
        )
    return iterations * features * _budget(epsilon)


def encoding_local_dp(integer_bits: int, fraction_bits: int, epsilon: float) -> float:
    """(1 + m + n)·ε_i: the local-DP ε of a whole number, two of which may differ in every bit.

    Of one bit it is ε_i: Pr[b → b] / Pr[1 - b → b] = e^ε_i.
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
