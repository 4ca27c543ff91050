package dev.hushbit.keyboard

import android.content.Context
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.Button
import android.widget.LinearLayout
import android.widget.TextView

/**
 * The keys, and above them the privatized text with buttons to keep and discard it. A screen reader speaks the text
 * when it changes, and stays on the key that was pressed.
 */
internal class KeyboardView(
    context: Context,
    private val typing: Typing,
    private val press: (Key) -> Unit,
    keep: () -> Unit,
    discard: () -> Unit,
) : LinearLayout(context) {
    private val previewText = TextView(context).apply { setAccessibilityLiveRegion(ACCESSIBILITY_LIVE_REGION_POLITE) }
    private val keepButton = button(context.getString(R.string.keep), keep)
    private val discardButton = button(context.getString(R.string.discard), discard)
    private val keys = LinearLayout(context).apply { orientation = VERTICAL }
    private val shown = ArrayList<List<Pair<Key, Button>>>()

    init {
        orientation = VERTICAL
        withinBars(this)
        addView(row(listOf(previewText to 4f, keepButton to 1f, discardButton to 1f)))
        addView(keys)
        show(Preview.Nothing)
        drawKeys()
    }

    /** Shows the privatized text, or the reason why there is none. */
    fun show(preview: Preview) {
        previewText.text = text(preview)
        val visibility = if (preview is Preview.Offer) VISIBLE else GONE
        keepButton.visibility = visibility
        discardButton.visibility = visibility
    }

    private fun text(preview: Preview): String =
        when (preview) {
            Preview.Nothing -> ""
            Preview.Off -> context.getString(R.string.sharing_is_off)
            Preview.Kept -> context.getString(R.string.kept)
            Preview.Repeated -> context.getString(R.string.drawn_before)
            is Preview.Offer -> preview.text
            is Preview.Refused -> context.getString(R.string.not_in_this_field)
            is Preview.Failed -> preview.message ?: context.getString(R.string.failed)
        }

    /**
     * Draws the page of [typing]. Rows with the same keys stay, and with them the focus. Rows are counted from the
     * bottom, for that is the same on every page.
     */
    fun drawKeys() {
        val lines = typing.page.reversed()
        while (shown.size > lines.size) removeTop()
        lines.forEachIndexed { index, line ->
            if (shown.getOrNull(index)?.map { it.first } != line) replaceRow(index, line)
            for ((key, button) in shown[index]) button.text = face(key)
        }
    }

    private fun removeTop() {
        keys.removeViewAt(0)
        shown.removeAt(shown.lastIndex)
    }

    private fun replaceRow(
        index: Int,
        line: List<Key>,
    ) {
        val buttons = line.map { it to key(it) }
        val row = row(buttons.map { (key, button) -> button to if (key == Key.Space) 4f else 1f })
        if (index == shown.size) {
            keys.addView(row, 0)
            shown.add(buttons)
        } else {
            val fromTop = shown.lastIndex - index
            keys.removeViewAt(fromTop)
            keys.addView(row, fromTop)
            shown[index] = buttons
        }
    }

    private fun key(key: Key): Button =
        button(face(key)) { press(key) }.apply {
            if (key !is Key.Text) contentDescription = context.getString(description(key))
        }

    private fun face(key: Key): String =
        when (key) {
            is Key.Text -> typing.face(key)
            Key.Shift -> "\u21E7"
            Key.Delete -> "\u232B"
            Key.Space -> " "
            Key.Enter -> "\u21B5"
            Key.Page -> if (typing.showsSymbols) "abc" else "?123"
            Key.Share -> "\uD83D\uDD12"
        }

    private fun description(key: Key): Int =
        when (key) {
            Key.Shift -> R.string.shift
            Key.Delete -> R.string.delete
            Key.Enter -> R.string.enter
            Key.Page -> R.string.page
            Key.Share -> R.string.share
            else -> R.string.space
        }

    private fun button(
        label: String,
        onPress: () -> Unit,
    ): Button =
        Button(context).apply {
            text = label
            setAllCaps(false)
            setMinWidth(0)
            setPadding(0, 0, 0, 0)
            setOnClickListener { onPress() }
        }

    private fun row(views: List<Pair<View, Float>>): LinearLayout =
        LinearLayout(context).apply {
            orientation = HORIZONTAL
            for ((view, weight) in views) {
                view.layoutParams = LayoutParams(if (weight > 0) 0 else MATCH_PARENT, WRAP_CONTENT, weight)
                addView(view)
            }
        }
}
