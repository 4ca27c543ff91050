package dev.hushbit.keyboard

/** Which page is shown and whether shift is down: what a key means. */
internal class Typing {
    /** Whether the next letter is a capital. */
    var isShifted: Boolean = false
        private set

    /** Whether the page of symbols is shown. */
    var showsSymbols: Boolean = false
        private set

    /** The keys shown. */
    val page: List<List<Key>>
        get() = if (showsSymbols) Pages.symbols else Pages.letters

    /** The letter or symbol as it is shown and typed. */
    fun face(key: Key.Text): String = if (isShifted) key.text.uppercase() else key.text

    /** What pressing [key] does to the field. */
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

    /** What happens to the field. The text committed is always what was typed. */
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
