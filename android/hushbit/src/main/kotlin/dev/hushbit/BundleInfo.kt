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
@ConsistentCopyVisibility
public data class BundleInfo internal constructor(
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
    val unicode = record.int(BundleInfoLayout.UNICODE_VERSION)
    return BundleInfo(
        formatVersion = "${record.int(BundleInfoLayout.FORMAT_MAJOR)}.${record.int(BundleInfoLayout.FORMAT_MINOR)}",
        bits = record.int(BundleInfoLayout.BITS),
        words = record.int(BundleInfoLayout.WORDS),
        maxWordBytes = record.int(BundleInfoLayout.MAX_WORD_BYTES),
        maxDistance = record.int(BundleInfoLayout.MAX_DISTANCE),
        averageDistance = record.double(BundleInfoLayout.AVERAGE_DISTANCE),
        defaultEpsilon = record.double(BundleInfoLayout.DEFAULT_EPSILON),
        defaultEpsilonUnit = epsilonUnit(record.int(BundleInfoLayout.DEFAULT_EPSILON_UNIT)),
        defaultMechanism = mechanism(record.int(BundleInfoLayout.DEFAULT_MECHANISM)),
        defaultCrowdSize = crowdSize(record.int(BundleInfoLayout.DEFAULT_CROWD_SIZE)),
        defaultEpsilonBrr = record.double(BundleInfoLayout.DEFAULT_EPSILON_BRR),
        defaultEpsilonTem = record.double(BundleInfoLayout.DEFAULT_EPSILON_TEM),
        outputWords = record.int(BundleInfoLayout.OUTPUT_WORDS),
        publicWords = record.int(BundleInfoLayout.PUBLIC_WORDS),
        unicodeVersion = "${unicode shr 16}.${unicode shr 8 and 0xFF}.${unicode and 0xFF}",
        fileBytes = record.long(BundleInfoLayout.FILE_BYTES),
        hash = record.hex(BundleInfoLayout.HASH, 32),
    )
}
