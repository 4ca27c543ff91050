package dev.hushbit

/**
 * The options of a [Privatizer]. Options that are not given have the bundle's defaults.
 *
 * @property mechanism null for the bundle's default.
 * @property epsilon finite, 0 or more, per differing bit of a code, or per word for [Mechanism.CROWD];
 *     null for the bundle's default for that mechanism, if it has one. A smaller value is more private.
 *     [PrivatizerInfo] states the cost for one token.
 * @property beta [Mechanism.TEM] only: the probability of a word beyond the truncation distance, strictly between 0 and
 *     1.
 * @property oov how to treat a token that is not in the vocabulary.
 * @property punctuation how to treat punctuation.
 * @property mask for [OovPolicy.MASK]: 1 to 64 bytes of UTF-8.
 * @property memoization null for fresh noise for every token.
 * @property budget null for none; otherwise the cost of every release is spent there first. It may be closed when the
 *     privatizer has been created.
 * @property auditLog null for none; otherwise a file to which every release appends a line of JSON: counts, cost, day
 *     and bundle hash, never text.
 * @property crowdSize [Mechanism.CROWD] only: how many near words a word may become; null for the bundle's default.
 * @property allowUnchanged whether to use an epsilon that leaves more than about half of the words as they were typed.
 *     Otherwise it is refused with [HushbitException.InvalidArgument] (docs/privacy.md).
 */
public class PrivatizerOptions
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
        public val crowdSize: CrowdSize? = null,
        public val allowUnchanged: Boolean = false,
    )

/** How a word is replaced. */
public enum class Mechanism(
    internal val value: Int,
) {
    /** Randomized response on the bits of the code, then the nearest word. */
    BRR(1),

    /** Truncated exponential mechanism on Hamming distance. */
    TEM(2),

    /** With a fixed probability a word of the typed word's crowd, otherwise any output word. */
    CROWD(3),
}

/** The unit of an epsilon. */
public enum class EpsilonUnit(
    internal val value: Int,
) {
    /** [Mechanism.BRR] and [Mechanism.TEM]: metric DP, per differing bit of two codes. */
    BIT(1),

    /** [Mechanism.CROWD]: local DP of one word, the same for any two words. */
    WORD(2),
}

/** With [Mechanism.CROWD]: how many near words a word may become. */
public enum class CrowdSize(
    internal val value: Int,
) {
    /** Only the word: randomized response over the output words. */
    ONE(1),

    /** A few words: for counting. */
    FEW(2),

    /** Many words, nearer ones with larger shares: for meaning. */
    MANY(3),
}

/** How a token that is not in the vocabulary is treated. */
public enum class OovPolicy(
    internal val value: Int,
) {
    /** Replaced by noise that does not depend on the token. */
    RANDOM(0),

    /** Left out; a reader who knows the length learns how many words were unknown. */
    DROP(1),

    /** Replaced by [PrivatizerOptions.mask]; reveals that it was unknown. */
    MASK(2),

    /** The call fails with [HushbitException.UnknownWord] and releases nothing. */
    ERROR(3),

    /** Passed through as typed: NO privacy; the cost becomes infinite. */
    VERBATIM_UNSAFE(4),
}

/** How punctuation is treated. */
public enum class PunctuationPolicy(
    internal val value: Int,
) {
    /** Left out. */
    DROP(0),

    /** Treated like a word. */
    PRIVATIZE(1),
}

/**
 * Noise that is the same for the same word within an epoch, so that repetition does not average the noise away. Repeats
 * are visible as repeats: a [Cost] holds only between texts with the same pattern of equal words. Anyone who has the
 * key can undo the noise.
 *
 * @param deviceKey 32 secret bytes of this device; copied.
 * @property epoch a different number gives different noise; unsigned.
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
            if (size != 32) throw HushbitException.InvalidArgument("the device key has $size bytes; it must have 32")
        }
    }

/** The mechanism of a C value. */
internal fun mechanism(value: Int): Mechanism =
    Mechanism.entries.find { it.value == value }
        ?: throw HushbitException.UnsupportedBundle("mechanism $value is not known to this version of Hushbit")

/** The crowd of a C value; null for 0. */
internal fun crowdSize(value: Int): CrowdSize? = CrowdSize.entries.find { it.value == value }

/** The unit of a C value. */
internal fun epsilonUnit(value: Int): EpsilonUnit = EpsilonUnit.entries.first { it.value == value }

/** The bundle's epsilon for a mechanism. */
private fun defaultEpsilon(
    info: BundleInfo,
    mechanism: Mechanism,
): Double {
    val default =
        when (mechanism) {
            info.defaultMechanism -> return info.defaultEpsilon
            Mechanism.BRR -> info.defaultEpsilonBrr
            Mechanism.TEM -> info.defaultEpsilonTem
            Mechanism.CROWD -> 0.0
        }
    if (default > 0) return default
    val what = "the bundle's default epsilon is meant for ${info.defaultMechanism}: give an epsilon for $mechanism"
    throw HushbitException.InvalidArgument(what)
}

/** Creates the native privatizer; the caller keeps [bundle] alive. */
internal fun createPrivatizer(
    bundle: Long,
    info: BundleInfo,
    options: PrivatizerOptions,
): Long =
    with(options) {
        val chosen = mechanism ?: info.defaultMechanism
        val chosenEpsilon = epsilon ?: defaultEpsilon(info, chosen)
        val create = { budgetPointer: Long ->
            translated {
                Native.privatizerCreate(
                    bundle = bundle,
                    mechanism = chosen.value,
                    epsilon = chosenEpsilon,
                    beta = beta,
                    oov = oov.value,
                    punctuation = punctuation.value,
                    mask = mask.toUtf8(),
                    deviceKey = memoization?.key,
                    epoch = memoization?.epoch ?: 0,
                    budget = budgetPointer,
                    auditLog = auditLog?.toPath(),
                    crowdSize = (crowdSize ?: info.defaultCrowdSize)?.value ?: 0,
                    allowUnchanged = allowUnchanged,
                )
            }
        }
        if (budget == null) create(0) else budget.handle.use(create)
    }
