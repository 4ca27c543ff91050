package dev.hushbit

import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith

/** Every golden vector, byte for byte, with the randomness of its seed. */
class GoldenTest {
    @TestFactory
    fun nearest(): List<DynamicTest> =
        Golden.names().map { name ->
            val vectors = Golden.read(name)
            dynamicTest(name) {
                Hushbit.open(vector(vectors["bundle"].text)).use { bundle ->
                    vectors["nearest"].items.forEach { checkNearest(bundle, it) }
                }
            }
        }

    @TestFactory
    fun cases(): List<DynamicTest> =
        Golden.names().map(Golden::read).flatMap { vectors ->
            val bundle = vectors["bundle"].text
            vectors["cases"].items.map { dynamicTest("$bundle: ${it["name"].text}") { checkCase(bundle, it) } }
        }

    @Test
    fun keystream() {
        for (item in Golden.read("keystream.json").items) {
            val bytes = item["bytes"].bytes
            val stream = NativeTesting.keystream(item["seed"].bytes, item["offset"].long, bytes.size)
            assertEquals(bytes.hex(), stream.hex())
        }
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
            bundle.privatizer(Golden.options(item)).use { privatizer ->
                val text = item["text"].bytes
                if (item["status"].int != 0) {
                    val failure = assertFailsWith<NativeFailure> { release(privatizer, item, text) }
                    assertEquals(item["status"].int, failure.status)
                    assertEquals(item["position"].long, failure.position)
                } else {
                    val (packed, codes) = release(privatizer, item, text)
                    Golden.checkResult(item, text, privatizedText(packed))
                    assertEquals(item["noisy_codes"].items.joinToString("") { it.text }, codes.hex())
                    Golden.checkInfo(item, privatizer.info)
                }
            }
        }
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
}
