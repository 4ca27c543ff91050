package dev.hushbit.keyboard

/**
 * Tells the keyboard's own movements of the cursor from those of the user. The system reports movements later, one by
 * one or several at once, so the positions that are still expected are remembered. Positions are in UTF-16 units.
 */
internal class Cursor {
    private val expected = ArrayDeque<Int>()
    private var last = UNKNOWN

    /** A field begins with the cursor at [position]; negative if the field does not say. */
    fun start(position: Int) {
        expected.clear()
        last = if (position < 0) UNKNOWN else position
    }

    /** The keyboard added ([units] > 0) or deleted text. */
    fun edited(units: Int) {
        if (last == UNKNOWN) return
        last = maxOf(0, last + units)
        expected.addLast(last)
        if (expected.size > MOST) expected.removeFirst()
    }

    /** The system reports a selection. Returns whether the user, or the app, made it. */
    fun reported(
        begin: Int,
        end: Int,
    ): Boolean {
        val known = if (begin == end) expected.indexOf(begin) else -1
        if (known >= 0) {
            repeat(known + 1) { expected.removeFirst() }
            return false
        }
        val isSame = begin == end && expected.isEmpty() && begin == last
        start(if (begin == end) begin else UNKNOWN)
        return !isSame
    }

    private companion object {
        const val UNKNOWN = -1
        const val MOST = 32
    }
}
