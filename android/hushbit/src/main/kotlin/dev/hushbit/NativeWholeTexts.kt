package dev.hushbit

/**
 * The native methods about whole texts, with the rules of [Native]. Vectors are the bytes of numbers of type float,
 * directions those of numbers of type double.
 */
internal object NativeWholeTexts {
    init {
        Native.version() // which loads the library; that registers these methods, too
    }

    @JvmStatic
    external fun embedderCreate(
        bundle: Long,
        epsilon: Double,
        punctuation: Int,
        deviceKey: ByteArray?,
        epoch: Long,
        budget: Long,
        auditLog: ByteArray?,
    ): Long

    @JvmStatic
    external fun embedderCreateFromProjection(
        projection: ByteArray,
        epsilon: Double,
        deviceKey: ByteArray?,
        epoch: Long,
        budget: Long,
        auditLog: ByteArray?,
    ): Long

    @JvmStatic
    external fun embedderDestroy(embedder: Long)

    @JvmStatic
    external fun embedderInfo(embedder: Long): ByteArray

    @JvmStatic
    external fun embed(
        embedder: Long,
        text: ByteArray,
    ): ByteArray

    @JvmStatic
    external fun embedVector(
        embedder: Long,
        vector: ByteArray,
    ): ByteArray

    /** Fills [ids] and [cosines]. */
    @JvmStatic
    external fun embedderNearestWords(
        embedder: Long,
        direction: ByteArray,
        ids: IntArray,
        cosines: DoubleArray,
    )

    @JvmStatic
    external fun classifierOpen(
        embedder: Long,
        weights: ByteArray,
    ): Long

    @JvmStatic
    external fun classifierClose(classifier: Long)

    /** Null beyond the last class. */
    @JvmStatic
    external fun classifierName(
        classifier: Long,
        index: Int,
    ): ByteArray?

    /** The best class; fills [logOdds]. */
    @JvmStatic
    external fun classify(
        classifier: Long,
        text: ByteArray,
        logOdds: DoubleArray,
    ): Int

    @JvmStatic
    external fun classifyVector(
        classifier: Long,
        vector: ByteArray,
        logOdds: DoubleArray,
    ): Int

    /** [bundle] may be 0 for emoji and lists. */
    @JvmStatic
    external fun reporterCreate(
        bundle: Long,
        values: Int,
        epsilon: Double,
        punctuation: Int,
        skinTones: Boolean,
        none: Boolean,
        list: ByteArray,
        passOver: ByteArray,
        deviceKey: ByteArray?,
        epoch: Long,
        budget: Long,
        auditLog: ByteArray?,
    ): Long

    @JvmStatic
    external fun reporterDestroy(reporter: Long)

    @JvmStatic
    external fun reporterInfo(reporter: Long): ByteArray

    @JvmStatic
    external fun reporterValue(
        reporter: Long,
        value: Int,
        capacity: Int,
    ): ByteArray

    @JvmStatic
    external fun reportText(
        reporter: Long,
        text: ByteArray,
    ): ByteArray

    @JvmStatic
    external fun reportWord(
        reporter: Long,
        word: ByteArray,
    ): ByteArray

    @JvmStatic
    external fun reportValue(
        reporter: Long,
        value: Int,
    ): ByteArray
}
