package dev.hushbit

/**
 * A vocabulary and its codes, mapped read-only from a file. Made by [Hushbit.open].
 *
 * Immutable; any number of threads may use one at once. [close] waits for calls in progress, may be called again, and
 * leaves privatizers working: the file is unmapped when the last of them is closed too. Everything else then throws
 * [IllegalStateException].
 */
public class Bundle internal constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Bundle", Native::bundleClose)

    /** What the header says. Stays readable after [close]. */
    public val info: BundleInfo = handle.use { bundleInfo(Record(Native.bundleInfo(it))) }

    /** The bundle's JSON description of itself: source, license, binarizer, calibration. */
    public val meta: String
        get() = handle.use { Native.bundleMeta(it) }.decodeToString()

    /**
     * A privatizer that draws its words from this bundle.
     *
     * @throws HushbitException.InvalidArgument for an epsilon that is negative or not finite, none for a mechanism that
     *     is not the bundle's, a beta outside (0, 1), a mask that is empty or longer than 64 bytes, or a path with a
     *     NUL.
     * @throws HushbitException.Storage for an audit log that cannot be opened.
     * @throws IllegalStateException if this bundle or the configured budget is closed.
     */
    @JvmOverloads
    public fun privatizer(configuration: PrivatizerConfiguration = PrivatizerConfiguration()): Privatizer =
        handle.use { bundle -> Privatizer(createPrivatizer(bundle, info, configuration)) }

    /**
     * The tokens of a text, in order; none has an output range.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     */
    public fun tokenize(text: String): List<Token> {
        val utf8 = text.toUtf8()
        return handle.use { translated { privatizedText(Native.tokenize(it, utf8)) } }.tokens
    }

    /** The id of a word exactly as spelled in the vocabulary, its rank in byte order, or null. */
    public fun find(word: String): Int? {
        val utf8 = word.toUtf8()
        return handle.use { translated { Native.bundleFind(it, utf8) } }.takeIf { it >= 0 }
    }

    /** The word of an id. [HushbitException.InvalidArgument] unless it is 0 to [BundleInfo.words] - 1. */
    public fun word(id: Int): String = handle.use { translated { Native.bundleWord(it, id) } }.decodeToString()

    /**
     * Reads every byte and checks every hash; takes up to a second. Opening checks the structure only, so
     * verify a file that came over a network once.
     *
     * @throws HushbitException.CorruptBundle if one does not fit.
     */
    public fun verify(): Unit = handle.use { translated { Native.bundleVerify(it) } }

    override fun close(): Unit = handle.close()

    override fun toString(): String = "Bundle(${info.hash.take(12)}, ${info.words} words, ${info.bits} bits)"
}
