package dev.hushbit.keyboard

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.view.View
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.TextView

/** The kept texts and the reports, as they are sent: to read, to export to another app, and to delete. */
public class ReviewActivity : Activity() {
    private lateinit var queue: ReleaseQueue
    private lateinit var column: LinearLayout

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        watchMainThread(this)
        queue = Storage.of(this).queue
        column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        setContentView(withinBars(ScrollView(this).apply { addView(column) }))
    }

    override fun onResume() {
        super.onResume()
        change {}
    }

    /** Changes the queue on the worker, and shows what is in it then. */
    private fun change(action: () -> Unit) {
        Background.execute {
            val failed = runCatching(action).isFailure
            val releases = runCatching(queue::all).getOrNull()
            runOnUiThread { if (releases != null) draw(releases, failed) else draw(emptyList(), true) }
        }
    }

    private fun draw(
        releases: List<Release>,
        failed: Boolean,
    ) {
        column.removeAllViews()
        if (failed) column.addView(text(getString(R.string.failed)))
        if (releases.isEmpty()) column.addView(text(getString(R.string.nothing_kept)))
        for (release in releases) column.addView(row(release))
        if (releases.isNotEmpty()) column.addView(button(R.string.delete_all) { change(queue::clear) })
    }

    private fun row(release: Release): View =
        LinearLayout(this).apply {
            orientation = LinearLayout.VERTICAL
            if (release.about != About.TEXT) addView(text(getString(title(release.about))))
            addView(text(release.text))
            addView(text(cost(release)))
            addView(button(R.string.export) { export(release) })
            addView(button(R.string.delete) { change { queue.delete(release) } })
        }

    private fun title(about: About) = if (about == About.EMOJI) R.string.report_emoji else R.string.report_word

    private fun cost(release: Release): String {
        val cost =
            if (release.about == About.TEXT) {
                val parts = listOf(release.epsilon, release.worstCase, release.drawn).map(::costText).toTypedArray()
                getString(if (release.drawn > release.worstCase) R.string.cost_drawn else R.string.cost, *parts)
            } else {
                getString(R.string.cost_report, costText(release.epsilon))
            }
        return if (release.isExported) getString(R.string.exported, cost) else cost
    }

    private fun export(release: Release) {
        val send = Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, release.text)
        startActivity(Intent.createChooser(send, getString(R.string.export)))
        change { queue.markExported(release) }
    }

    private fun text(content: String) = TextView(this).apply { text = content }
}
