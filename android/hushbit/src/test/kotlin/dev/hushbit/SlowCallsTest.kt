package dev.hushbit

import android.os.StrictMode
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import kotlin.test.assertEquals

class SlowCallsTest {
    @TempDir
    lateinit var directory: File

    @Test
    fun `what reads files or waits for the disk says so, and nothing else`() {
        StrictMode.take()
        val calls = mutableListOf<List<String>>()

        fun <Value> noting(call: () -> Value): Value = call().also { calls.add(StrictMode.take()) }
        val ledger = File(directory, "ledger").path
        noting { Hushbit.open(vector(WORDS)) }.use { bundle ->
            noting { Budget.open(ledger) }.use { budget ->
                bundle.privatizer(PrivatizerOptions(budget = budget)).use { noting { it.privatize("the men") } }
                bundle.reporter(ReporterOptions(budget = budget)).use { noting { it.report("the men") } }
            }
            noting { bundle.verify() }
            noting { bundle.tokenize("the men") }
            noting { bundle.info }
        }
        noting { Budget.reset(ledger) }
        val names = listOf("Hushbit.open", "Budget.open", "Privatizer.privatize", "Reporter.report", "Bundle.verify")
        assertEquals(names.map(::listOf) + listOf(listOf(), listOf(), listOf("Budget.reset")), calls)
    }
}
