package dev.hushbit

/**
 * How a [Privatizer] works. What is not given is the bundle's default.
 *
 * @property mechanism null for the bundle's.
 * @property epsilon the metric-DP budget per differing bit of a code, 0 or more and finite; null for the bundle's,
 *     which is meant for its own mechanism and no other. Less is more private. [PrivatizerInfo] says what it adds up to
 *     for one token.
 * @property beta [Mechanism.TEM] only: the chance of a word beyond the truncation distance, strictly between 0 and 1.
 * @property oov what becomes of a token that is not in the vocabulary.
 * @property punctuation what becomes of punctuation.
 * @property mask for [OovPolicy.MASK]: 1 to 64 bytes of UTF-8.
 * @property memoization null for fresh noise for every token.
 * @property budget null for none; else every release is spent first. It may be closed once the privatizer is made.
 * @property auditLog null for none; else a file to which every release appends a line of JSON: counts, cost, day and
 *     bundle hash, never text.
 */
public class PrivatizerConfiguration
    @JvmOverloads
    constructor(
        public val mechanism: Mechanism? = null,
        public val epsilon: Double? = null,
        public val beta: Double = 0.001,
        public val oov: OovPolicy = OovPolicy.RANDOM,
        public val punctuation: PunctuationPolicy = PunctuationPolicy.DROP,
        public val mask: String = "[unk]",
        public val memoization: Memoization? = null,
        public val budget: Budget? = null,
        public val auditLog: String? = null,
    )

/** How a word is replaced. */
public enum class Mechanism(
    internal val value: Int,
) {
    /** Randomized response on the bits of the code, then the nearest word. */
    BRR(1),

    /** Truncated exponential mechanism on Hamming distance. */
    TEM(2),
}

/** What becomes of a token that is not in the vocabulary. */
public enum class OovPolicy(
    internal val value: Int,
) {
    /** Replaced by noise that does not depend on the token. */
    RANDOM(0),

    /** Left out; reveals how many words were unknown to a reader who knows the length. */
    DROP(1),

    /** Replaced by [PrivatizerConfiguration.mask]; reveals that it was unknown. */
    MASK(2),

    /** The call fails with [HushbitException.UnknownWord] and releases nothing. */
    ERROR(3),

    /** Passed through as typed: NO privacy; the cost becomes infinite. */
    VERBATIM_UNSAFE(4),
}

/** What becomes of punctuation. */
public enum class PunctuationPolicy(
    internal val value: Int,
) {
    /** Left out. */
    DROP(0),

    /** Treated like a word. */
    PRIVATIZE(1),
}

/**
 * Noise that is the same for the same word within an epoch, so that repeating a word does not average its noise away.
 * It shows repeats as repeats: a [Cost] holds between texts with the same pattern of equal words only. Whoever has the
 * key can undo the noise.
 *
 * @param deviceKey 32 secret bytes of this device; copied.
 * @property epoch another number, other noise; unsigned.
 */
public class Memoization
    @JvmOverloads
    constructor(
        deviceKey: ByteArray,
        public val epoch: Long = 0,
    ) {
        internal val key: ByteArray = deviceKey.copyOf()

        init {
            val size = key.size
            if (size != 32) throw HushbitException.InvalidArgument("the device key has $size bytes, must be 32")
        }
    }

/** The mechanism of a C value. */
internal fun mechanism(value: Int): Mechanism =
    Mechanism.entries.find { it.value == value }
        ?: throw HushbitException.UnsupportedBundle("mechanism $value is not known to this version of Hushbit")

/** Makes the native privatizer; [bundle] is kept alive by the caller. */
internal fun createPrivatizer(
    bundle: Long,
    info: BundleInfo,
    configuration: PrivatizerConfiguration,
): Long =
    with(configuration) {
        val calibrated = info.defaultMechanism
        if (epsilon == null && mechanism != null && mechanism != calibrated) {
            val what = "the bundle's default epsilon is meant for $calibrated: give one for $mechanism"
            throw HushbitException.InvalidArgument(what)
        }
        val create = { budgetPointer: Long ->
            translated {
                Native.privatizerCreate(
                    bundle = bundle,
                    mechanism = (mechanism ?: calibrated).value,
                    epsilon = epsilon ?: info.defaultEpsilon,
                    beta = beta,
                    oov = oov.value,
                    punctuation = punctuation.value,
                    mask = mask.toUtf8(),
                    deviceKey = memoization?.key,
                    epoch = memoization?.epoch ?: 0,
                    budget = budgetPointer,
                    auditLog = auditLog?.toPath(),
                )
            }
        }
        if (budget == null) create(0) else budget.handle.use(create)
    }
