package dev.hushbit.keyboard

import java.math.BigDecimal
import java.math.RoundingMode

/** A cost for people: rounded up to two decimals, from the whole number of millionths for which its double stands. */
internal fun costText(cost: Double): String {
    if (!cost.isFinite()) return "\u221E"
    return millionths(cost)
        .setScale(2, RoundingMode.CEILING)
        .stripTrailingZeros()
        .toPlainString()
}

/** The sum of two worst cases, which are numbers of millionths: exactly, as in the core. 18.1 + 18.1 + 17.8 is 54. */
internal fun sumOfCosts(
    one: Double,
    other: Double,
): Double {
    val sum = one + other
    return if (sum.isFinite()) (millionths(one) + millionths(other)).toDouble() else sum
}

private fun millionths(cost: Double) = BigDecimal(cost).setScale(6, RoundingMode.HALF_EVEN)
