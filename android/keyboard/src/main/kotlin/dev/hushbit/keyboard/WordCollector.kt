package dev.hushbit.keyboard

/** Finds words in what is typed, for sharing after each word. It holds the word being typed and nothing else. */
internal class WordCollector {
    private val word = StringBuilder()
    private var isSpoiled = false

    /** Takes committed text; the word that it ends, or null. */
    fun commit(text: String): String? {
        var ended: String? = null
        for (character in text) {
            if (character.isLetter() || character == '\'' || character == '-') {
                word.append(character)
            } else if (character.isLetterOrDigit() || character in "@_/") {
                isSpoiled = true // a code, an address or a name of an account
            } else {
                ended = end() ?: ended
            }
        }
        return ended
    }

    /** Enter: ends the word; the word, or null. */
    fun end(): String? = word.toString().takeIf { it.isNotEmpty() && !isSpoiled }.also { clear() }

    /** Delete: what is left may be a part of an older word, so it does not count. */
    fun delete() {
        if (word.isEmpty()) isSpoiled = true else word.setLength(word.length - 1)
    }

    /** A new field. */
    fun clear() {
        word.setLength(0)
        isSpoiled = false
    }
}
