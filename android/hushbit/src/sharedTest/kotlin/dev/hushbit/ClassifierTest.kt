package dev.hushbit

import kotlin.math.exp
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** Learned weights on typed texts, and vectors of one's own, against the golden vectors (tests/vectors/README.md). */
class ClassifierTest {
    @Test
    fun typedTexts() {
        val vectors = Golden.read("classify.json")
        Hushbit.open(vector(vectors["bundle"].text)).use { bundle ->
            bundle.embedder().use { embedder ->
                embedder.classifier(vectors["weights"].bytes.decodeToString()).use { classifier ->
                    assertEquals(vectors["classes"].items.map { it.bytes.decodeToString() }, classifier.classes)
                    vectors["cases"].items.forEach { checkCase(classifier, it) }
                }
                for (item in vectors["refused"].items) {
                    assertFailsWith<HushbitException.InvalidArgument>(item["name"].text) {
                        embedder.classifier(item["weights"].bytes.decodeToString())
                    }
                }
            }
        }
    }

    @Test
    fun vectorsOfOnesOwn() {
        val vectors = Golden.read("embed-vectors.json")
        val projection = vectors["projection"].bytes
        Embedder.ofProjection(projection).use { embedder ->
            assertEquals(vectors["hash"].text, embedder.info.hash)
            assertEquals(vectors["input_numbers"].int, embedder.info.inputNumbers)
            assertFailsWith<HushbitException.InvalidArgument> { embedder.embedVector(FloatArray(3)) }
            val infinite = FloatArray(embedder.info.inputNumbers) { Float.POSITIVE_INFINITY }
            assertFailsWith<HushbitException.InvalidArgument> { embedder.embedVector(infinite) }
        }
        val repeatable = vectors["cases"].items.filter { !it["device_key"].isNull && it["status"].int == 0 }
        assertTrue(repeatable.isNotEmpty())
        for (item in repeatable) {
            val memoization = Memoization(item["device_key"].bytes, item["epoch"].text.toULong(16).toLong())
            Embedder.ofProjection(projection, EmbedderOptions(item["epsilon"].number, memoization = memoization)).use {
                val numbers = item["numbers"].items.map { number -> number.number.toFloat() }.toFloatArray()
                val embedding = it.embedVector(numbers)
                assertEquals(item["index"].int, embedding.index, item["name"].text)
                assertEquals(item["signs"].text.toULong(16), embedding.signs)
            }
        }
        assertFailsWith<HushbitException.InvalidArgument> { Embedder.ofProjection(projection.copyOf(7)) }
    }

    private fun checkCase(
        classifier: Classifier,
        item: Json,
    ) {
        val classified = classifier.classify(item["text"].bytes.decodeToString())
        assertEquals(classifier.classes[item["best"].int], classified.name, item["name"].text)
        val odds = item["log_odds"].items.map { it.number }
        val shares = odds.map { exp(it - odds.max()) }
        val probabilities = shares.map { it / shares.sum() }
        probabilities.zip(classified.probabilities).forEach { (want, found) -> assertEquals(want, found, 1e-9) }
    }
}
