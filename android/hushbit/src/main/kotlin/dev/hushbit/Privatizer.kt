package dev.hushbit

import androidx.annotation.WorkerThread

/**
 * A mechanism, an epsilon and policies for one bundle. Created by [Bundle.privatizer].
 *
 * Immutable. Any number of threads may use the same privatizer at once, and every call draws its own randomness.
 * [close] waits for calls in progress and may be called more than once. All other methods then throw
 * [IllegalStateException].
 */
public class Privatizer internal constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Privatizer", Native::privatizerDestroy)

    /** Its promises. Stays readable after [close]. */
    public val info: PrivatizerInfo = handle.use { privatizerInfo(Record(Native.privatizerInfo(it))) }

    /**
     * Privatizes a text of any length. With a budget it waits for the disk, so do not call it on the main thread.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     * @throws HushbitException.UnknownWord under [OovPolicy.ERROR].
     * @throws HushbitException.BudgetExhausted if the text would exceed a cap of the budget.
     * @throws HushbitException.RandomnessFailed if the operating system provides no randomness.
     * @throws HushbitException.CorruptBundle if the bundle is damaged where it was read.
     * @throws IllegalStateException if this privatizer is closed.
     */
    @WorkerThread
    public fun privatize(text: String): PrivatizedText {
        noteSlow("Privatizer.privatize")
        val utf8 = text.toUtf8()
        return handle.use { pointer ->
            translated(
                { Utf16Offsets(utf8).at(it.toInt()).toLong() },
            ) { privatizedText(Native.privatize(pointer, utf8)) }
        }
    }

    override fun close(): Unit = handle.close()

    override fun toString(): String {
        val unit = info.epsilonUnit.name.lowercase()
        val promise = "epsilon ${info.effectiveEpsilon} per $unit, ${info.worstCasePerToken} at worst per token"
        return "Privatizer(${info.mechanism}, $promise)"
    }
}

/**
 * The promises of a privatizer, computed from the integers with which it draws.
 *
 * @property mechanism how a word is replaced.
 * @property epsilonUnit the unit of both epsilons.
 * @property requestedEpsilon the requested epsilon.
 * @property effectiveEpsilon the epsilon that actually holds, never above the requested one.
 * @property flipThreshold BRR: a bit flips if a uniform unsigned 64-bit integer is below this; TEM: 0.
 * @property flipProbability [flipThreshold] divided by 2 to the 64th.
 * @property gamma TEM: the truncation distance in bits; BRR: 0.
 * @property averagePerToken [effectiveEpsilon] times the mean distance between two words, or their worst case if less
 *   (TEM); crowds: the same as [worstCasePerToken].
 * @property worstCasePerToken the local-DP epsilon of one token.
 * @property clamped whether the requested epsilon was above what the integers can express and was lowered.
 * @property memoized whether noise repeats within an epoch.
 * @property crowdSize the size of crowds; null for other mechanisms. Then the next five properties are 0.
 * @property crowdMass the sum of the shares in a crowd, the same for all crowds.
 * @property outputMass the sum of the weights of all output words.
 * @property crowdThreshold a word comes from the crowd if a uniform unsigned 64-bit integer is below this.
 * @property crowdProbability [crowdThreshold] divided by 2 to the 64th.
 * @property meanCrowd the mean number of words in a crowd, over at most 1024 evenly spaced output words.
 * @property outputWords of the bundle.
 * @property publicWords of the bundle. Promises hold between texts with the same public words in the same places.
 */
@ConsistentCopyVisibility
public data class PrivatizerInfo internal constructor(
    public val mechanism: Mechanism,
    public val epsilonUnit: EpsilonUnit,
    public val requestedEpsilon: Double,
    public val effectiveEpsilon: Double,
    public val flipThreshold: ULong,
    public val flipProbability: Double,
    public val gamma: Int,
    public val averagePerToken: Double,
    public val worstCasePerToken: Double,
    public val clamped: Boolean,
    public val memoized: Boolean,
    public val crowdSize: CrowdSize?,
    public val crowdMass: Long,
    public val outputMass: Long,
    public val crowdThreshold: ULong,
    public val crowdProbability: Double,
    public val meanCrowd: Double,
    public val outputWords: Int,
    public val publicWords: Int,
)

/** Reads a `hushbit_privatizer_info`. */
private fun privatizerInfo(record: Record): PrivatizerInfo =
    PrivatizerInfo(
        mechanism = mechanism(record.int(PrivatizerInfoLayout.MECHANISM)),
        epsilonUnit = epsilonUnit(record.int(PrivatizerInfoLayout.EPSILON_UNIT)),
        requestedEpsilon = record.double(PrivatizerInfoLayout.REQUESTED_EPSILON),
        effectiveEpsilon = record.double(PrivatizerInfoLayout.EFFECTIVE_EPSILON),
        flipThreshold = record.long(PrivatizerInfoLayout.FLIP_THRESHOLD).toULong(),
        flipProbability = record.double(PrivatizerInfoLayout.FLIP_PROBABILITY),
        gamma = record.int(PrivatizerInfoLayout.GAMMA),
        averagePerToken = record.double(PrivatizerInfoLayout.AVERAGE_PER_TOKEN),
        worstCasePerToken = record.double(PrivatizerInfoLayout.WORST_CASE_PER_TOKEN),
        clamped = record.int(PrivatizerInfoLayout.CLAMPED) != 0,
        memoized = record.int(PrivatizerInfoLayout.MEMOIZED) != 0,
        crowdSize = crowdSize(record.int(PrivatizerInfoLayout.CROWD_SIZE)),
        crowdMass = record.int(PrivatizerInfoLayout.CROWD_MASS).toUInt().toLong(),
        outputMass = record.int(PrivatizerInfoLayout.OUTPUT_MASS).toUInt().toLong(),
        crowdThreshold = record.long(PrivatizerInfoLayout.CROWD_THRESHOLD).toULong(),
        crowdProbability = record.double(PrivatizerInfoLayout.CROWD_PROBABILITY),
        meanCrowd = record.double(PrivatizerInfoLayout.MEAN_CROWD),
        outputWords = record.int(PrivatizerInfoLayout.OUTPUT_WORDS),
        publicWords = record.int(PrivatizerInfoLayout.PUBLIC_WORDS),
    )
