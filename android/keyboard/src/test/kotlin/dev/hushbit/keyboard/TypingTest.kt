package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import kotlin.test.assertEquals
import kotlin.test.assertFalse
import kotlin.test.assertNull
import kotlin.test.assertTrue

class TypingTest {
    private val typing = Typing()

    private fun type(vararg keys: Key): String =
        keys.map(typing::press).filterIsInstance<Typing.Edit.Commit>().joinToString("") { it.text }

    @Test
    fun `the field gets what is typed`() {
        assertEquals("Hi ", type(Key.Shift, Key.Text("h"), Key.Text("i"), Key.Space))
        assertEquals("!x", type(Key.Page, Key.Text("!"), Key.Page, Key.Text("x")))
    }

    @Test
    fun `shift holds for one letter and can be taken back`() {
        assertEquals("a", type(Key.Shift, Key.Shift, Key.Text("a")))
        assertEquals("Ab", type(Key.Shift, Key.Text("a"), Key.Text("b")))
    }

    @Test
    fun `every page has what one needs to type, and each key once`() {
        for (page in listOf(Pages.letters, Pages.symbols)) {
            val keys = page.flatten()
            assertEquals(keys.size, keys.toSet().size)
            assertTrue(keys.containsAll(listOf(Key.Delete, Key.Space, Key.Enter, Key.Page, Key.Share)))
        }
        val letters =
            Pages.letters
                .flatten()
                .filterIsInstance<Key.Text>()
                .map { it.text }
        assertTrue(letters.containsAll(('a'..'z').map { it.toString() }))
    }

    @Test
    fun `a new field starts with letters`() {
        type(Key.Page, Key.Shift)
        typing.reset()
        assertFalse(typing.isShifted || typing.showsSymbols)
    }

    @Test
    fun `words end where they end`() {
        val words = WordCollector()
        assertEquals(listOf(null, null, null, null, null, "don't"), "don't ".map { words.commit(it.toString()) })
        assertNull(words.commit(" "))
        "well-known".forEach { words.commit(it.toString()) }
        assertEquals("well-known", words.end())
        assertNull(words.end())
    }

    @Test
    fun `codes, addresses and mended words are no words`() {
        val words = WordCollector()
        for (text in listOf("pa55word ", "me@home.", "a_b ")) {
            assertNull(text.mapNotNull { words.commit(it.toString()) }.firstOrNull { it.any { c -> !c.isLetter() } })
        }
        words.clear()
        words.delete()
        assertNull("end ".mapNotNull { words.commit(it.toString()) }.firstOrNull())
        assertEquals("next", "next ".mapNotNull { words.commit(it.toString()) }.firstOrNull())
        "cats".forEach { words.commit(it.toString()) }
        words.delete()
        assertEquals("cat", words.commit("."))
    }
}
