package dev.hushbit.keyboard

/** A key of the keyboard. */
internal sealed interface Key {
    /** Types [text]; a letter follows shift. */
    data class Text(
        val text: String,
    ) : Key

    data object Shift : Key

    data object Delete : Key

    data object Space : Key

    data object Enter : Key

    /** Switches to the other page. */
    data object Page : Key

    /** Privatizes the selection, or the line before the cursor. */
    data object Share : Key
}

/** The pages, row by row. */
internal object Pages {
    /** Grinning, joy, heart, thumbs up, party, crying, folded hands, fire, eyes of hearts, thinking. */
    private val EMOJI =
        listOf(
            "\uD83D\uDE00",
            "\uD83D\uDE02",
            "\u2764\uFE0F",
            "\uD83D\uDC4D",
            "\uD83C\uDF89",
            "\uD83D\uDE22",
            "\uD83D\uDE4F",
            "\uD83D\uDD25",
            "\uD83D\uDE0D",
            "\uD83E\uDD14",
        )

    val letters: List<List<Key>> =
        listOf(
            texts("qwertyuiop"),
            texts("asdfghjkl"),
            listOf(Key.Shift) + texts("zxcvbnm") + Key.Delete,
            bottom(",", "."),
        )

    val symbols: List<List<Key>> =
        listOf(
            texts("1234567890"),
            texts("@#$%&-+()/"),
            EMOJI.map(Key::Text),
            texts("*\"':;!?_=") + Key.Delete,
            bottom(",", "."),
        )

    private fun texts(characters: String): List<Key> = characters.map { Key.Text(it.toString()) }

    private fun bottom(
        left: String,
        right: String,
    ): List<Key> = listOf(Key.Page, Key.Text(left), Key.Share, Key.Space, Key.Text(right), Key.Enter)
}
