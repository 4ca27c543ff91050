package dev.hushbit

/**
 * What a bundle's header says.
 *
 * @property formatVersion of the file format, "major.minor".
 * @property bits of a code: 64, 128, 256 or 512.
 * @property words in the vocabulary, 1 or more.
 * @property maxWordBytes of the longest word, in UTF-8.
 * @property maxDistance no two codes differ in more bits.
 * @property averageDistance the mean Hamming distance over all ordered pairs of words, self-pairs included.
 * @property defaultEpsilon per differing bit: what the bundle was calibrated to.
 * @property defaultMechanism the mechanism it was calibrated for.
 * @property unicodeVersion of the tokenizer that the vocabulary was built for, "major.minor.update".
 * @property fileBytes size of the bundle.
 * @property hash the SHA-256 in hexadecimal that names the bundle; it covers every byte.
 */
public class BundleInfo internal constructor(
    public val formatVersion: String,
    public val bits: Int,
    public val words: Int,
    public val maxWordBytes: Int,
    public val maxDistance: Int,
    public val averageDistance: Double,
    public val defaultEpsilon: Double,
    public val defaultMechanism: Mechanism,
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
        defaultMechanism = mechanism(record.int(48)),
        unicodeVersion = "${unicode shr 16}.${unicode shr 8 and 0xFF}.${unicode and 0xFF}",
        fileBytes = record.long(56),
        hash = record.bytes.copyOfRange(64, 96).toHex(),
    )
}

private fun ByteArray.toHex(): String = joinToString("") { "%02x".format(it) }
