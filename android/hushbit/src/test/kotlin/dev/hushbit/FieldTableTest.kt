package dev.hushbit

import android.view.inputmethod.EditorInfo
import dev.hushbit.FieldPolicy.Decision
import org.junit.jupiter.api.Test
import kotlin.test.assertEquals
import kotlin.test.assertTrue

/** The same fields on the web, on Android and on iOS (tests/vectors/fields.json), and what a history remembers. */
class FieldTableTest {
    private fun field(
        type: Int,
        id: Int = 7,
        app: String = "app",
        name: String? = null,
    ) = EditorInfo().apply {
        inputType = type
        fieldId = id
        packageName = app
        fieldName = name
    }

    private fun Json.text(key: String) = if (has(key)) this[key].text else null

    @Test
    fun `every field of the table`() {
        val fields = Golden.read("fields.json")["fields"].items.filter { !it["android"].isNull }
        assertTrue(fields.size > 30)
        for (item in fields) {
            val android = item["android"]
            val history = FieldHistory()
            if (android.has("was")) history.evaluate(field(android["was"].int), restarting = false)
            val info =
                field(android["inputType"].int, name = android.text("fieldName")).apply {
                    imeOptions = if (android.has("imeOptions")) android["imeOptions"].int else 0
                    hintText = android.text("hintText")
                    label = android.text("label")
                }
            val hints = if (android.has("autofillHints")) android["autofillHints"].items.map { it.text } else null
            val found = if (hints == null) history.evaluate(info, false) else FieldPolicy.evaluate(info, hints)
            val expected = Decision.valueOf(android["decision"].text.uppercase().replace('-', '_'))
            assertEquals(expected, found, item["field"].text)
        }
    }

    @Test
    fun `names of secrets, in many languages`() {
        val table = Golden.read("fields.json")
        for ((key, decision) in mapOf("secret_names" to Decision.PASSWORD, "plain_names" to Decision.ALLOWED)) {
            val names = table[key].items.map { it.text }
            assertTrue(names.size > 10)
            for (name in names) {
                assertEquals(decision, FieldPolicy.evaluate(field(1, name = name)), name)
                assertEquals(decision, FieldPolicy.evaluate(field(1).apply { hintText = "($name)" }), name)
                assertEquals(decision, FieldPolicy.evaluate(field(1).apply { label = name.uppercase() }), name)
            }
        }
    }

    @Test
    fun `a password stays one, and no other field becomes one`() {
        val history = FieldHistory()
        assertEquals(Decision.PASSWORD, history.evaluate(field(0x81), false))
        assertEquals(Decision.PASSWORD, history.evaluate(field(1), true))
        assertEquals(Decision.ALLOWED, history.evaluate(field(1, id = 8), false))
        assertEquals(Decision.ALLOWED, history.evaluate(field(1, app = "another"), false))
        assertEquals(Decision.PASSWORD, history.evaluate(field(1), false))
        assertEquals(Decision.EMAIL, history.evaluate(field(0x21), false))
    }

    @Test
    fun `a restarted field is the same, even if it is called otherwise now`() {
        val history = FieldHistory()
        history.evaluate(field(0x81, id = 7), false)
        assertEquals(Decision.PASSWORD, history.evaluate(field(1, id = 8), true))
        assertEquals(Decision.PASSWORD, history.evaluate(field(1, id = 8), false))
    }

    @Test
    fun `fields without an id cannot be told apart once one was a password`() {
        for (id in listOf(0, -1)) {
            val history = FieldHistory()
            assertEquals(Decision.ALLOWED, history.evaluate(field(1, id), false))
            assertEquals(Decision.PASSWORD, history.evaluate(field(0xE1, id), false))
            assertEquals(Decision.PASSWORD, history.evaluate(field(1, id), true))
            assertEquals(Decision.UNKNOWN, history.evaluate(field(1, id), false))
            assertEquals(Decision.ALLOWED, history.evaluate(field(1, id, app = "another"), false))
            assertEquals(Decision.ALLOWED, history.evaluate(field(1, id, name = "comment"), false))
            assertEquals(Decision.ALLOWED, history.evaluate(field(1, 5), false))
        }
    }
}
