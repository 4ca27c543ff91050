package dev.hushbit

import androidx.annotation.WorkerThread

/**
 * A vocabulary and its codes, mapped read-only from a file. Created by [Hushbit.open].
 *
 * Immutable. Any number of threads may use the same bundle at once. [close] waits for calls in progress and may be
 * called more than once. Privatizers keep working after it: the file is unmapped when the last of them is closed too.
 * All other methods then throw [IllegalStateException].
 */
public class Bundle internal constructor(
    pointer: Long,
) : AutoCloseable {
    internal val handle = Handle(pointer, "Bundle", Native::bundleClose)

    /** The contents of the header. Stays readable after [close]. */
    public val info: BundleInfo = handle.use { bundleInfo(Record(Native.bundleInfo(it))) }

    /** The bundle's JSON description of itself: source, license, binarizer, calibration. */
    public val meta: String
        get() = handle.use { Native.bundleMeta(it) }.decodeToString()

    /**
     * Creates a privatizer that draws words from this bundle.
     *
     * @throws HushbitException.InvalidArgument for an epsilon that is negative or not finite, a missing epsilon for a
     *     mechanism without a default in the bundle, a beta outside (0, 1), a mask that is empty or longer than 64
     *     bytes, or a path with a NUL.
     * @throws HushbitException.StorageFailed for an audit log that cannot be opened.
     * @throws IllegalStateException if this bundle or the budget of the options is closed.
     */
    @JvmOverloads
    public fun privatizer(options: PrivatizerOptions = PrivatizerOptions()): Privatizer =
        handle.use { bundle -> Privatizer(createPrivatizer(bundle, info, options)) }

    /**
     * Creates an embedder, which releases what a whole text is about.
     *
     * @throws HushbitException.InvalidArgument for an epsilon that is negative or not finite, if the bundle has no
     *     embedding, or a path with a NUL.
     * @throws HushbitException.StorageFailed for an audit log that cannot be opened.
     * @throws IllegalStateException if this bundle or the budget of the options is closed.
     */
    @JvmOverloads
    public fun embedder(options: EmbedderOptions = EmbedderOptions()): Embedder =
        handle.use { bundle -> Embedder(createEmbedder(bundle, options)) }

    /**
     * Creates a reporter, which releases one report about one value of a whole text.
     *
     * @throws HushbitException.InvalidArgument for an epsilon outside 0.01 to 16, a list with fewer than 2 values, or
     *     with one that is empty, there twice, or has a line break, or a path with a NUL.
     * @throws HushbitException.StorageFailed for an audit log that cannot be opened.
     * @throws IllegalStateException if this bundle or the budget of the options is closed.
     */
    @JvmOverloads
    public fun reporter(options: ReporterOptions = ReporterOptions()): Reporter =
        handle.use { bundle -> Reporter(createReporter(bundle, options)) }

    /**
     * The tokens of a text, in order. They have no output range.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     */
    public fun tokenize(text: String): List<Token> {
        val utf8 = text.toUtf8()
        return handle.use { translated { privatizedText(Native.tokenize(it, utf8)) } }.tokens
    }

    /** The id of a word, its rank in byte order, or null. The word must be spelled exactly as in the vocabulary. */
    public fun find(word: String): Int? {
        val utf8 = word.toUtf8()
        return handle.use { translated { Native.bundleFind(it, utf8) } }.takeIf { it >= 0 }
    }

    /** The word of an id, 0 to the number of words - 1. Throws [HushbitException.InvalidArgument] for another one. */
    public fun word(id: Int): String = handle.use { translated { Native.bundleWord(it, id) } }.decodeToString()

    /**
     * Reads every byte and checks every hash; takes up to a second. Opening checks only the structure, so verify a file
     * from a network once.
     *
     * @throws HushbitException.CorruptBundle if one does not match.
     */
    @WorkerThread
    public fun verify() {
        noteSlow("Bundle.verify")
        handle.use { translated { Native.bundleVerify(it) } }
    }

    override fun close(): Unit = handle.close()

    override fun toString(): String = "Bundle(${info.hash.take(12)}, ${info.words} words, ${info.bits} bits)"
}
