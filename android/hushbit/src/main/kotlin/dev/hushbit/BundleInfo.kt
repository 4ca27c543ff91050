package dev.hushbit

/**
 * The contents of a bundle's header.
 *
 * @property formatVersion version of the file format, "major.minor".
 * @property bits bits of a code: 64, 128, 256 or 512.
 * @property words number of words in the vocabulary, 1 or more.
 * @property maxWordBytes length of the longest word, in bytes of UTF-8.
 * @property maxDistance an upper bound on the distance between any two codes, in bits.
 * @property averageDistance the mean Hamming distance over all ordered pairs of output words, self-pairs included.
 * @property defaultEpsilon the calibrated epsilon of the default mechanism.
 * @property defaultEpsilonUnit the unit of [defaultEpsilon].
 * @property defaultMechanism the mechanism for which it was calibrated.
 * @property defaultCrowdSize the size of crowds if [Mechanism.CROWD] is the default mechanism, otherwise null.
 * @property defaultEpsilonBrr per differing bit, for [Mechanism.BRR]; 0 if there is none.
 * @property defaultEpsilonTem the same for [Mechanism.TEM].
 * @property outputWords number of words that may come out. Only they have codes. In many bundles these are all words.
 * @property publicWords number of words that are released without noise.
 * @property unicodeVersion of the tokenizer for which the vocabulary was built, "major.minor.update".
 * @property fileBytes size of the bundle.
 * @property hash the SHA-256 in hexadecimal that identifies the bundle; it covers every byte.
 */
public class BundleInfo internal constructor(
    public val formatVersion: String,
    public val bits: Int,
    public val words: Int,
    public val maxWordBytes: Int,
    public val maxDistance: Int,
    public val averageDistance: Double,
    public val defaultEpsilon: Double,
    public val defaultEpsilonUnit: EpsilonUnit,
    public val defaultMechanism: Mechanism,
    public val defaultCrowdSize: CrowdSize?,
    public val defaultEpsilonBrr: Double,
    public val defaultEpsilonTem: Double,
    public val outputWords: Int,
    public val publicWords: Int,
    public val unicodeVersion: String,
    public val fileBytes: Long,
    public val hash: String,
)

/** Reads a `hushbit_bundle_info`. */
internal fun bundleInfo(record: Record): BundleInfo {
    val unicode = record.int(52)
    return BundleInfo(
        formatVersion = "${record.int(8)}.${record.int(12)}",
        bits = record.int(16),
        words = record.int(20),
        maxWordBytes = record.int(24),
        maxDistance = record.int(28),
        averageDistance = record.double(32),
        defaultEpsilon = record.double(40),
        defaultEpsilonUnit = epsilonUnit(record.int(132)),
        defaultMechanism = mechanism(record.int(48)),
        defaultCrowdSize = crowdSize(record.int(128)),
        defaultEpsilonBrr = record.double(104),
        defaultEpsilonTem = record.double(112),
        outputWords = record.int(120),
        publicWords = record.int(124),
        unicodeVersion = "${unicode shr 16}.${unicode shr 8 and 0xFF}.${unicode and 0xFF}",
        fileBytes = record.long(56),
        hash = record.bytes.copyOfRange(64, 96).toHex(),
    )
}

private fun ByteArray.toHex(): String = joinToString("") { "%02x".format(it) }
