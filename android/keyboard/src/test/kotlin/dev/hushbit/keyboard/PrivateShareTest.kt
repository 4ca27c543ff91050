package dev.hushbit.keyboard

import dev.hushbit.FieldPolicy
import dev.hushbit.Hushbit
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.io.IOException
import kotlin.test.assertContentEquals
import kotlin.test.assertEquals
import kotlin.test.assertFalse
import kotlin.test.assertIs
import kotlin.test.assertNotEquals
import kotlin.test.assertTrue

/** The flow of sharing, over the real library; both executors run tasks when the test says so. */
class PrivateShareTest {
    @TempDir
    lateinit var directory: File

    private class Switches(
        override var isOn: Boolean = true,
        override var sharesWords: Boolean = false,
    ) : Consent

    private val switches = Switches()
    private val tasks = ArrayDeque<Runnable>()
    private var shown: Preview = Preview.Nothing
    private val storage by lazy { Storage(directory) }
    private var day = 20_000L
    private var draw: (String) -> Draw = { privacy.draw(it) }
    private val privacy by lazy { makePrivacy() }
    private val share by lazy {
        PrivateShare(switches, storage.queue, { draw(it) }, { tasks.add(it) }, { tasks.add(it) }, { shown = it })
            .apply { enterField(FieldPolicy.Decision.ALLOWED) }
    }

    private fun makePrivacy() = Privacy(storage, { Hushbit.open(VECTORS.resolve("words-256.hushbit").path) }, { day })

    @AfterEach
    fun close() = privacy.close()

    private fun work() {
        while (tasks.isNotEmpty()) tasks.removeFirst().run()
    }

    private fun type(text: String) = text.forEach { share.committed(it.toString()) }

    private fun everyFile(): String = directory.walk().filter { it.isFile }.joinToString("\n") { it.readText() }

    @Test
    fun `sharing shows first and keeps only what is kept`() {
        share.share("the men were with the women")
        work()
        val offer = assertIs<Preview.Offer>(shown)
        assertEquals(emptyList(), storage.queue.all())
        share.keep()
        assertEquals(Preview.Kept, shown)
        work()
        val release = storage.queue.all().single()
        assertEquals(offer.text, release.text)
        assertEquals(20_000, release.day)
        assertEquals(64, release.source.length)
        assertTrue(release.worstCase > 0 && !release.isExported)
    }

    @Test
    fun `discarding keeps nothing`() {
        share.share("the men were")
        work()
        share.discard()
        share.keep()
        work()
        assertEquals(emptyList(), storage.queue.all())
    }

    @Test
    fun `nothing happens before the user switched it on`() {
        switches.isOn = false
        switches.sharesWords = true
        share.share("the men were")
        type("the men were ")
        assertTrue(tasks.isEmpty())
        assertEquals(Preview.Off, shown)
    }

    @Test
    fun `no field but an allowed one is shared from`() {
        switches.sharesWords = true
        for (decision in FieldPolicy.Decision.entries.filter { !it.isAllowed }) {
            share.enterField(decision)
            type("the men were ")
            share.entered()
            share.share("the men were")
            assertTrue(tasks.isEmpty())
            assertEquals(Preview.Refused(decision), shown)
        }
    }

    @Test
    fun `words are offered as they end, only if asked for`() {
        type("the men ")
        assertTrue(tasks.isEmpty())
        switches.sharesWords = true
        type("the men")
        share.entered()
        work()
        val offer = assertIs<Preview.Offer>(shown)
        assertEquals(2, offer.text.split(' ').size)
        share.keep()
        work()
        assertEquals(
            offer.text,
            storage.queue
                .all()
                .single()
                .text,
        )
    }

    @Test
    fun `what arrives after the field was left is dropped`() {
        share.share("the men were")
        share.enterField(FieldPolicy.Decision.ALLOWED)
        work()
        assertEquals(Preview.Nothing, shown)
        share.keep()
        work()
        assertEquals(emptyList(), storage.queue.all())
    }

    @Test
    fun `half a character fails without quoting, and an exhausted budget says so`() {
        share.share("secret\uD83D")
        work()
        assertFalse("secret" in assertIs<Preview.Failed>(shown).message.orEmpty())
        share.share("the ".repeat(501))
        work()
        assertIs<Preview.Failed>(shown)
        share.share("the men were")
        work()
        assertIs<Preview.Offer>(shown)
    }

