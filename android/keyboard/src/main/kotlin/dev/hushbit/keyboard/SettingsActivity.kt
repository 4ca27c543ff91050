package dev.hushbit.keyboard

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.Switch
import android.widget.TextView
import android.provider.Settings as SystemSettings

/** The switches, all off by default, and buttons that open the system's list of keyboards and the kept texts. */
public class SettingsActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        watchMainThread(this)
        val settings = Settings(this)
        val column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        column.addView(TextView(this).apply { setText(R.string.explanation) })
        column.addView(switch(R.string.switch_sharing, settings.isOn) { settings.isOn = it })
        column.addView(switch(R.string.switch_words, settings.sharesWords) { settings.sharesWords = it })
        column.addView(
            TextView(this).apply { text = getString(R.string.explanation_reports, DailyReport.MOST_REPORTS) },
        )
        column.addView(switch(R.string.switch_reports, settings.reportsDaily) { settings.reportsDaily = it })
        column.addView(button(R.string.enable) { startActivity(Intent(SystemSettings.ACTION_INPUT_METHOD_SETTINGS)) })
        column.addView(button(R.string.review) { startActivity(Intent(this, ReviewActivity::class.java)) })
        setContentView(withinBars(ScrollView(this).apply { addView(column) }))
    }

    private fun switch(
        label: Int,
        isOn: Boolean,
        onChange: (Boolean) -> Unit,
    ): Switch =
        Switch(this).apply {
            setText(label)
            setChecked(isOn)
            setOnCheckedChangeListener { _, checked -> onChange(checked) }
        }
}
