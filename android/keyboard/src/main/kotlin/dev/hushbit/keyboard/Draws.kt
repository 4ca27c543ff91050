package dev.hushbit.keyboard

import dev.hushbit.Token
import dev.hushbit.TokenKind
import java.nio.ByteBuffer
import java.security.MessageDigest
import java.security.SecureRandom
import java.text.Normalizer

/** What came of a request to privatize a text. */
internal sealed interface Draw {
    /** It was drawn, for the first time. */
    data class Released(
        val release: Release,
    ) : Draw

    /** Nothing was drawn: a text with the same words was drawn before. */
    data object Repeated : Draw
}

/**
 * Which texts were drawn. A choice among draws of a text would reveal more than the stated cost, so a text is drawn
 * once, until its words are others. Contains keyed hashes of texts, whose key lives as long as the process.
 *
 * After a restart the noise of a text is the same until the epoch ends, so that there is nothing to choose from.
 */
internal class Draws {
    private val key = ByteArray(32).also(SecureRandom()::nextBytes)
    private val seen = HashSet<ByteBuffer>()

    /** Notes [text] with its [tokens]. Returns null if a text with the same words was noted before. */
    fun note(
        text: String,
        tokens: List<Token>,
    ): ByteBuffer? {
        val digest = MessageDigest.getInstance("SHA-256")
        digest.update(key)
        for (word in tokens.filter { it.kind != TokenKind.PUNCTUATION }) digest.update(spelled(text, word))
        return ByteBuffer.wrap(digest.digest()).takeIf(seen::add)
    }

    /** Takes back what [note] returned: nothing was drawn. */
    fun forget(noted: ByteBuffer) {
        seen.remove(noted)
    }

    /** Known words by their id, unknown ones as typed in lower case: nothing else of a text matters to a release. */
    private fun spelled(
        text: String,
        token: Token,
    ): ByteArray {
        val id = token.wordId
        val typed = Normalizer.normalize(text.substring(token.range), Normalizer.Form.NFC).lowercase()
        return ((if (id != null) "#$id" else "=$typed") + "\n").toByteArray()
    }
}
