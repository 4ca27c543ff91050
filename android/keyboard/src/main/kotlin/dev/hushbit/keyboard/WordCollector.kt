package dev.hushbit.keyboard

/** Finds words in the typed text, for sharing after each word. It contains only the word that is being typed. */
internal class WordCollector {
    private val word = StringBuilder()
    private var isSpoiled = false

    /** Takes committed text. Returns the word that it ends, or null. */
    fun commit(text: String): String? {
        var ended: String? = null
        for (character in text) {
            if (character.isLetter() || character == '\'' || character == '-') {
                word.append(character)
            } else if (character.isLetterOrDigit() || character in "@_/") {
                isSpoiled = true // a code, an address or an account name
            } else {
                ended = end() ?: ended
            }
        }
        return ended
    }

    /** Enter: ends the word. Returns the word, or null. */
    fun end(): String? = word.toString().takeIf { it.isNotEmpty() && !isSpoiled }.also { clear() }

    /** Delete: the rest may be a part of an older word, so it does not count. */
    fun delete() {
        if (word.isEmpty()) isSpoiled = true else word.setLength(word.length - 1)
    }

    /** The cursor is elsewhere: what follows may be a part of an older word. */
    fun interrupt() {
        word.setLength(0)
        isSpoiled = true
    }

    /** A new field. */
    fun clear() {
        word.setLength(0)
        isSpoiled = false
    }
}
