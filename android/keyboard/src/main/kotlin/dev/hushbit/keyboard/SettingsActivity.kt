package dev.hushbit.keyboard

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.widget.Button
import android.widget.LinearLayout
import android.widget.Switch
import android.widget.TextView

/** The switches, both off by default, and the button that opens the kept texts. */
public class SettingsActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val settings = Settings(this)
        val column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        column.addView(TextView(this).apply { setText(R.string.explanation) })
        column.addView(switch(R.string.switch_sharing, settings.isOn) { settings.isOn = it })
        column.addView(switch(R.string.switch_words, settings.sharesWords) { settings.sharesWords = it })
        column.addView(
            Button(this).apply {
                setText(R.string.review)
                setOnClickListener { startActivity(Intent(this@SettingsActivity, ReviewActivity::class.java)) }
            },
        )
        setContentView(column)
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
