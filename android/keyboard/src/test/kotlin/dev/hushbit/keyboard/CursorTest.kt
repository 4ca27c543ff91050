package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import kotlin.test.assertFalse
import kotlin.test.assertTrue

class CursorTest {
    private val cursor = Cursor().apply { start(10) }

    @Test
    fun `the keyboard's own movements are told from others`() {
        cursor.edited(1)
        cursor.edited(2)
        cursor.edited(-1)
        assertFalse(cursor.reported(11, 11))
        assertFalse(cursor.reported(12, 12)) // the report of 13 is left out
        assertFalse(cursor.reported(12, 12))
        assertTrue(cursor.reported(4, 4))
        cursor.edited(1)
        assertFalse(cursor.reported(5, 5))
    }

    @Test
    fun `a selection is a movement, and after it positions are unknown`() {
        assertTrue(cursor.reported(3, 8))
        cursor.edited(1)
        assertTrue(cursor.reported(4, 4))
        assertFalse(cursor.reported(4, 4))
    }

    @Test
    fun `reports that come late are expected, and forgotten once they are`() {
        repeat(3) { cursor.edited(1) }
        assertFalse(cursor.reported(11, 11))
        assertFalse(cursor.reported(13, 13))
        assertTrue(cursor.reported(12, 12))
    }

    @Test
    fun `a field that does not say where the cursor is`() {
        cursor.start(-1)
        cursor.edited(1)
        assertTrue(cursor.reported(1, 1))
        cursor.edited(1)
        assertFalse(cursor.reported(2, 2))
    }
}
