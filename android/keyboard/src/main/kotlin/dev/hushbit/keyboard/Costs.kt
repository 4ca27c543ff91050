package dev.hushbit.keyboard

import java.math.BigDecimal
import java.math.RoundingMode

/**
 * A cost for people: rounded up to two decimals, from a whole number of millionths. Sums of costs have the errors of
 * binary fractions: 54.00000000000001 is shown as 54.
 */
internal fun costText(cost: Double): String {
    if (!cost.isFinite()) return "\u221E"
    val millionths = BigDecimal(cost).setScale(6, RoundingMode.HALF_EVEN)
    return millionths
        .setScale(2, RoundingMode.CEILING)
        .stripTrailingZeros()
        .toPlainString()
}
