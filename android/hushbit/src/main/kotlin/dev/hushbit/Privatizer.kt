package dev.hushbit

/**
 * A mechanism, an epsilon and policies, bound to a bundle. Made by [Bundle.privatizer].
 *
 * Immutable; any number of threads may use one at once, and every call draws its own randomness. [close] waits for
 * calls in progress and may be called again; everything else then throws [IllegalStateException].
 */
public class Privatizer internal constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Privatizer", Native::privatizerClose)

    /** What it promises. Stays readable after [close]. */
    public val info: PrivatizerInfo = handle.use { privatizerInfo(Record(Native.privatizerInfo(it))) }

    /**
     * Privatizes a text of any length. With a budget it waits for the disk, so keep it off the main thread.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     * @throws HushbitException.UnknownWord under [OovPolicy.ERROR].
     * @throws HushbitException.BudgetExhausted if a cap of the budget stands against it.
     * @throws HushbitException.RandomnessFailed if the operating system gives no randomness.
     * @throws HushbitException.CorruptBundle if the bundle is damaged where it was read.
     * @throws IllegalStateException if this privatizer is closed.
     */
    public fun privatize(text: String): PrivatizedText {
        val utf8 = text.toUtf8()
        return handle.use { pointer ->
            translated(
                { Utf16Offsets(utf8).at(it.toInt()).toLong() },
            ) { privatizedText(Native.privatize(pointer, utf8)) }
        }
    }

    override fun close(): Unit = handle.close()

    override fun toString(): String {
        val promise = "epsilon ${info.effectiveEpsilon} per bit, ${info.worstCasePerToken} at worst per token"
        return "Privatizer(${info.mechanism}, $promise)"
    }
}

/**
 * What a privatizer promises, from the integers that it computes with.
 *
 * @property mechanism how a word is replaced.
 * @property requestedEpsilon the epsilon per differing bit that was asked for.
 * @property effectiveEpsilon the one that really holds, never above it.
 * @property flipThreshold BRR: a bit flips if a uniform unsigned 64-bit integer is below this; TEM: 0.
 * @property flipProbability [flipThreshold] divided by 2 to the 64th.
 * @property gamma TEM: the truncation distance in bits; BRR: 0.
 * @property averagePerToken [effectiveEpsilon] times the mean distance between two words, or their worst case if less
 *   (TEM).
 * @property worstCasePerToken the local-DP epsilon of one token.
 * @property clamped whether the requested epsilon was beyond what the integers can express and was lowered.
 * @property memoized whether noise repeats within an epoch.
 */
public class PrivatizerInfo internal constructor(
    public val mechanism: Mechanism,
    public val requestedEpsilon: Double,
    public val effectiveEpsilon: Double,
    public val flipThreshold: ULong,
    public val flipProbability: Double,
    public val gamma: Int,
    public val averagePerToken: Double,
    public val worstCasePerToken: Double,
    public val clamped: Boolean,
    public val memoized: Boolean,
)

/** Reads a `hushbit_privatizer_info`. */
private fun privatizerInfo(record: Record): PrivatizerInfo =
    PrivatizerInfo(
        mechanism = mechanism(record.int(8)),
        requestedEpsilon = record.double(16),
        effectiveEpsilon = record.double(24),
        flipThreshold = record.long(32).toULong(),
        flipProbability = record.double(40),
        gamma = record.int(12),
        averagePerToken = record.double(48),
        worstCasePerToken = record.double(56),
        clamped = record.int(64) != 0,
        memoized = record.int(68) != 0,
    )
