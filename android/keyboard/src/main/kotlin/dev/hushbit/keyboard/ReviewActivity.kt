package dev.hushbit.keyboard

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.view.View
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.TextView

/** The kept texts: to read, to export to another app, and to delete. */
public class ReviewActivity : Activity() {
    private lateinit var queue: ReleaseQueue
    private lateinit var column: LinearLayout

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        queue = Storage(this).queue
        column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        setContentView(withinBars(ScrollView(this).apply { addView(column) }))
    }

    override fun onResume() {
        super.onResume()
        draw()
    }

    private fun draw() {
        val releases = queue.all()
        column.removeAllViews()
        if (releases.isEmpty()) column.addView(TextView(this).apply { setText(R.string.nothing_kept) })
        releases.forEachIndexed { index, release -> column.addView(row(index, release)) }
        if (releases.isNotEmpty()) column.addView(redrawing(R.string.delete_all) { queue.clear() })
    }

    private fun row(
        index: Int,
        release: Release,
    ): View =
        LinearLayout(this).apply {
            orientation = LinearLayout.VERTICAL
            addView(TextView(this@ReviewActivity).apply { text = release.text })
            val state = if (release.isExported) R.string.cost_exported else R.string.cost
            addView(TextView(this@ReviewActivity).apply { text = getString(state, release.epsilon, release.worstCase) })
            addView(
                redrawing(R.string.export) {
                    export(release.text)
                    queue.markExported(index)
                },
            )
            addView(redrawing(R.string.delete) { queue.delete(index) })
        }

    private fun export(text: String) {
        val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, text)
        startActivity(Intent.createChooser(send, getString(R.string.export)))
    }

    private fun redrawing(
        label: Int,
        onPress: () -> Unit,
    ): View =
        button(label) {
            onPress()
            draw()
        }
}
