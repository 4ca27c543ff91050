package dev.hushbit

/**
 * A ledger of what was spent, in a small file, with caps. Made by [Budget.open], used through
 * [PrivatizerConfiguration.budget].
 *
 * Exact under threads and processes that spend at once. Keep the file out of backups: restoring an old one would give
 * back what was spent. Thread-safe; [close] may be called again, and leaves privatizers working.
 */
public class Budget private constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Budget", Native::budgetClose)

    /**
     * What is spent as of now.
     *
     * @throws HushbitException.CorruptBudget if the file is damaged or gone.
     * @throws HushbitException.Storage if it cannot be read.
     */
    public fun state(): BudgetState = handle.use { translated { budgetState(Record(Native.budgetState(it))) } }

    override fun close(): Unit = handle.close()

    public companion object {
        /**
         * Opens the ledger at [path], or creates an empty one. Beside it `PATH.lock` and, for moments, `PATH.new` are
         * written. The caps are this opener's: the file holds what was spent, not what may be.
         *
         * @throws HushbitException.InvalidArgument for a cap that is negative or NaN.
         * @throws HushbitException.CorruptBudget for a damaged file; see [reset].
         * @throws HushbitException.UnsupportedBudget for a file of a newer version.
         * @throws HushbitException.Storage if it cannot be read, locked or written.
         */
        @JvmStatic
        @JvmOverloads
        public fun open(
            path: String,
            limits: BudgetLimits = BudgetLimits(),
        ): Budget {
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

        /** Makes the ledger at [path] an empty one, damaged or not, and with it forgets the promise of its caps. */
        @JvmStatic
        public fun reset(path: String) {
            val name = path.toPath()
            translated { Native.budgetReset(name) }
        }

        private const val NO_CAP = -1L // UINT64_MAX
    }
}

/**
 * Caps on what is spent in one day (UTC) and in all. A release that would go beyond one of them is refused.
 *
 * @property worstCasePerDay in units of [Cost.worstCase], 0 or more; infinity for no cap.
 * @property worstCaseLifetime the same in all.
 * @property tokensPerDay tokens with a replacement in what was released, 0 or more; null for no cap.
 * @property tokensLifetime the same in all.
 */
public class BudgetLimits
    @JvmOverloads
    constructor(
        public val worstCasePerDay: Double = Double.POSITIVE_INFINITY,
        public val worstCaseLifetime: Double = Double.POSITIVE_INFINITY,
        public val tokensPerDay: Long? = null,
        public val tokensLifetime: Long? = null,
    ) {
        init {
            for (cap in listOfNotNull(tokensPerDay, tokensLifetime)) {
                if (cap < 0) throw HushbitException.InvalidArgument("a cap of $cap tokens: must be 0 or more")
            }
        }
    }

/**
 * What was spent.
 *
 * @property day since 1970-01-01 UTC; never falls, even if the clock is set back.
 * @property worstCaseToday on that day.
 * @property worstCaseLifetime since the file was created or reset.
 * @property tokensToday on that day.
 * @property tokensLifetime since the file was created or reset.
 */
public class BudgetState internal constructor(
    public val day: Long,
    public val worstCaseToday: Double,
    public val worstCaseLifetime: Double,
    public val tokensToday: Long,
    public val tokensLifetime: Long,
)

/** Reads a `hushbit_budget_state`. */
private fun budgetState(record: Record): BudgetState =
    BudgetState(
        day = record.long(8),
        worstCaseToday = record.double(16),
        worstCaseLifetime = record.double(24),
        tokensToday = record.long(32),
        tokensLifetime = record.long(40),
    )
