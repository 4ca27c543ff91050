package dev.hushbit

import java.io.File
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** Reports by the public interface, and the golden vectors (tests/vectors/README.md) that have a device key. */
class ReporterTest {
    @Test
    fun casesWithADeviceKey() {
        val repeatable = Golden.read("reports.json")["cases"].items.filter { !it["device_key"].isNull }
        assertTrue(repeatable.size >= 50)
        for ((file, cases) in repeatable.groupBy { bundleOf(it) }) {
            Hushbit.open(vector(file)).use { bundle -> cases.forEach { checkCase(bundle, it) } }
        }
    }

    @Test
    fun valuesHaveSpellings() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            bundle.reporter(ReporterOptions(Values.Listed(listOf("yes", "no")), none = true)).use { answers ->
                assertEquals(listOf("", "yes", "no"), List(3) { answers.value(it) })
                assertEquals(3, answers.info.valueCount)
                assertFailsWith<HushbitException.InvalidArgument> { answers.value(3) }
            }
            bundle.reporter(ReporterOptions(Values.Emoji)).use { emoji ->
                assertEquals("", emoji.value(0))
                assertTrue(emoji.value(1).isNotEmpty())
            }
            bundle.reporter().use { words -> assertTrue(bundle.find(words.value(1)) != null) }
        }
    }

    @Test
    fun aReportIsAValueAndALineOfJson() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            bundle.reporter(ReporterOptions(memoization = Memoization(ByteArray(32)))).use { reporter ->
                val report = reporter.report("the movie was not bad at all")
                assertEquals(report, reporter.report("the movie was not bad at all"))
                assertEquals(report.values, reporter.info.hash.take(16))
                val values = report.values
                val json = """{"report": ${report.report}, "values": "$values", "epsilon": 2.0, "version": 1}"""
                assertEquals(json, report.toJson())
            }
        }
    }

    @Test
    fun refusals() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            val wrong =
                listOf(
                    ReporterOptions(epsilon = 0.0),
                    ReporterOptions(epsilon = 17.0),
                    ReporterOptions(Values.Listed(listOf("only"))),
                    ReporterOptions(Values.Listed(listOf("a", "a"))),
                    ReporterOptions(Values.Listed(listOf("a\nb", "c"))),
                )
            for (options in wrong) {
                assertFailsWith<HushbitException.InvalidArgument> { bundle.reporter(options) }
            }
            val answers = bundle.reporter(ReporterOptions(Values.Listed(listOf("yes", "no"))))
            assertFailsWith<HushbitException.UnknownWord> { answers.report("perhaps") }
            assertFailsWith<HushbitException.InvalidArgument> { answers.reportValue(2) }
            assertFailsWith<HushbitException.InvalidArgument> { answers.reportWord("yes") }
            repeat(2) { answers.close() }
            assertFailsWith<IllegalStateException> { answers.report("yes") }
        }
    }

    @Test
    fun aReportCostsTheEpsilonOfItsTextAndOneToken() {
        val ledger = File(emptyDirectory(), "budget").path
        Budget.open(ledger, BudgetLimits(worstCaseLifetime = 4.0)).use { budget ->
            Hushbit.open(vector(WORDS)).use { bundle ->
                bundle.reporter(ReporterOptions(budget = budget)).use { reporter ->
                    reporter.report("the movie was not bad at all")
                    reporter.reportValue(0)
                    assertFailsWith<HushbitException.BudgetExhausted> { reporter.report("the cat") }
                }
            }
            assertEquals(4.0, budget.state().worstCaseLifetime)
            assertEquals(2, budget.state().tokensLifetime)
        }
    }

    private fun bundleOf(item: Json) = item["bundle"].takeIf { !it.isNull }?.text ?: WORDS

    private fun checkCase(
        bundle: Bundle,
        item: Json,
    ) {
        val values =
            when (item["values"].text) {
                "words" -> Values.Words
                "emoji" -> Values.Emoji
                "new-words" -> Values.NewWords
                else -> Values.Listed(lines(item["list"]))
            }
        val options =
            ReporterOptions(
                values = values,
                epsilon = item["epsilon"].number,
                skinTones = item["skin_tones"].boolean,
                none = item["none"].boolean,
                passOver = lines(item["pass_over"]),
                memoization = Memoization(item["device_key"].bytes, item["epoch"].text.toULong(16).toLong()),
            )
        bundle.reporter(options).use { reporter ->
            val report =
                when {
                    item.has("text") -> reporter.report(item["text"].bytes.decodeToString())
                    item.has("word") -> reporter.reportWord(item["word"].bytes.decodeToString())
                    else -> reporter.reportValue(item["value"].int)
                }
            assertEquals(item["report"].long, report.report, item["name"].text)
            assertEquals(item["hash"].text, reporter.info.hash)
            assertEquals(item["epsilon"].number, report.epsilon)
            assertTrue(reporter.info.effectiveEpsilon <= report.epsilon)
        }
    }

    private fun lines(hex: Json): List<String> {
        if (hex.text.isEmpty()) return listOf()
        return hex.bytes.decodeToString().split('\n')
    }
}
