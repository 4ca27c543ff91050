package dev.hushbit

import org.junit.jupiter.api.Test
import java.io.File
import kotlin.test.assertEquals
import kotlin.test.assertNull
import kotlin.test.assertTrue

class BundleTest {
    @Test
    fun `the version is the header's`() {
        val header = File("native/include/hushbit/hushbit.h").readText()
        assertTrue("#define HUSHBIT_VERSION \"${Hushbit.version}\"" in header)
    }

    @Test
    fun `a bundle describes itself`() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            assertTrue(bundle.meta.startsWith("{") && bundle.meta.endsWith("}"))
            assertEquals(File(VECTORS, WORDS).length(), bundle.info.fileBytes)
            assertTrue(bundle.info.formatVersion.matches(Regex("\\d+\\.\\d+")))
            assertTrue(bundle.info.unicodeVersion.matches(Regex("\\d+\\.\\d+\\.\\d+")))
            assertTrue(bundle.info.defaultEpsilon > 0)
            assertTrue(bundle.info.hash.take(12) in bundle.toString())
        }
    }

    @Test
    fun `words are found exactly as spelled`() {
        Hushbit.open(vector(WORDS)).use { bundle ->
            assertEquals("caf\u00E9", bundle.word(bundle.find("caf\u00E9")!!))
            val absent = listOf("", "Caf\u00E9", "cafe\u0301", "the\u0000", "x".repeat(10_000))
            for (word in absent) assertNull(bundle.find(word))
        }
    }
}
