package dev.hushbit.keyboard

import android.app.Activity
import android.view.View
import android.widget.Button

/** A button with the string [label]. */
internal fun Activity.button(
    label: Int,
    onPress: () -> Unit,
): Button =
    Button(this).apply {
        setText(label)
        setOnClickListener { onPress() }
    }

/** From Android 15 on, a window reaches below the bars of the system; [view] leaves them free. */
internal fun withinBars(view: View): View = view.apply { setFitsSystemWindows(true) }
