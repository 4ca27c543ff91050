package dev.hushbit

import java.io.File

/** Reads the plain JSON of the golden vectors: ASCII, no escapes (tests/vectors/README.md). */
internal class Json private constructor(
    private val value: Any?,
) {
    val isNull: Boolean get() = value == null
    val text: String get() = value as String
    val number: Double get() = (value as String).toDouble()
    val long: Long get() = (value as String).toLong()
    val int: Int get() = (value as String).toInt()
    val boolean: Boolean get() = (value as String).toBooleanStrict()
    val bytes: ByteArray get() = text.chunked(2).map { it.toInt(16).toByte() }.toByteArray()

    @Suppress("UNCHECKED_CAST")
    val items: List<Json> get() = value as List<Json>

    fun has(key: String): Boolean = (value as Map<*, *>).containsKey(key)

    operator fun get(key: String): Json = checkNotNull((value as Map<*, *>)[key]) { "no $key" } as Json

    operator fun contains(key: String): Boolean = key in (value as Map<*, *>)

    companion object {
        fun read(file: File): Json = Parser(file.readText()).value()
    }

    private class Parser(
        private val text: String,
    ) {
        private var at = 0

        fun value(): Json =
            when (peek()) {
                '{' -> Json(sequence('}') { string().also { expect(':') } to value() }.toMap())
                '[' -> Json(sequence(']') { value() })
                '"' -> Json(string())
                else -> literal()
            }

        private fun peek(): Char {
            while (text[at].isWhitespace()) at++
            return text[at]
        }

        private fun expect(character: Char) {
            check(peek() == character) { "$character expected at $at" }
            at++
        }

        private fun string(): String {
            expect('"')
            val end = text.indexOf('"', at)
            return text.substring(at, end).also { at = end + 1 }
        }

        private fun literal(): Json {
            val start = at
            while (at < text.length && (text[at].isLetterOrDigit() || text[at] in "+-.")) at++
            check(at > start) { "a value expected at $at" }
            val word = text.substring(start, at)
            return Json(word.takeIf { it != "null" })
        }

        private fun <T> sequence(
            end: Char,
            item: () -> T,
        ): List<T> {
            at++
            val items = mutableListOf<T>()
            while (peek() != end) {
                items += item()
                if (peek() == ',') at++
            }
            at++
            return items
        }
    }
}
