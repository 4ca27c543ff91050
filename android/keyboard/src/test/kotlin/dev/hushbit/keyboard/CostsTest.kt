package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import kotlin.test.assertEquals

class CostsTest {
    @Test
    fun `worst cases add up to what they are`() {
        assertEquals(54.0, listOf(18.1, 18.1, 17.8).reduce(::sumOfCosts))
        assertEquals(1.0, List(10) { 0.1 }.reduce(::sumOfCosts))
        assertEquals(0.3, sumOfCosts(0.1, 0.2))
        assertEquals(Double.POSITIVE_INFINITY, sumOfCosts(1.0, Double.POSITIVE_INFINITY))
    }

    @Test
    fun `millionths are exact, and the rest is rounded up`() {
        assertEquals("54", costText(54.00000000000001))
        assertEquals("54", costText(53.99999999999999))
        assertEquals("18.1", costText(18.1))
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
