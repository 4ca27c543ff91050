package dev.hushbit

import java.io.File
import kotlin.math.abs
import kotlin.test.assertEquals
import kotlin.test.assertTrue

internal const val WORDS = "words-256.hushbit"

/** The golden vectors (tests/vectors/README.md), and what must agree with them. */
internal object Golden {
    /** The files with calls of privatize. */
    fun names(): List<String> = vectorNames().filter { it.matches(Regex("privatize-.*\\.json")) }.sorted()

    fun read(name: String): Json = Json.read(File(vector(name)))

    fun checkBundle(
        vectors: Json,
        bundle: Bundle,
    ) {
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
    }

    private fun checkCrowdFacts(
        vectors: Json,
        info: BundleInfo,
    ) {
        assertEquals(vectors["output_words"].int, info.outputWords)
        assertEquals(vectors["public_words"].int, info.publicWords)
        assertEquals(vectors["default_mechanism"].text, info.defaultMechanism.name.lowercase())
        assertEquals(vectors["default_crowd"].takeIf { !it.isNull }?.text, info.defaultCrowdSize?.name?.lowercase())
        assertEquals(vectors["default_epsilon"].number, info.defaultEpsilon)
        assertEquals(vectors["default_epsilon_brr"].number, info.defaultEpsilonBrr)
        assertEquals(vectors["default_epsilon_tem"].number, info.defaultEpsilonTem)
    }

    /** The privatizer of a case. */
    fun options(item: Json) =
        PrivatizerOptions(
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
            crowdSize = if (item.has("crowd")) item["crowd"].takeIf { !it.isNull }?.let(::crowdOf) else null,
            allowUnchanged = true,
        )

    private fun crowdOf(name: Json) = CrowdSize.valueOf(name.text.uppercase())

    fun checkInfo(
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

    fun checkResult(
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

internal fun ByteArray.hex(): String = joinToString("") { "%02x".format(it) }

internal fun assertClose(
    expected: Double,
    actual: Double,
    what: String,
) = assertTrue(expected == actual || abs(expected - actual) <= 1e-12 * abs(expected), "$what: $actual, not $expected")
