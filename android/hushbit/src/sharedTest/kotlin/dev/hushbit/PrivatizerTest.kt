package dev.hushbit

import kotlin.test.AfterTest
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertFalse
import kotlin.test.assertNotNull
import kotlin.test.assertTrue

/** Texts that go wrong elsewhere, and arguments out of range. */
class PrivatizerTest {
    private val bundle = Hushbit.open(vector(WORDS))

    @AfterTest
    fun close() = bundle.close()

    private fun verbatim() = bundle.privatizer(PrivatizerOptions(oov = OovPolicy.VERBATIM_UNSAFE))

    @Test
    fun emojiAndEmbeddedNulCrossTheBridgeBothWays() {
        val typed = "zq\uD83D\uDE00x \u0000zq\u0000 \uD83D\uDE80"
        verbatim().use { privatizer ->
            val result = privatizer.privatize(typed)
            assertTrue(result.tokens.isNotEmpty())
            for (token in result.tokens) {
                val output = token.output ?: continue
                if (token.kind != TokenKind.UNKNOWN) continue
                assertEquals(typed.substring(token.range), result.text.substring(output))
            }
            assertTrue("zq" in result.text)
        }
        assertEquals(typed, String(typed.toUtf8(), Charsets.UTF_8))
    }

    @Test
    fun rangesAreUtf16CodeUnitsBehindSurrogatePairs() {
        val typed = "\uD83D\uDE00 the \uD83D\uDE00\uD83D\uDE00 cat"
        val words = bundle.tokenize(typed).filter { it.kind == TokenKind.WORD }.map { typed.substring(it.range) }
        assertEquals(listOf("the", "cat"), words)
    }

    @Test
    fun maskOutsideTheBmpKeepsOutputRangesRight() {
        val options = PrivatizerOptions(oov = OovPolicy.MASK, mask = "\uD83D\uDE48")
        bundle.privatizer(options).use { privatizer ->
            val result = privatizer.privatize("qzxv the qzxw cat")
            val unknown = result.tokens.filter { it.kind == TokenKind.UNKNOWN }
            val masked = unknown.map { result.text.substring(it.output!!) }
            assertEquals(listOf("\uD83D\uDE48", "\uD83D\uDE48"), masked)
            for (token in result.tokens.filter { it.kind == TokenKind.WORD }) {
                assertNotNull(bundle.find(result.text.substring(token.output!!)))
            }
        }
    }

    @Test
    fun halfOfASurrogatePairIsRefusedWhereItStands() {
        bundle.privatizer().use { privatizer ->
            for ((text, position) in listOf(
                "a\uD83D" to 1L,
                "\uDE00b" to 0L,
                "\uD83D\uDE00\uD83D x" to 2L,
                "\uDE00\uD83D" to 0L,
            )) {
                val failure = assertFailsWith<HushbitException.InvalidText> { privatizer.privatize(text) }
                assertEquals(position, failure.position)
                assertFailsWith<HushbitException.InvalidText> { bundle.tokenize(text) }
                assertFailsWith<HushbitException.InvalidText> { bundle.find(text) }
            }
        }
    }

    @Test
    fun emptyTextGivesAnEmptyText() {
        bundle.privatizer().use { privatizer ->
            for (text in listOf("", " ", "\n\t")) assertEquals("", privatizer.privatize(text).text)
        }
    }

    @Test
    fun longTextGoesThrough() {
        val text = "the men were with the women. ".repeat(2_000)
        bundle.privatizer().use { privatizer ->
            val result = privatizer.privatize(text)
            assertEquals(12_000, result.cost.words)
            assertEquals(12_000, result.text.count { it == ' ' } + 1)
        }
    }

    @Test
    fun errorPolicyNamesThePlaceButNotTheWord() {
        bundle.privatizer(PrivatizerOptions(oov = OovPolicy.ERROR)).use { privatizer ->
            val failure =
                assertFailsWith<HushbitException.UnknownWord> { privatizer.privatize("\uD83D\uDE00 the qzxv") }
            assertEquals(7, failure.position)
            assertFalse("qzxv" in failure.message!!)
            val second =
                assertFailsWith<HushbitException.UnknownWord> { privatizer.privatize("\u00FCber the q\u00E9xv") }
            assertEquals(9, second.position)
            val third = assertFailsWith<HushbitException.UnknownWord> { privatizer.privatize("the cat, qz\u00FCxv") }
            assertEquals(9, third.position)
        }
    }

