package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import java.io.File
import kotlin.test.assertFalse
import kotlin.test.assertTrue

class ManifestTest {
    private val manifests = listOf("keyboard", "hushbit").map { File("android/$it/src/main/AndroidManifest.xml") }

    @Test
    fun `no permission is asked for`() {
        for (manifest in manifests) assertFalse("uses-permission" in manifest.readText())
    }

    @Test
    fun `the keyboard is bound by the system alone, and nothing is backed up`() {
        val text = manifests.first().readText()
        assertTrue("android:permission=\"android.permission.BIND_INPUT_METHOD\"" in text)
        assertTrue("android:allowBackup=\"false\"" in text)
    }
}
