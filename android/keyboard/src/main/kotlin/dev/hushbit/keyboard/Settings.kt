package dev.hushbit.keyboard

import android.content.Context

/** The user's switches. All are off by default. */
internal class Settings(
    context: Context,
) : Consent {
    private val preferences = context.getSharedPreferences("settings", Context.MODE_PRIVATE)

    override var isOn: Boolean
        get() = preferences.getBoolean("on", false)
        set(value) = preferences.edit().putBoolean("on", value).apply()

    override var sharesWords: Boolean
        get() = preferences.getBoolean("words", false)
        set(value) = preferences.edit().putBoolean("words", value).apply()

    /** Whether one report a day is drawn, see [DailyReport]. */
    var reportsDaily: Boolean
        get() = preferences.getBoolean("reports", false)
        set(value) = preferences.edit().putBoolean("reports", value).apply()
}
