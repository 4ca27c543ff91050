package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.test.assertFalse
import kotlin.test.assertNotEquals
import kotlin.test.assertTrue

class BackgroundTest {
    @Test
    fun `a task that fails ends alone, and none runs on the caller's thread`() {
        val done = CountDownLatch(1)
        var thread = Thread.currentThread()
        Background.execute { error("a fault") }
        Background.execute {
            thread = Thread.currentThread()
            done.countDown()
        }
        assertTrue(done.await(60, TimeUnit.SECONDS))
        assertNotEquals(Thread.currentThread(), thread)
    }

    @Test
    fun `only debug builds are watched`() {
        assertTrue(isDebugBuild(0x82))
        assertFalse(isDebugBuild(0x80))
    }
}
