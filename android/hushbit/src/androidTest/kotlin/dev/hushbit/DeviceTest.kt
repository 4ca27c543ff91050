package dev.hushbit

import android.os.Build
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue

/** What only an APK has: the library of the device's ABI, and bundles where they lie among the assets. */
class DeviceTest {
    @Test
    fun libraryIsThereForTheAbi() {
        val abis = setOf("arm64-v8a", "armeabi-v7a", "x86", "x86_64")
        assertTrue(Build.SUPPORTED_ABIS.any { it in abis }, "none of ${Build.SUPPORTED_ABIS.toList()} is built")
        assertTrue(Hushbit.version.matches(Regex("\\d+\\.\\d+\\.\\d+")))
    }

    @Test
    fun goldenBundlesOpenWhereTheyLie() {
        val names = vectorNames().filter { it.endsWith(".hushbit") && it != BUILT_IN }
        assertTrue(WORDS in names)
        for (name in names) {
            Hushbit.openAsset(context, name).use { bundle ->
                bundle.verify()
                assertEquals(Hushbit.open(vector(name)).use { it.info.hash }, bundle.info.hash, name)
            }
        }
    }

    @Test
    fun builtInBundlePrivatizes() {
        Hushbit.openAsset(context, BUILT_IN).use { bundle ->
            bundle.verify()
            bundle.privatizer().use { privatizer ->
                val result = privatizer.privatize("Meet me at the station.")
                assertEquals(5, result.cost.words)
                assertEquals(0, result.cost.unknown)
                assertTrue(result.text.isNotBlank())
            }
        }
    }

    /** The vocabulary is text, which the packager compresses. */
    @Test
    fun compressedAndMissingAssetsAreToldApart() {
        assertFailsWith<HushbitException.CompressedAsset> { Hushbit.openAsset(context, "vocabulary.txt") }
        assertFailsWith<HushbitException.FileNotFound> { Hushbit.openAsset(context, "absent.hushbit") }
    }

    private companion object {
        const val BUILT_IN = "english.hushbit"
    }
}
