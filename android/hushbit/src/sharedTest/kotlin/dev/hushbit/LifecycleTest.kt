package dev.hushbit

import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** Closing: twice, before use, during use. */
class LifecycleTest {
    @Test
    fun useAfterCloseIsAnIllegalStateException() {
        val bundle = Hushbit.open(vector(WORDS))
        val privatizer = bundle.privatizer()
        privatizer.close()
        assertFailsWith<IllegalStateException> { privatizer.privatize("the cat") }
        bundle.close()
        assertFailsWith<IllegalStateException> { bundle.privatizer() }
        assertFailsWith<IllegalStateException> { bundle.tokenize("the cat") }
        assertFailsWith<IllegalStateException> { bundle.find("cat") }
        assertFailsWith<IllegalStateException> { bundle.word(0) }
        assertFailsWith<IllegalStateException> { bundle.verify() }
        assertFailsWith<IllegalStateException> { bundle.meta }
        assertEquals(256, bundle.info.bits)
        assertTrue(privatizer.info.effectiveEpsilon > 0)
    }

    @Test
    fun closingAgainDoesNothing() {
        val bundle = Hushbit.open(vector(WORDS))
        val privatizer = bundle.privatizer()
        repeat(3) { privatizer.close() }
        repeat(3) { bundle.close() }
    }

    @Test
    fun privatizerOutlivesItsBundle() {
        val privatizer = Hushbit.open(vector(WORDS)).use { it.privatizer() }
        privatizer.use { assertEquals(2, it.privatize("the cat").cost.words) }
    }

    @Test
    fun closingDuringCallsFrom8ThreadsLetsEachCallEnd() {
        repeat(20) {
            val bundle = Hushbit.open(vector(WORDS))
            val privatizer = bundle.privatizer()
            val started = CountDownLatch(8)
            val refused = AtomicInteger()
            val unexpected = AtomicInteger()
            val threads =
                List(8) {
                    thread {
                        started.countDown()
                        try {
                            while (true) {
                                val words = privatizer.privatize("the men were with the women").cost.words
                                check(words == 6L) { "a wrong answer" }
                            }
                        } catch (closed: IllegalStateException) {
                            val wanted = closed.message == "this Privatizer is closed"
                            (if (wanted) refused else unexpected).incrementAndGet()
                        }
                    }
                }
            started.await()
            Thread.sleep(5)
            bundle.close()
            privatizer.close()
            threads.forEach { it.join() }
            assertEquals(8, refused.get())
            assertEquals(0, unexpected.get())
        }
    }

    @Test
    fun closingFrom8ThreadsAtOnceGivesBackOnce() {
        val privatizer = Hushbit.open(vector(WORDS)).use { it.privatizer() }
        List(8) { thread { privatizer.close() } }.forEach { it.join() }
    }
}
