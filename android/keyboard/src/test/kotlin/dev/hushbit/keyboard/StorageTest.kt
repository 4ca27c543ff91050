package dev.hushbit.keyboard

import android.content.ContextWrapper
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import kotlin.test.assertEquals
import kotlin.test.assertSame

class StorageTest {
    @TempDir
    lateinit var directory: File

    private inner class Component : ContextWrapper() {
        override fun getNoBackupFilesDir() = directory
    }

    @Test
    fun `keyboard and activities have one queue with one lock`() {
        val queue = Storage.of(Component()).queue
        assertSame(queue, Storage.of(Component()).queue)
        queue.add(Release("one", 1.5, 300.0, "ab12", 20_000))
        assertEquals(listOf("queue.tsv"), directory.list().orEmpty().toList())
    }
}
