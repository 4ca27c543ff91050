package dev.hushbit

import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** Closing: twice, before use, during use. */
class LifecycleTest {
    @Test
    fun `use after close is an IllegalStateException`() {
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
    fun `closing again does nothing`() {
        val bundle = Hushbit.open(vector(WORDS))
        val privatizer = bundle.privatizer()
        repeat(3) { privatizer.close() }
        repeat(3) { bundle.close() }
    }

    @Test
    fun `a privatizer outlives its bundle`() {
        val privatizer = Hushbit.open(vector(WORDS)).use { it.privatizer() }
        privatizer.use { assertEquals(2, it.privatize("the cat").cost.words) }
    }

    @Test
    fun `closing during calls from 8 threads lets each call end`() {
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
    fun `closing from 8 threads at once gives back once`() {
        val privatizer = Hushbit.open(vector(WORDS)).use { it.privatizer() }
        List(8) { thread { privatizer.close() } }.forEach { it.join() }
    }
}
