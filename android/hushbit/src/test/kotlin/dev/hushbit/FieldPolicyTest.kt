package dev.hushbit

import dev.hushbit.FieldPolicy.Decision
import org.junit.jupiter.api.Test
import kotlin.test.assertEquals
import kotlin.test.assertFalse
import kotlin.test.assertTrue

/**
 * The full table of input types: every class, variation and flag, in numbers of its own: a wrong constant shows.
 */
class FieldPolicyTest {
    private val textVariations =
        mapOf(
            0x00 to Decision.ALLOWED, // normal
            0x10 to Decision.URI,
            0x20 to Decision.EMAIL, // e-mail address
            0x30 to Decision.ALLOWED, // e-mail subject
            0x40 to Decision.ALLOWED, // short message
            0x50 to Decision.ALLOWED, // long message
            0x60 to Decision.PERSONAL, // person name
            0x70 to Decision.PERSONAL, // postal address
            0x80 to Decision.PASSWORD,
            0x90 to Decision.PASSWORD, // visible
            0xA0 to Decision.ALLOWED, // web edit text
            0xB0 to Decision.PERSONAL, // filter
            0xC0 to Decision.PERSONAL, // phonetic
            0xD0 to Decision.EMAIL, // web e-mail address
            0xE0 to Decision.PASSWORD, // web
        )

    /** What a type means apart from its flags. */
    private fun expected(type: Int): Decision =
        when (type and 0xF) {
            1 -> textVariations[type and 0xFF0] ?: Decision.UNKNOWN
            2 -> if (type and 0xFF0 == 0x10) Decision.PASSWORD else Decision.NOT_TEXT
            3, 4 -> Decision.NOT_TEXT
            else -> if (type == 0) Decision.NULL else Decision.UNKNOWN
        }

    @Test
    fun `every class and variation`() {
        for (type in 0..0xFFF) assertEquals(expected(type), FieldPolicy.evaluate(type, 0), "type %x".format(type))
    }

    @Test
    fun `every combination of text flags with every variation`() {
        for (variation in 0x00..0xFF0 step 0x10) {
            for (flags in 0..0xFFF) {
                val type = 1 or variation or (flags shl 12)
                val want =
                    when {
                        expected(type) != Decision.ALLOWED -> expected(type)
                        flags and 0xE00 != 0 -> Decision.UNKNOWN
                        flags and 0x080 != 0 -> Decision.NO_SUGGESTIONS
                        else -> Decision.ALLOWED
                    }
                val found = FieldPolicy.evaluate(type, 0)
                if (found != want) assertEquals(want, found, "type %x".format(type)) // formatting each takes seconds
            }
        }
    }

    @Test
    fun `bits above the flags are unknown`() {
        for (bit in 24..31) {
            for (variation in textVariations.keys) {
                assertFalse(FieldPolicy.evaluate(1 or variation or (1 shl bit), 0).isAllowed)
            }
            assertEquals(Decision.UNKNOWN, FieldPolicy.evaluate(1 or (1 shl bit), 0))
        }
    }

    @Test
    fun `every action and option`() {
        for (action in 0..0xFF) {
            val want = if (action <= 7) Decision.ALLOWED else Decision.UNKNOWN
            assertEquals(want, FieldPolicy.evaluate(1, action), "action $action")
        }
        for (bit in 8..31) {
            val want =
                when (bit) {
                    24 -> Decision.NO_PERSONALIZED_LEARNING
                    in 25..31 -> Decision.ALLOWED
                    else -> Decision.UNKNOWN
                }
            assertEquals(want, FieldPolicy.evaluate(1, 1 shl bit), "option bit $bit")
        }
    }

    @Test
    fun `no personalized learning holds with every other option and type`() {
        for (high in 0..0xFF) {
            for (action in 0..7) {
                val options = (high shl 24) or action
                val want = if (high and 1 != 0) Decision.NO_PERSONALIZED_LEARNING else Decision.ALLOWED
                assertEquals(want, FieldPolicy.evaluate(0x2C001, options))
                for (type in 0..0xFFF) {
                    if (high and 1 != 0) assertFalse(FieldPolicy.evaluate(type, options).isAllowed)
                }
            }
        }
    }

    @Test
    fun `what apps really declare`() {
        assertTrue(FieldPolicy.evaluate(0x0002C001, 0x40000004).isAllowed) // a chat: multi-line, sentences, corrected
        assertTrue(FieldPolicy.evaluate(0x000A41 and 0x0F, 0).isAllowed) // plain text
        assertEquals(Decision.PASSWORD, FieldPolicy.evaluate(0x00000081, 0x00000006))
        assertEquals(Decision.PASSWORD, FieldPolicy.evaluate(0x000000E1, 0x02000002)) // a browser's password field
        assertEquals(Decision.PASSWORD, FieldPolicy.evaluate(0x00080091, 0)) // shown, without suggestions
        assertEquals(Decision.PASSWORD, FieldPolicy.evaluate(0x00000012, 0)) // a PIN
        assertEquals(Decision.NO_PERSONALIZED_LEARNING, FieldPolicy.evaluate(0x0000C0A1, 0x03000002)) // incognito
    }
}
