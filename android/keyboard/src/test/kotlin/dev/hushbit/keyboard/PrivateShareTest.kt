package dev.hushbit.keyboard

import dev.hushbit.FieldPolicy
import dev.hushbit.Hushbit
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import kotlin.test.assertContentEquals
import kotlin.test.assertEquals
import kotlin.test.assertFalse
import kotlin.test.assertIs
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
    private val privacy by lazy { Privacy(storage) { Hushbit.open(VECTORS.resolve("words-256.hushbit").path) } }
    private val share by lazy {
        PrivateShare(
            switches,
            storage.queue,
            privacy::privatize,
            privacy::bundleHash,
            { tasks.add(it) },
            { tasks.add(it) },
            { 20_000 },
            { shown = it },
        ).apply { enterField(FieldPolicy.Decision.ALLOWED) }
    }

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
        assertEquals(Preview.Nothing, shown)
        work()
        val release = storage.queue.all().single()
        assertEquals(offer.text, release.text)
        assertEquals(20_000, release.day)
        assertEquals(64, release.bundleHash.length)
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
        assertFalse("secret" in assertIs<Preview.Failed>(shown).message)
        share.share("the ".repeat(501))
        work()
        assertIs<Preview.Failed>(shown)
        share.share("the men were")
        work()
        assertIs<Preview.Offer>(shown)
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
