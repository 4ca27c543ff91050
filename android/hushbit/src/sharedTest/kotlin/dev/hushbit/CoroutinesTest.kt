package dev.hushbit

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith

class CoroutinesTest {
    @Test
    fun suspendingCallsAnswerLikeBlockingOnes() =
        runBlocking {
            Hushbit.openSuspending(vector(WORDS)).use { bundle ->
                bundle.privatizer().use { privatizer ->
                    val results = List(50) { async { privatizer.privatizeSuspending("the men were") } }.awaitAll()
                    assertEquals(150, results.sumOf { it.cost.words })
                }
            }
        }

    @Test
    fun failuresComeThrough(): Unit =
        runBlocking {
            assertFailsWith<HushbitException.FileNotFound> { Hushbit.openSuspending("/nowhere/at/all") }
            assertFailsWith<HushbitException.InvalidArgument> { Hushbit.openSuspending(0, -1, 1) }
        }

    @Test
    fun canceledCallerGetsNoBundle(): Unit =
        runBlocking {
            launch(Dispatchers.Default) {
                cancel()
                assertFailsWith<CancellationException> { Hushbit.openSuspending(vector(WORDS)) }
            }
        }
}
