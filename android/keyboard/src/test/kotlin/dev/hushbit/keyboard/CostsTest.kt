package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import kotlin.test.assertEquals

class CostsTest {
    @Test
    fun `sums are exact, and the rest is rounded up`() {
        assertEquals("54", costText(54.00000000000001))
        assertEquals("54", costText(53.99999999999999))
        assertEquals("54", costText(List(9) { 6.000000000000001 }.sum()))
        assertEquals("6", costText(6.0000000001))
        assertEquals("0.3", costText(0.1 + 0.2))
        assertEquals("54.9", costText(54.9))
        assertEquals("54.91", costText(54.9001))
        assertEquals("0.01", costText(0.001))
        assertEquals("1000", costText(1e3))
        assertEquals("0", costText(0.0))
        assertEquals("\u221E", costText(Double.POSITIVE_INFINITY))
    }
}
