package dev.hushbit

import kotlin.math.exp

/**
 * Weights that were learned from many people's embeddings, for texts on the device. Created by [Embedder.classifier].
 *
 * Nothing is released and nothing is spent. What it says tells much about a text, so it must not be sent. Any number of
 * threads may use the same classifier at once. [close] may be called more than once; later calls throw
 * [IllegalStateException].
 */
public class Classifier internal constructor(
    pointer: Long,
) : AutoCloseable {
    private val handle = Handle(pointer, "Classifier", NativeWholeTexts::classifierClose)

    /** The names of the classes. Stays readable after [close]. */
    public val classes: List<String> =
        handle.use { native ->
            generateSequence(0) { it + 1 }
                .map { NativeWholeTexts.classifierName(native, it) }
                .takeWhile { it != null }
                .map { it!!.decodeToString() }
                .toList()
        }

    /**
     * The class of a text as typed.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     * @throws HushbitException.CorruptBundle if the bundle is damaged where it was read.
     */
    public fun classify(text: String): Classified {
        val utf8 = text.toUtf8()
        return classified { native, odds -> NativeWholeTexts.classify(native, utf8, odds) }
    }

    /**
     * The class of a vector of your own, as in [Embedder.embedVector].
     *
     * @throws HushbitException.InvalidArgument for another number of numbers, or one that is not finite.
     */
    public fun classifyVector(vector: FloatArray): Classified {
        val bytes = floatBytes(vector)
        return classified { native, odds -> NativeWholeTexts.classifyVector(native, bytes, odds) }
    }

    override fun close(): Unit = handle.close()

    override fun toString(): String = "Classifier($classes)"

    private fun classified(classify: (Long, DoubleArray) -> Int): Classified {
        val odds = DoubleArray(classes.size)
        val best = handle.use { native -> translated { classify(native, odds) } }
        val shares = odds.map { exp(it - odds[best]) }
        val sum = shares.sum()
        return Classified(classes[best], shares.map { it / sum })
    }
}

/**
 * What a classifier says of a text.
 *
 * @property name the most likely class.
 * @property probabilities of all classes, in the order of [Classifier.classes].
 */
@ConsistentCopyVisibility
public data class Classified internal constructor(
    public val name: String,
    public val probabilities: List<Double>,
)
