package dev.hushbit.keyboard

/** The shown page and the state of shift, which determine the meaning of a key. */
internal class Typing {
    /** Whether the next letter is a capital letter. */
    var isShifted: Boolean = false
        private set

    /** Whether the page of symbols is shown. */
    var showsSymbols: Boolean = false
        private set

    /** The keys shown. */
    val page: List<List<Key>>
        get() = if (showsSymbols) Pages.symbols else Pages.letters

    /** The letter or symbol that is shown and typed. */
    fun face(key: Key.Text): String = if (isShifted) key.text.uppercase() else key.text

    /** The effect of pressing [key] on the field. */
    fun press(key: Key): Edit =
        when (key) {
            is Key.Text -> Edit.Commit(face(key)).also { isShifted = false }
            Key.Space -> Edit.Commit(" ")
            Key.Enter -> Edit.Enter
            Key.Delete -> Edit.Delete
            Key.Share -> Edit.Share
            Key.Shift -> Edit.None.also { isShifted = !isShifted }
            Key.Page -> Edit.None.also { showsSymbols = !showsSymbols }
        }

    /** A new field: letters, unshifted. */
    fun reset() {
        isShifted = false
        showsSymbols = false
    }

    /** The effect on the field. The committed text is always the typed text. */
    sealed interface Edit {
        data class Commit(
            val text: String,
        ) : Edit

        data object Delete : Edit

        data object Enter : Edit

        data object Share : Edit

        data object None : Edit
    }
}
