package dev.hushbit

import java.util.Locale
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertTrue

/** The golden vectors as far as the public interface reaches: with a device key a release is the same every time. */
class PublicVectorsTest {
    @Test
    fun vectorsAreThere() {
        assertTrue(Golden.names().sumOf { Golden.read(it)["cases"].items.size } >= 440)
        assertTrue(Golden.names().sumOf { repeatable(Golden.read(it)).size } >= 80)
    }

    @Test
    fun bundles() {
        for (vectors in Golden.names().map(Golden::read)) {
            Hushbit.open(vector(vectors["bundle"].text)).use { Golden.checkBundle(vectors, it) }
        }
    }

    @Test
    fun casesWithADeviceKey() = Golden.names().map(Golden::read).forEach(::checkCases)

    /** Digits, letters without a dot, calendars: none of them reaches a release. */
    @Test
    fun casesInOtherLocales() {
        val vectors = Golden.read("privatize-words-256.json")
        val usual = Locale.getDefault()
        try {
            for (tag in listOf("tr", "ar-EG", "fa-IR", "th-TH-u-ca-buddhist-nu-thai")) {
                Locale.setDefault(Locale.forLanguageTag(tag))
                checkCases(vectors)
            }
        } finally {
            Locale.setDefault(usual)
        }
    }

    @Test
    fun coin() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            for (item in Golden.read("coin.json").items) {
                val epsilon = item["epsilon"].number
                val options = PrivatizerOptions(Mechanism.BRR, epsilon, allowUnchanged = true)
                val info = bundle.privatizer(options).use { it.info }
                assertEquals(item["flip_threshold"].text.toULong(16), info.flipThreshold, "at $epsilon")
                assertClose(item["effective_epsilon"].number, info.effectiveEpsilon, "effective epsilon of $epsilon")
                assertEquals(item["clamped"].boolean, info.clamped)
            }
        }
    }

    private fun repeatable(vectors: Json) =
        vectors["cases"].items.filter { !it["device_key"].isNull && it["status"].int == 0 }

    private fun checkCases(vectors: Json) {
        Hushbit.open(vector(vectors["bundle"].text)).use { bundle ->
            for (item in repeatable(vectors)) {
                val text = item["text"].bytes
                bundle.privatizer(Golden.options(item)).use { privatizer ->
                    assertTrue(privatizer.info.memoized)
                    Golden.checkInfo(item, privatizer.info)
                    repeat(2) { Golden.checkResult(item, text, privatizer.privatize(text.decodeToString())) }
                }
            }
        }
    }
}
