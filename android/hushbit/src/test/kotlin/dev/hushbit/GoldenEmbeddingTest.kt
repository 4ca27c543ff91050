package dev.hushbit

import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith

/** Every golden vector of embeddings, with the randomness of its seed. */
class GoldenEmbeddingTest {
    @TestFactory
    fun cases(): List<DynamicTest> =
        GoldenEmbeddings.names().map(Golden::read).flatMap { vectors ->
            val bundle = vectors["bundle"].text
            vectors["cases"].items.map { dynamicTest("$bundle: ${it["name"].text}") { checkCase(bundle, it) } }
        }

    private fun checkCase(
        file: String,
        item: Json,
    ) {
        Hushbit.open(vector(file)).use { bundle ->
            bundle.embedder(GoldenEmbeddings.options(item)).use { embedder ->
                val text = item["text"].bytes
                if (item["status"].int != 0) {
                    val failure = assertFailsWith<NativeFailure> { release(embedder, item, text) }
                    assertEquals(item["status"].int, failure.status)
                    assertEquals(item["position"].long, failure.position)
                } else {
                    GoldenEmbeddings.check(item, embedder.info, embedding(Record(release(embedder, item, text))))
                }
            }
        }
    }

    private fun release(
        embedder: Embedder,
        item: Json,
        text: ByteArray,
    ): ByteArray {
        // With a device key randomness is ignored, whatever is given.
        val seed = if (item["device_key"].isNull) item["seed"].takeIf { !it.isNull }?.bytes else ByteArray(32)
        val stream = if (seed == null) item["stream"].bytes else null
        return embedder.handle.use { NativeTesting.embed(it, seed, stream, text) }
    }
}
