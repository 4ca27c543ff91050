package dev.hushbit

import org.junit.jupiter.api.Test
import java.util.concurrent.atomic.AtomicLong
import kotlin.concurrent.thread
import kotlin.test.assertEquals
import kotlin.test.assertTrue

/** Many calls from several threads; `-Xcheck:jni` reports a growth of local references meanwhile. */
class StressTest {
    @Test
    fun `the native heap is stable over 100,000 calls from 4 threads`() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            bundle.privatizer().use { privatizer ->
                run(privatizer, 20_000)
                val before = heapAtRest()
                run(privatizer, 100_000)
                val growth = heapAtRest() - before
                println("native heap: $before bytes in use, $growth more after 100,000 calls")
                // A leak of the smallest block, 32 bytes, would be 3.2 MB; the virtual machine itself may take some.
                assertTrue(growth < 2_000_000, "$growth bytes more")
            }
        }
    }

    /** The least of many samples: the compilers of the virtual machine hold megabytes for moments. */
    private fun heapAtRest(): Long {
        System.gc()
        return (1..40).minOf {
            Thread.sleep(25)
            NativeTesting.heapInUse()
        }
    }

    private fun run(
        privatizer: Privatizer,
        calls: Int,
    ) {
        val words = AtomicLong()
        val threads =
            List(4) {
                thread {
                    repeat(calls / 4) {
                        words.addAndGet(privatizer.privatize("The men were \uD83D\uDE00 with qzxv.").cost.words)
                    }
                }
            }
        threads.forEach { it.join() }
        assertEquals(calls * 4L, words.get())
    }
}
