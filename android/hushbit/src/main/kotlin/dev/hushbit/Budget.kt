package dev.hushbit

import androidx.annotation.WorkerThread

/**
 * A ledger of what was spent, in a small file, and caps. Created by [Budget.open], used through
 * [PrivatizerOptions.budget].
 *
 * Caps are exact even if several threads and processes spend at once. Keep the file out of backups: restoring an old
 * ledger would undo what was spent. Thread-safe. [close] may be called more than once, and privatizers keep working
 * after it.
 */
public class Budget private constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Budget", Native::budgetClose)

    /**
     * What has been spent so far.
     *
     * @throws HushbitException.CorruptBudget if the file is damaged or missing.
     * @throws HushbitException.StorageFailed if it cannot be read.
     */
    public fun state(): BudgetState = handle.use { translated { budgetState(Record(Native.budgetState(it))) } }

    /**
     * Spends a cost of the app's own, and returns when the ledger is on the disk. What is created with this budget
     * spends its own costs. After a failure nothing may be released.
     *
     * @param worstCase in units of [Cost.worstCase], 0 or more; infinity is allowed only if there is no cap on costs.
     * @param tokens how many released tokens it is for, 0 or more.
     * @throws HushbitException.BudgetExhausted if a cap does not allow it; nothing was spent.
     * @throws HushbitException.CorruptBudget if the file is damaged or missing.
     * @throws HushbitException.StorageFailed if it cannot be read, locked or written.
     * @throws HushbitException.InvalidArgument for a negative or undefined cost.
     */
    @JvmOverloads
    public fun spend(
        worstCase: Double,
        tokens: Long = 0,
    ) {
        if (tokens < 0) throw HushbitException.InvalidArgument("tokens is $tokens; it must be 0 or more")
        handle.use { translated { Native.budgetSpend(it, worstCase, tokens) } }
    }

    /**
     * The same for [texts] releases of whole texts, which cost [worstCase] together: each counts as a token and as a
     * text.
     */
    public fun spendTexts(
        worstCase: Double,
        texts: Int,
    ) {
        if (texts < 0) throw HushbitException.InvalidArgument("texts is $texts; it must be 0 or more")
        handle.use { translated { Native.budgetSpendTexts(it, worstCase, texts) } }
    }

    override fun close(): Unit = handle.close()

    public companion object {
        /**
         * Opens the ledger at [path], or creates an empty one. `PATH.lock` and, for short times, `PATH.new` are written
         * next to it. The caps belong to this object; the file contains only what was spent.
         *
         * @throws HushbitException.InvalidArgument for a cap that is negative or NaN.
         * @throws HushbitException.CorruptBudget for a damaged file; see [reset].
         * @throws HushbitException.UnsupportedBudget for a file of a newer version.
         * @throws HushbitException.StorageFailed if it cannot be read, locked or written.
         */
        @JvmStatic
        @JvmOverloads
        @WorkerThread
        public fun open(
            path: String,
            limits: BudgetLimits = BudgetLimits(),
        ): Budget {
            noteSlow("Budget.open")
            val name = path.toPath()
            return with(limits) {
                Budget(
                    translated {
                        Native.budgetOpen(
                            path = name,
                            worstCasePerDay = worstCasePerDay,
                            worstCaseLifetime = worstCaseLifetime,
                            tokensPerDay = tokensPerDay ?: NO_CAP,
                            tokensLifetime = tokensLifetime ?: NO_CAP,
                        )
                    },
                )
            }
        }

        /**
         * Replaces the ledger at [path], damaged or not, with an empty one. Its caps no longer bound what was released
         * before.
         */
        @JvmStatic
        @WorkerThread
        public fun reset(path: String) {
            noteSlow("Budget.reset")
            val name = path.toPath()
            translated { Native.budgetReset(name) }
        }

        private const val NO_CAP = -1L // UINT64_MAX
    }
}

/**
 * Caps on what is spent in one day (UTC) and in total. A release that would exceed one of them is refused.
 *
 * @property worstCasePerDay in units of [Cost.worstCase], 0 or more; infinity means no cap.
 * @property worstCaseLifetime the same in total.
 * @property tokensPerDay released tokens with a replacement, 0 or more; null means no cap.
 * @property tokensLifetime the same in total.
 */
public data class BudgetLimits
    @JvmOverloads
    constructor(
        public val worstCasePerDay: Double = Double.POSITIVE_INFINITY,
        public val worstCaseLifetime: Double = Double.POSITIVE_INFINITY,
        public val tokensPerDay: Long? = null,
        public val tokensLifetime: Long? = null,
    ) {
        init {
            for (cap in listOfNotNull(tokensPerDay, tokensLifetime)) {
                if (cap < 0) throw HushbitException.InvalidArgument("a cap is $cap tokens; it must be 0 or more")
            }
        }
    }

/**
 * What was spent.
 *
 * @property day days since 1970-01-01 UTC; never goes back, even if the clock is set back.
 * @property worstCaseToday on that day.
 * @property worstCaseLifetime since the file was created or reset.
 * @property tokensToday on that day.
 * @property tokensLifetime since the file was created or reset.
 * @property textsToday releases of whole texts (embeddings, reports) on that day; each is a token, too.
 * @property textsLifetime since the file was created or reset.
 */
@ConsistentCopyVisibility
public data class BudgetState internal constructor(
    public val day: Long,
    public val worstCaseToday: Double,
    public val worstCaseLifetime: Double,
    public val tokensToday: Long,
    public val tokensLifetime: Long,
    public val textsToday: Long,
    public val textsLifetime: Long,
)

/** Reads a `hushbit_budget_state`. */
private fun budgetState(record: Record): BudgetState =
    BudgetState(
        day = record.long(BudgetStateLayout.DAY),
        worstCaseToday = record.double(BudgetStateLayout.WORST_CASE_TODAY),
        worstCaseLifetime = record.double(BudgetStateLayout.WORST_CASE_LIFETIME),
        tokensToday = record.long(BudgetStateLayout.TOKENS_TODAY),
        tokensLifetime = record.long(BudgetStateLayout.TOKENS_LIFETIME),
        textsToday = record.long(BudgetStateLayout.TEXTS_TODAY),
        textsLifetime = record.long(BudgetStateLayout.TEXTS_LIFETIME),
    )