    @Test
    fun `a text is drawn once, until its words are others, and all draws are counted`() {
        val shownTexts = mutableListOf<Preview>()
        for (text in listOf("the men were", "The  MEN, were!", "qzxv", "QZXV", "xvzq", "were the men")) {
            share.share(text)
            work()
            shownTexts.add(shown)
            share.discard()
        }
        assertEquals(listOf(0, 2, 4, 5), shownTexts.indices.filter { shownTexts[it] is Preview.Offer })
        assertEquals(listOf<Preview>(Preview.Repeated, Preview.Repeated), listOf(shownTexts[1], shownTexts[3]))
        share.share("women")
        work()
        share.keep()
        share.share("elephant")
        work()
        share.keep()
        work()
        val (all, alone) = storage.queue.all()
        assertEquals(List(9) { alone.worstCase }.reduce(::sumOfCosts), all.drawn)
        assertEquals(alone.worstCase, all.worstCase)
        assertEquals(alone.worstCase, alone.drawn)
    }

    @Test
    fun `a word that was drawn is not offered again, and nothing is said`() {
        switches.sharesWords = true
        type("men women men ")
        work()
        assertEquals(2, assertIs<Preview.Offer>(shown).text.split(' ').size)
    }

    @Test
    fun `a refused draw is no draw`() {
        share.share("the ".repeat(501))
        work()
        assertIs<Preview.Failed>(shown)
        share.share("the ".repeat(501))
        work()
        assertIs<Preview.Failed>(shown)
    }

    @Test
    fun `noise repeats within an epoch alone, in a running keyboard too`() {
        val text = "qzxv xvzq vqxz zzxq men women elephant river"
        val outputs =
            listOf(0, Privacy.DAYS_OF_EPOCH - 1, Privacy.DAYS_OF_EPOCH).map { later ->
                day = Privacy.DAYS_OF_EPOCH * 200 + later
                makePrivacy().use { assertIs<Draw.Released>(it.draw(text)).release.text }
            }
        assertEquals(outputs[0], outputs[1])
        // Four unknown words are drawn anew from 749: the same by chance once in 10^11.
        assertNotEquals(outputs[1], outputs[2])
        assertEquals(Draw.Repeated, privacy.draw(text).let { privacy.draw(text) })
        day += Privacy.DAYS_OF_EPOCH
        assertEquals(Draw.Repeated, privacy.draw(text))
    }

    @Test
    fun `an offer survives that the system connects anew to the same field`() {
        share.share("the men were")
        work()
        val offer = assertIs<Preview.Offer>(shown)
        share.restartField(FieldPolicy.Decision.ALLOWED)
        assertEquals(offer, share.preview)
        share.restartField(FieldPolicy.Decision.PASSWORD)
        assertEquals(Preview.Nothing, share.preview)
        share.keep()
        work()
        assertEquals(emptyList(), storage.queue.all())
    }

    @Test
    fun `what is typed elsewhere is no part of a word`() {
        switches.sharesWords = true
        type("wo")
        share.cursorMoved()
        type("men ")
        work()
        assertEquals(Preview.Nothing, shown)
        type("women ")
        work()
        assertIs<Preview.Offer>(shown)
    }

    @Test
    fun `no exception leaves a task, and none is quoted`() {
        for (failure in listOf(
            IOException("secret"),
            IllegalStateException("secret"),
            UnsatisfiedLinkError("secret"),
        )) {
            draw = { throw failure }
            share.share("secret")
            work()
            assertEquals(Preview.Failed(null), shown)
        }
        draw = { privacy.draw(it) }
        share.share("the men were")
        work()
        File(directory, "queue.tsv.new").mkdir()
        share.keep()
        work()
        assertEquals(Preview.Failed(null), shown)
    }

    @Test
    fun `what is typed is in no file, and repeats repeat their noise`() {
        switches.sharesWords = true
        type("qzxv elephant ")
        work()
        share.keep()
        share.share("qzxv elephant")
        work()
        share.keep()
        work()
        val (words, line) = storage.queue.all().map { it.text }
        assertEquals(words, line)
        assertFalse("qzxv" in everyFile())
        assertContentEquals(storage.deviceKey(), Storage(directory).deviceKey())
        assertEquals(32, storage.deviceKey().size)
    }

    private companion object {
        val VECTORS = File(System.getProperty("hushbit.vectors") ?: "tests/vectors")
    }
}
