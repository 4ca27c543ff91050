package dev.hushbit

import androidx.annotation.WorkerThread
import java.nio.ByteBuffer
import java.nio.ByteOrder

/**
 * The options of an [Embedder].
 *
 * @property epsilon of a whole text, finite, 0 or more (default: 2).
 * @property punctuation [PunctuationPolicy.DROP] leaves it out of the text's vector, [PunctuationPolicy.PRIVATIZE]
 *     counts it as words.
 * @property memoization null for fresh randomness for every text; otherwise an equal text has an equal embedding within
 *     an epoch.
 * @property budget null for none; otherwise the epsilon of every text is spent there first, and one token counted. It
 *     may be closed when the embedder has been created.
 * @property auditLog null for none; otherwise a file to which every embedding appends a line of JSON: cost, day and
 *     bundle hash, never text.
 */
public class EmbedderOptions
    @JvmOverloads
    constructor(
        public val epsilon: Double = 2.0,
        public val punctuation: PunctuationPolicy = PunctuationPolicy.DROP,
        public val memoization: Memoization? = null,
        public val budget: Budget? = null,
        public val auditLog: String? = null,
    )

/**
 * Releases what whole texts are about, one public direction each, at one epsilon for the whole text. Created by
 * [Bundle.embedder] and [Embedder.ofProjection].
 *
 * For any two texts, of any length, and any direction, the probabilities that it is released differ by a factor of at
 * most e to the power of epsilon. Immutable. Any number of threads may use the same embedder at once. [close] waits for
 * calls in progress and may be called more than once. All other methods then throw [IllegalStateException].
 */
public class Embedder internal constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Embedder", NativeWholeTexts::embedderDestroy)

    /** Its promises. Stays readable after [close]. */
    public val info: EmbedderInfo = handle.use { embedderInfo(Record(NativeWholeTexts.embedderInfo(it))) }

    /**
     * Embeds a text of any length, also an empty one. With a budget it waits for the disk, so do not call it on the
     * main thread.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     * @throws HushbitException.BudgetExhausted if the text would exceed a cap of the budget.
     * @throws HushbitException.RandomnessFailed if the operating system provides no randomness.
     * @throws HushbitException.CorruptBundle if the bundle is damaged where it was read.
     * @throws IllegalStateException if this embedder is closed.
     */
    @WorkerThread
    public fun embed(text: String): Embedding {
        noteSlow("Embedder.embed")
        val utf8 = text.toUtf8()
        return handle.use { translated { embedding(Record(NativeWholeTexts.embed(it, utf8))) } }
    }

    /**
     * Embeds a vector of a whole text, such as a sentence encoder's, in the same way.
     *
     * @param vector as many finite numbers as [EmbedderInfo.inputNumbers].
     * @throws HushbitException.InvalidArgument if there are others, or one is not finite; the rest as [embed].
     */
    @WorkerThread
    public fun embedVector(vector: FloatArray): Embedding {
        noteSlow("Embedder.embedVector")
        val bytes = floatBytes(vector)
        return handle.use { translated { embedding(Record(NativeWholeTexts.embedVector(it, bytes))) } }
    }

    /**
     * Opens the weights of a classifier that was learned from embeddings of the same bundle or projection.
     *
     * @param weights JSON.
     * @throws HushbitException.InvalidArgument if they cannot be used; the message says why.
     */
    public fun classifier(weights: String): Classifier {
        val utf8 = weights.toUtf8()
        return handle.use { Classifier(translated { NativeWholeTexts.classifierOpen(it, utf8) }) }
    }

    /**
     * The output words whose vectors point most along a direction, an embedding's or the mean of many, nearest first.
     * They are for people to look at. They depend on the direction alone, so they tell nothing more than it.
     *
     * @param direction as many finite numbers as [EmbedderInfo.dimensions].
     * @param count how many words, 1 to the number of output words (default: 10).
     * @throws HushbitException.InvalidArgument if either is out of range.
     */
    @JvmOverloads
    public fun nearestWords(
        direction: DoubleArray,
        count: Int = 10,
    ): List<NearWord> {
        if (count < 1) throw HushbitException.InvalidArgument("$count words are asked for; it must be 1 or more")
        val bytes = ByteBuffer.allocate(8 * direction.size).order(ByteOrder.nativeOrder())
        direction.forEach(bytes::putDouble)
        val ids = IntArray(count)
        val cosines = DoubleArray(count)
        handle.use { translated { NativeWholeTexts.embedderNearestWords(it, bytes.array(), ids, cosines) } }
        return ids.zip(cosines.asIterable(), ::NearWord)
    }

    override fun close(): Unit = handle.close()

    override fun toString(): String = "Embedder(epsilon ${info.effectiveEpsilon} of a whole text)"

    public companion object {
        /**
         * Creates an embedder for vectors of your own, such as those of a sentence encoder, by a projection file. The
         * promise is the same, whatever the vectors are. Punctuation is of no matter.
         *
         * @throws HushbitException.InvalidArgument for a file that is damaged or of another version, or an epsilon that
         *     is negative or not finite.
         */
        @JvmStatic
        @JvmOverloads
        public fun ofProjection(
            projection: ByteArray,
            options: EmbedderOptions = EmbedderOptions(),
        ): Embedder =
            with(options) {
                val create = { budgetPointer: Long ->
                    translated {
                        NativeWholeTexts.embedderCreateFromProjection(
                            projection = projection,
                            epsilon = epsilon,
                            deviceKey = memoization?.key,
                            epoch = memoization?.epoch ?: 0,
                            budget = budgetPointer,
                            auditLog = auditLog?.toPath(),
                        )
                    }
                }
                Embedder(if (budget == null) create(0) else budget.handle.use(create))
            }
    }
}

