package dev.hushbit.keyboard

import android.content.ContextWrapper
import org.junit.jupiter.api.Test
import kotlin.test.assertEquals
import kotlin.test.assertSame

class StorageTest {
    @Test
    fun `keyboard and activities have one queue with one lock`() {
        val keyboard = ContextWrapper()
        val queue = Storage.of(keyboard).queue
        assertSame(queue, Storage.of(ContextWrapper()).queue)
        queue.add(Release("one", 1.5, 300.0, "ab12", 20_000))
        val files = keyboard.noBackupFilesDir.list().orEmpty()
        assertEquals(listOf("queue.tsv"), files.filter { it.startsWith("queue") })
    }
}
