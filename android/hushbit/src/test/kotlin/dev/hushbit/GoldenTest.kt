package dev.hushbit

import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import java.io.File
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** Every golden vector, byte for byte. */
class GoldenTest {
    @TestFactory
    fun bundles(): List<DynamicTest> = files().map { file -> dynamicTest(file.name) { checkBundle(Json.read(file)) } }

    @TestFactory
    fun cases(): List<DynamicTest> =
        files().flatMap { file ->
            val vectors = Json.read(file)
            val bundle = vectors["bundle"].text
            vectors["cases"].items.map { dynamicTest("$bundle: ${it["name"].text}") { checkCase(bundle, it) } }
        }

    @Test
    fun `the vectors are there`() = assertTrue(files().sumOf { Json.read(it)["cases"].items.size } >= 440)

    @Test
    fun coin() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            for (item in Json.read(File(VECTORS, "coin.json")).items) {
                val epsilon = item["epsilon"].number
                val configuration = PrivatizerConfiguration(mechanism = Mechanism.BRR, epsilon = epsilon)
                val info = bundle.privatizer(configuration).use { it.info }
                assertEquals(item["flip_threshold"].text.toULong(16), info.flipThreshold, "at $epsilon")
                assertClose(item["effective_epsilon"].number, info.effectiveEpsilon, "effective epsilon of $epsilon")
                assertEquals(item["clamped"].boolean, info.clamped)
            }
        }
    }

    @Test
    fun keystream() {
        for (item in Json.read(File(VECTORS, "keystream.json")).items) {
            val bytes = item["bytes"].bytes
            val stream = NativeTesting.keystream(item["seed"].bytes, item["offset"].long, bytes.size)
            assertEquals(bytes.hex(), stream.hex())
        }
    }

    private fun files() = VECTORS.listFiles { file -> file.name.matches(Regex("privatize-.*\\.json")) }!!.sorted()

    private fun checkBundle(vectors: Json) {
        Hushbit.open(vector(vectors["bundle"].text)).use { bundle ->
            val info = bundle.info
            assertEquals(vectors["bundle_hash"].text, info.hash)
            assertEquals(vectors["bits"].int, info.bits)
            assertEquals(vectors["max_distance"].int, info.maxDistance)
            assertEquals(vectors["max_word_bytes"].int, info.maxWordBytes)
            assertClose(vectors["average_distance"].number, info.averageDistance, "average distance")
            if (vectors.has("output_words")) checkCrowdFacts(vectors, info)
            val words = vectors["words"].items.map { it.bytes.decodeToString() }
            assertEquals(words, List(info.words) { bundle.word(it) })
            assertEquals(words.indices.toList(), words.map { bundle.find(it) })
            bundle.verify()
            vectors["nearest"].items.forEach { checkNearest(bundle, it) }
        }
    }

    private fun checkCrowdFacts(
        vectors: Json,
        info: BundleInfo,
    ) {
        assertEquals(vectors["output_words"].int, info.outputWords)
        assertEquals(vectors["public_words"].int, info.publicWords)
        assertEquals(vectors["default_mechanism"].text, info.defaultMechanism.name.lowercase())
        assertEquals(vectors["default_crowd"].takeIf { !it.isNull }?.text, info.defaultCrowd?.name?.lowercase())
        assertEquals(vectors["default_epsilon"].number, info.defaultEpsilon)
        assertEquals(vectors["default_epsilon_brr"].number, info.defaultEpsilonBrr)
        assertEquals(vectors["default_epsilon_tem"].number, info.defaultEpsilonTem)
    }

    private fun checkNearest(
        bundle: Bundle,
        item: Json,
    ) {
        val ids = item["neighbors"]["ids"].items.map { it.int }
        val distances = item["neighbors"]["distances"].items.map { it.int }
        val found = bundle.handle.use { NativeTesting.nearest(it, item["code"].bytes, ids.size) }
        val first = listOf(item["distance"].int, item["ties"].int, item["word"].int)
        assertEquals(first + ids + distances, found.toList())
    }

    private fun checkCase(
        file: String,
        item: Json,
    ) {
        Hushbit.open(vector(file)).use { bundle ->
            bundle.privatizer(configuration(item)).use { privatizer ->
                val text = item["text"].bytes
                if (item["status"].int != 0) {
                    val failure = assertFailsWith<NativeFailure> { release(privatizer, item, text) }
                    assertEquals(item["status"].int, failure.status)
                    assertEquals(item["position"].long, failure.position)
                } else {
                    val (packed, codes) = release(privatizer, item, text)
                    checkResult(item, text, privatizedText(packed))
                    assertEquals(item["noisy_codes"].items.joinToString("") { it.text }, codes.hex())
                    checkInfo(item, privatizer.info)
                    if (privatizer.info.memoized) {
                        assertEquals(
                            item["output"].text,
                            privatizer
                                .privatize(text.decodeToString())
                                .text
                                .toUtf8()
                                .hex(),
                        )
                    }
                }
            }
        }
    }

    private fun checkInfo(
        item: Json,
        info: PrivatizerInfo,
    ) {
        assertEquals(item["mechanism"].text, info.mechanism.name.lowercase())
        assertEquals(item["flip_threshold"].text.toULong(16), info.flipThreshold)
        assertEquals(item["gamma"].int, info.gamma)
        assertEquals(!item["device_key"].isNull, info.memoized)
        if (!item.has("crowd_threshold")) return
        assertEquals(EpsilonUnit.WORD, info.epsilonUnit)
        assertEquals(item["crowd_threshold"].text.toULong(16), info.crowdThreshold)
        assertEquals(item["crowd_mass"].long, info.crowdMass)
        assertEquals(item["output_mass"].long, info.outputMass)
        assertClose(item["mean_crowd"].number, info.meanCrowd, "mean crowd")
    }

    private fun release(
        privatizer: Privatizer,
        item: Json,
        text: ByteArray,
    ): Array<ByteArray> {
        // With a device key randomness is ignored, whatever is given.
        val seed = if (item["device_key"].isNull) item["seed"].takeIf { !it.isNull }?.bytes else ByteArray(32)
        val stream = if (seed == null) item["stream"].bytes else null
        return privatizer.handle.use { NativeTesting.privatize(it, seed, stream, text) }
    }

    private fun configuration(item: Json) =
        PrivatizerConfiguration(
            mechanism = Mechanism.valueOf(item["mechanism"].text.uppercase()),
            epsilon = item["epsilon"].number,
            beta = item["beta"].number,
            oov = OovPolicy.valueOf(item["oov"].text.uppercase().replace('-', '_')),
            punctuation = PunctuationPolicy.valueOf(item["punctuation"].text.uppercase()),
            mask = item["mask"].bytes.decodeToString(),
            memoization =
                item["device_key"].takeIf { !it.isNull }?.let {
                    Memoization(it.bytes, item["epoch"].text.toULong(16).toLong())
                },
            crowd = if (item.has("crowd")) item["crowd"].takeIf { !it.isNull }?.let(::crowdOf) else null,
        )

    private fun crowdOf(name: Json) = Crowd.valueOf(name.text.uppercase())

    private fun checkResult(
        item: Json,
        typed: ByteArray,
        result: PrivatizedText,
    ) {
        val output = result.text.encodeToByteArray()
        assertEquals(item["output"].text, output.hex())
        val text = typed.decodeToString()
        assertEquals(item["tokens"].items.size, result.tokens.size)
        for ((want, token) in item["tokens"].items.zip(result.tokens)) {
            assertEquals(want["kind"].text, token.kind.name.lowercase())
            assertEquals(want["id"].takeIf { !it.isNull }?.int, token.wordId)
            assertEquals(range(want["utf16"]), token.range)
            assertEquals(range(want["bytes"]), utf8Range(text, token.range))
            assertEquals(
                want["output"].takeIf { !it.isNull }?.let(::range),
                token.output?.let { utf8Range(result.text, it) },
            )
        }
        checkCost(item["cost"], result.cost)
    }

    private fun checkCost(
        want: Json,
        cost: Cost,
    ) {
        fun finite(key: String) = want[key].takeIf { !it.isNull }?.number ?: Double.POSITIVE_INFINITY
        assertClose(want["epsilon"].number, cost.epsilon, "epsilon")
        assertClose(finite("average"), cost.average, "average")
        assertClose(finite("worst_case"), cost.worstCase, "worst case")
        assertEquals(want["words"].long, cost.words)
        assertEquals(want["unknown"].long, cost.unknown)
        assertEquals(want["dropped"].long, cost.dropped)
        assertEquals(want["verbatim"].long, cost.verbatim)
        assertEquals(if (want.has("public_words")) want["public_words"].long else 0, cost.publicWords)
    }

    private fun range(pair: Json): IntRange = pair.items[0].int until pair.items[1].int

    private fun utf8Range(
        text: String,
        range: IntRange,
    ): IntRange {
        val begin = text.substring(0, range.first).encodeToByteArray().size
        val size = text.substring(range).encodeToByteArray().size
        assertTrue(size > 0)
        return begin until begin + size
    }
}