/** The bytes of the numbers, as the core reads them. */
internal fun floatBytes(numbers: FloatArray): ByteArray {
    val bytes = ByteBuffer.allocate(4 * numbers.size).order(ByteOrder.nativeOrder())
    numbers.forEach(bytes::putFloat)
    return bytes.array()
}

/**
 * What may be sent of a text: [index].
 *
 * @property index the number of the direction, 0 to [EmbedderInfo.directions] - 1.
 * @property signs the direction: number i is 1 if bit i is set, otherwise -1.
 * @property dimensions how many numbers a direction has.
 * @property epsilon of the whole text.
 */
@ConsistentCopyVisibility
public data class Embedding internal constructor(
    public val index: Int,
    public val signs: ULong,
    public val dimensions: Int,
    public val epsilon: Double,
) {
    /** The numbers of the direction, each 1 or -1. */
    public fun direction(): DoubleArray = DoubleArray(dimensions) { if (signs shr it and 1uL == 1uL) 1.0 else -1.0 }
}

/**
 * An output word near to a direction.
 *
 * @property wordId its id; [Bundle.word] spells it.
 * @property cosine -1 to 1.
 */
@ConsistentCopyVisibility
public data class NearWord internal constructor(
    public val wordId: Int,
    public val cosine: Double,
)

/**
 * The promises of an embedder, computed from the integers with which it draws.
 *
 * @property requestedEpsilon the requested epsilon.
 * @property effectiveEpsilon of a whole text: the epsilon that actually holds, never above the requested one.
 * @property clamped whether the requested epsilon was above what the integers can express and was lowered.
 * @property memoized whether an equal text has an equal embedding within an epoch.
 * @property dimensions of a direction.
 * @property directions how many directions there are.
 * @property crowdDirections how many of them are in the crowd of a text.
 * @property crowdThreshold a direction comes from the crowd if a uniform unsigned 64-bit integer is below this.
 * @property crowdProbability [crowdThreshold] divided by 2 to the 64th.
 * @property seed of the directions, which are public.
 * @property inputNumbers of a vector for [Embedder.embedVector]; 0 if it embeds texts.
 * @property hash identifies the bundle or the projection, in hexadecimal.
 */
@ConsistentCopyVisibility
public data class EmbedderInfo internal constructor(
    public val requestedEpsilon: Double,
    public val effectiveEpsilon: Double,
    public val clamped: Boolean,
    public val memoized: Boolean,
    public val dimensions: Int,
    public val directions: Int,
    public val crowdDirections: Int,
    public val crowdThreshold: ULong,
    public val crowdProbability: Double,
    public val seed: ULong,
    public val inputNumbers: Int,
    public val hash: String,
)

/** Creates the native embedder; the caller keeps [bundle] alive. */
internal fun createEmbedder(
    bundle: Long,
    options: EmbedderOptions,
): Long =
    with(options) {
        val create = { budgetPointer: Long ->
            translated {
                NativeWholeTexts.embedderCreate(
                    bundle = bundle,
                    epsilon = epsilon,
                    punctuation = punctuation.value,
                    deviceKey = memoization?.key,
                    epoch = memoization?.epoch ?: 0,
                    budget = budgetPointer,
                    auditLog = auditLog?.toPath(),
                )
            }
        }
        if (budget == null) create(0) else budget.handle.use(create)
    }

/** Reads a `hushbit_embedding`. */
internal fun embedding(record: Record): Embedding =
    Embedding(
        index = record.int(EmbeddingLayout.INDEX),
        signs = record.long(EmbeddingLayout.SIGNS).toULong(),
        dimensions = record.int(EmbeddingLayout.DIMENSIONS),
        epsilon = record.double(EmbeddingLayout.EPSILON),
    )

/** Reads a `hushbit_embedder_info`. */
private fun embedderInfo(record: Record): EmbedderInfo =
    EmbedderInfo(
        requestedEpsilon = record.double(EmbedderInfoLayout.REQUESTED_EPSILON),
        effectiveEpsilon = record.double(EmbedderInfoLayout.EFFECTIVE_EPSILON),
        clamped = record.int(EmbedderInfoLayout.CLAMPED) != 0,
        memoized = record.int(EmbedderInfoLayout.MEMOIZED) != 0,
        dimensions = record.int(EmbedderInfoLayout.DIMENSIONS),
        directions = record.int(EmbedderInfoLayout.DIRECTIONS),
        crowdDirections = record.int(EmbedderInfoLayout.CROWD_DIRECTIONS),
        crowdThreshold = record.long(EmbedderInfoLayout.CROWD_THRESHOLD).toULong(),
        crowdProbability = record.double(EmbedderInfoLayout.CROWD_PROBABILITY),
        seed = record.long(EmbedderInfoLayout.SEED).toULong(),
        inputNumbers = record.int(EmbedderInfoLayout.INPUT_NUMBERS),
        hash = record.hex(EmbedderInfoLayout.HASH, 32),
    )
