package dev.hushbit.english

import android.content.ContextWrapper
import android.content.res.AssetManager
import dev.hushbit.Hushbit
import dev.hushbit.HushbitException
import dev.hushbit.open
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.File
import java.io.IOException
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** The English words by name, mapped and unpacked, with directories in the place of the APK's assets. */
class EnglishTest {
    @TempDir
    lateinit var cache: File

    private val words get() = File(System.getProperty("hushbit.assets").split(File.pathSeparator).last(), ASSET)

    private inner class App : ContextWrapper() {
        override fun getAssets() = AssetManager()

        override fun getCacheDir() = cache
    }

    @Test
    fun `without an argument, once the app is there`() {
        EnglishProvider.application = null
        assertTrue(
            "Hushbit.open(context)" in assertFailsWith<IllegalStateException> { Hushbit.open() }.message.orEmpty(),
        )
        EnglishProvider.application = App()
        Hushbit.open().use { bundle ->
            bundle.verify()
            assertTrue(bundle.info.words > 10_000)
            val released = bundle.privatizer().use { it.privatize("meet me at the station") }.text
            assertEquals(5, released.split(' ').size)
        }
    }

    @Test
    fun `compressed words are unpacked, and nothing is left of them`() {
        Hushbit.open(App()).use { mapped ->
            openCopy(words.inputStream(), cache).use { unpacked ->
                assertEquals(emptyList(), cache.list().orEmpty().toList())
                assertEquals(mapped.info.hash, unpacked.info.hash)
                unpacked.verify()
            }
        }
    }

    @Test
    fun `what cannot be unpacked is left nowhere`() {
        assertFailsWith<HushbitException.CorruptBundle> { openCopy("no words".byteInputStream(), cache) }
        assertEquals(emptyList(), cache.list().orEmpty().toList())
        assertFailsWith<IOException> { openCopy(words.inputStream(), File(cache, "missing")) }
    }

    private companion object {
        const val ASSET = "english.hushbit"
    }
}
