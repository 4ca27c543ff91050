package dev.hushbit.keyboard

import androidx.annotation.WorkerThread
import dev.hushbit.Budget
import dev.hushbit.BudgetLimits
import dev.hushbit.Bundle
import dev.hushbit.HushbitException
import dev.hushbit.Memoization
import dev.hushbit.ReporterOptions
import dev.hushbit.Values

/**
 * One report a day: about one emoji of the first line of an even day, about one word on an odd day. Whether a line has
 * an emoji at all is not visible in its report.
 *
 * A ledger makes it one a day, also after a restart and after the user deleted what was kept.
 */
internal class DailyReport(
    private val storage: Storage,
    private val open: () -> Bundle,
    private val today: () -> Long = ::currentDay,
) {
    private var lastDay = -1L

    /** Draws the report of today from [line], or returns null if there was one already. */
    @WorkerThread
    fun draw(line: String): Release? {
        val day = today()
        if (day == lastDay) return null
        return try {
            report(line, day)
        } catch (_: HushbitException.BudgetExhausted) {
            null
        }.also { lastDay = day }
    }

    private fun report(
        line: String,
        day: Long,
    ): Release {
        val about = if (day % 2 == 0L) About.EMOJI else About.WORD
        val limits = BudgetLimits(tokensPerDay = 1, worstCaseLifetime = EPSILON * MOST_REPORTS)
        val report =
            Budget.open(storage.reportBudgetPath, limits).use { budget ->
                open().use { it.reporter(options(about, day, budget)) }.use { it.report(line) }
            }
        return Release(report.toJson(), report.epsilon, report.epsilon, report.values, day, about = about)
    }

    private fun options(
        about: About,
        day: Long,
        budget: Budget,
    ) = ReporterOptions(
        values = if (about == About.EMOJI) Values.Emoji else Values.Words,
        epsilon = EPSILON,
        memoization = Memoization(storage.deviceKey(), day / Privacy.DAYS_OF_EPOCH),
        budget = budget,
    )

    companion object {
        /** The ε of a whole line, and so of a day. */
        const val EPSILON = 1.0

        /** The most reports in the lifetime of an installation: a year of them. */
        const val MOST_REPORTS = 365
    }
}