    @Test
    fun outOfRangeArgumentsAreRefused() {
        val refused =
            listOf(
                PrivatizerOptions(epsilon = -0.1),
                PrivatizerOptions(epsilon = Double.NaN),
                PrivatizerOptions(epsilon = Double.POSITIVE_INFINITY),
                PrivatizerOptions(mechanism = Mechanism.TEM), // the bundle's epsilon is meant for BRR
                PrivatizerOptions(mechanism = Mechanism.TEM, epsilon = 0.05, beta = 0.0),
                PrivatizerOptions(mechanism = Mechanism.TEM, epsilon = 0.05, beta = 1.0),
                PrivatizerOptions(mechanism = Mechanism.TEM, epsilon = 0.05, beta = Double.NaN),
                PrivatizerOptions(mechanism = Mechanism.TEM, epsilon = 6.0), // leaves every word as it was typed
                PrivatizerOptions(oov = OovPolicy.MASK, mask = ""),
                PrivatizerOptions(oov = OovPolicy.MASK, mask = "x".repeat(65)),
                PrivatizerOptions(auditLog = "a\u0000b"),
            )
        for (options in refused) {
            val failure = assertFailsWith<HushbitException.InvalidArgument> { bundle.privatizer(options) }
            assertTrue(failure.message!!.isNotBlank())
        }
        bundle.privatizer(PrivatizerOptions(Mechanism.TEM, 6.0, allowUnchanged = true)).close()
        for (id in listOf(-1, bundle.info.words, Int.MAX_VALUE, Int.MIN_VALUE)) {
            assertFailsWith<HushbitException.InvalidArgument> { bundle.word(id) }
        }
        for (size in listOf(0, 31, 33)) {
            assertFailsWith<HushbitException.InvalidArgument> { Memoization(ByteArray(size)) }
        }
        assertFailsWith<HushbitException.InvalidText> {
            PrivatizerOptions(
                mask = "\uD83D",
            ).let(bundle::privatizer)
        }
        assertFailsWith<HushbitException.StorageFailed> {
            bundle.privatizer(PrivatizerOptions(auditLog = "/nowhere/at/all"))
        }
    }

    @Test
    fun memoizedNoiseRepeatsWithinAnEpochAndOnlyThere() {
        val text = "time after time the men were with the women by the river"

        fun release(
            key: Byte,
            epoch: Long,
        ): String {
            val memoization = Memoization(ByteArray(32) { key }, epoch)
            val options = PrivatizerOptions(epsilon = 0.1, memoization = memoization)
            return bundle.privatizer(options).use {
                assertTrue(it.info.memoized)
                it.privatize(text).text
            }
        }
        assertEquals(release(1, 5), release(1, 5))
        // At this epsilon words hardly ever stay: two of these are the same text with a chance far below 2^-32.
        assertEquals(4, setOf(release(1, 5), release(1, 6), release(1, -1), release(2, 5)).size)
    }

    @Test
    fun freshNoiseDiffersFromCallToCall() {
        bundle.privatizer(PrivatizerOptions(epsilon = 0.0)).use { privatizer ->
            assertFalse(privatizer.info.memoized)
            assertEquals(
                8,
                List(8) {
                    privatizer.privatize("the men were with the women by the river")
                }.map { it.text }.toSet().size,
            )
        }
    }

    @Test
    fun toStringTellsNothingThatWasTyped() {
        verbatim().use { privatizer ->
            val result = privatizer.privatize("secretword")
            assertFalse("secretword" in result.toString() + result.tokens + result.cost + privatizer + bundle)
        }
    }

    @Test
    fun resultsAreValues() {
        fun made() = bundle.privatizer(PrivatizerOptions(epsilon = 0.1)).use { it.info to it.privatize("the cat").cost }
        assertEquals(made(), made())
        assertEquals(1, setOf(made(), made()).size)
        assertEquals(bundle.tokenize("the cat"), bundle.tokenize("the cat"))
        assertEquals(BudgetLimits(tokensPerDay = 3), BudgetLimits(tokensPerDay = 3))
    }
}
