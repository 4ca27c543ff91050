package dev.hushbit.keyboard

import dev.hushbit.Hushbit
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import kotlin.test.assertEquals
import kotlin.test.assertFalse
import kotlin.test.assertNotEquals
import kotlin.test.assertNotNull
import kotlin.test.assertNull
import kotlin.test.assertTrue

/** One report a day, over the real library. */
class DailyReportTest {
    @TempDir
    lateinit var directory: File

    private var day = 20_000L
    private val storage by lazy { Storage(directory) }

    /** As after a restart of the keyboard. */
    private fun daily(storage: Storage = this.storage) =
        DailyReport(storage, { Hushbit.open(File(vectors, "words-256.hushbit").path) }, { day })

    /** A ledger of its own: ledgers have the system's clock. */
    private fun another() = Storage(File(directory, "another").apply { mkdir() })

    @Test
    fun `emoji and words take turns, one report a day`() {
        val daily = daily()
        val emoji = assertNotNull(daily.draw("the men \uD83D\uDE02"))
        assertNull(daily.draw("the women \uD83D\uDE02"))
        day++
        val word = assertNotNull(daily(another()).draw("the men"))
        assertEquals(listOf(About.EMOJI, About.WORD), listOf(emoji.about, word.about))
        assertNotEquals(emoji.source, word.source)
        for (release in listOf(emoji, word)) {
            assertEquals(DailyReport.EPSILON, release.epsilon)
            assertEquals(DailyReport.EPSILON, release.worstCase)
            assertTrue(release.text.startsWith("{\"report\": "))
            assertFalse("men" in release.text)
        }
    }

    @Test
    fun `a restart draws no second report of a day`() {
        assertNotNull(daily().draw("the men"))
        storage.queue.clear()
        assertNull(daily().draw("the women"))
        day++ // of the test's clock: the ledger has the system's
        assertNull(daily().draw("the women"))
    }

    @Test
    fun `a line without anything to report has a report, too`() {
        assertNotNull(daily().draw("..."))
    }

    private companion object {
        val vectors = File(System.getProperty("hushbit.vectors") ?: "tests/vectors")
    }
}
