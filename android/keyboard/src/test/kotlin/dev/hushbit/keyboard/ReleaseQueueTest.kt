package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import kotlin.test.assertEquals

class ReleaseQueueTest {
    @TempDir
    lateinit var directory: File

    private val file get() = File(directory, "queue.tsv")
    private val first = Release("one two", 1.5, 300.0, "ab12", 20_000)
    private val second =
        Release("\u00FCber \uD83D\uDE00", 1.5, Double.POSITIVE_INFINITY, "ab12", 20_001, about = About.WORD)

    @Test
    fun `what was kept is there for the next process`() {
        assertEquals(emptyList(), ReleaseQueue(file).all())
        ReleaseQueue(file).add(first)
        ReleaseQueue(file).add(second)
        assertEquals(listOf(first, second), ReleaseQueue(file).all())
    }

    @Test
    fun `entries can be exported and deleted`() {
        val queue = ReleaseQueue(file)
        repeat(3) { queue.add(first.copy(day = it.toLong())) }
        queue.markExported(first.copy(day = 1))
        queue.delete(first.copy(day = 0))
        assertEquals(listOf(1L to true, 2L to false), queue.all().map { it.day to it.isExported })
        queue.delete(first)
        queue.markExported(first)
        assertEquals(2, queue.all().size)
        queue.clear()
        assertEquals(0, file.length())
    }

    @Test
    fun `separators cannot break a line and damaged lines are left out`() {
        val queue = ReleaseQueue(file)
        queue.add(first.copy(text = "a\tb\nc\rd"))
        file.appendText("nonsense\nx\t1\t1\th\tfalse\ttext\n")
        queue.add(second)
        assertEquals(listOf("a b c d", second.text), queue.all().map { it.text })
    }

    @Test
    fun `several threads with one queue lose nothing`() {
        val queue = ReleaseQueue(file)
        val threads = List(4) { thread -> Thread { repeat(25) { queue.add(first.copy(day = thread * 100L + it)) } } }
        threads.forEach(Thread::start)
        threads.forEach(Thread::join)
        assertEquals(100, queue.all().distinct().size)
    }
}
