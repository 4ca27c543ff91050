package dev.hushbit

import java.io.File
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

private const val EMBEDDING = "embed-64.hushbit"

/** Golden vectors of embeddings (tests/vectors/README.md). */
internal object GoldenEmbeddings {
    fun names(): List<String> = vectorNames().filter { it.matches(Regex("embed-[0-9]+\\.json")) }.sorted()

    fun options(item: Json) =
        EmbedderOptions(
            epsilon = item["epsilon"].number,
            punctuation = PunctuationPolicy.valueOf(item["punctuation"].text.uppercase()),
            memoization =
                item["device_key"].takeIf { !it.isNull }?.let {
                    Memoization(it.bytes, item["epoch"].text.toULong(16).toLong())
                },
        )

    fun check(
        item: Json,
        info: EmbedderInfo,
        embedding: Embedding,
    ) {
        assertEquals(item["crowd_threshold"].text.toULong(16), info.crowdThreshold)
        assertEquals(item["crowd_directions"].int, info.crowdDirections)
        assertEquals(!item["device_key"].isNull, info.memoized)
        assertClose(item["effective_epsilon"].number, info.effectiveEpsilon, "effective epsilon")
        assertEquals(item["index"].int, embedding.index)
        assertEquals(item["signs"].text.toULong(16), embedding.signs)
        assertEquals(info.dimensions, embedding.dimensions)
        assertEquals(info.effectiveEpsilon, embedding.epsilon)
    }
}

/** Embedding of whole texts by the public interface. */
class EmbedderTest {
    @Test
    fun casesWithADeviceKey() {
        val files = GoldenEmbeddings.names().map(Golden::read)
        assertEquals(2, files.size)
        for (vectors in files) {
            Hushbit.open(vector(vectors["bundle"].text)).use { bundle ->
                bundle.embedder().use {
                    assertEquals(vectors["bundle_hash"].text, it.info.hash)
                    assertEquals(vectors["dimensions"].int, it.info.dimensions)
                    assertEquals(vectors["directions"].int, it.info.directions)
                    assertEquals(vectors["seed"].text.toULong(16), it.info.seed)
                }
                val repeatable = vectors["cases"].items.filter { !it["device_key"].isNull && it["status"].int == 0 }
                assertTrue(repeatable.isNotEmpty())
                for (item in repeatable) {
                    bundle.embedder(GoldenEmbeddings.options(item)).use { embedder ->
                        val text = item["text"].bytes.decodeToString()
                        repeat(2) { GoldenEmbeddings.check(item, embedder.info, embedder.embed(text)) }
                    }
                }
            }
        }
    }

    @Test
    fun anEmbeddingIsAValue() {
        Hushbit.open(vector(EMBEDDING)).use { bundle ->
            bundle.embedder(EmbedderOptions(memoization = Memoization(ByteArray(32)))).use { embedder ->
                val embedding = embedder.embed("the movie was not bad at all")
                assertEquals(embedding, embedder.embed("the movie was not bad at all"))
                assertEquals(embedding.hashCode(), embedder.embed("the movie was not bad at all").hashCode())
                assertEquals(32, embedding.direction().size)
                assertTrue(embedding.direction().all { it == 1.0 || it == -1.0 })
                assertTrue(embedding.index in 0 until embedder.info.directions)
            }
        }
    }

    @Test
    fun nearestWordsAreWordsInOrder() {
        Hushbit.open(vector(EMBEDDING)).use { bundle ->
            bundle.embedder().use { embedder ->
                val near = embedder.nearestWords(embedder.embed("the cat").direction(), 5)
                assertEquals(5, near.size)
                assertEquals(near.sortedByDescending { it.cosine }, near)
                near.forEach { assertTrue(bundle.word(it.wordId).isNotEmpty()) }
                assertFailsWith<HushbitException.InvalidArgument> { embedder.nearestWords(DoubleArray(3)) }
                assertFailsWith<HushbitException.InvalidArgument> { embedder.nearestWords(DoubleArray(32), 0) }
            }
        }
    }

    @Test
    fun refusals() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            assertFailsWith<HushbitException.InvalidArgument> { bundle.embedder() }
        }
        Hushbit.open(vector(EMBEDDING)).use { bundle ->
            for (epsilon in listOf(-1.0, Double.NaN, Double.POSITIVE_INFINITY)) {
                assertFailsWith<HushbitException.InvalidArgument> { bundle.embedder(EmbedderOptions(epsilon)) }
            }
            val embedder = bundle.embedder()
            assertFailsWith<HushbitException.InvalidText> { embedder.embed("half \uD83D") }
            repeat(2) { embedder.close() }
            assertFailsWith<IllegalStateException> { embedder.embed("the cat") }
            assertEquals(2.0, embedder.info.requestedEpsilon)
        }
    }

    @Test
    fun aTextCostsItsEpsilonAndOneToken() {
        val ledger = File(emptyDirectory(), "budget").path
        Budget.open(ledger, BudgetLimits(worstCaseLifetime = 4.0)).use { budget ->
            Hushbit.open(vector(EMBEDDING)).use { bundle ->
                bundle.embedder(EmbedderOptions(budget = budget)).use { embedder ->
                    embedder.embed("the movie was not bad at all")
                    embedder.embed("")
                    assertFailsWith<HushbitException.BudgetExhausted> { embedder.embed("the cat") }
                }
            }
            assertEquals(4.0, budget.state().worstCaseLifetime)
            assertEquals(2, budget.state().tokensLifetime)
            assertEquals(2, budget.state().textsToday)
            assertEquals(2, budget.state().textsLifetime)
        }
    }
}
