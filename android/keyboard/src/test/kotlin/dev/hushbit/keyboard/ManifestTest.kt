package dev.hushbit.keyboard

import org.junit.jupiter.api.Test
import org.w3c.dom.Element
import org.w3c.dom.NodeList
import java.io.File
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.test.assertEquals
import kotlin.test.assertFalse
import kotlin.test.assertTrue

class ManifestTest {
    private val manifests = listOf("keyboard", "hushbit", "english").map { File("android/$it/src/main/$MANIFEST") }
    private val components = listOf("activity", "service", "provider", "receiver")

    private fun read(file: File): Element =
        DocumentBuilderFactory
            .newInstance()
            .newDocumentBuilder()
            .parse(file)
            .documentElement

    private fun NodeList.elements() = (0 until length).map { item(it) as Element }

    private fun Element.every(name: String) = getElementsByTagName(name).elements()

    @Test
    fun `no permission is asked for`() {
        for (manifest in manifests) assertFalse("uses-permission" in manifest.readText())
    }

    @Test
    fun `the keyboard is bound by the system alone, and nothing leaves by a backup or a transfer`() {
        val application = read(manifests.first()).every("application").single()
        assertEquals("false", application.getAttribute("android:allowBackup"))
        assertEquals("@xml/data_extraction_rules", application.getAttribute("android:dataExtractionRules"))
        val service = application.every("service").single()
        assertEquals("android.permission.BIND_INPUT_METHOD", service.getAttribute("android:permission"))
        val rules = read(File("android/keyboard/src/main/res/xml/data_extraction_rules.xml"))
        for (way in listOf("cloud-backup", "device-transfer")) {
            val excluded = rules.every(way).single().every("exclude")
            assertEquals(listOf("root", "sharedpref"), excluded.map { it.getAttribute("domain") })
        }
    }

    @Test
    fun `every component says whether others may use it, and only those with a filter say yes`() {
        val found = manifests.map(::read).flatMap { manifest -> components.flatMap { manifest.every(it) } }
        assertEquals(4, found.size)
        for (component in found) {
            val isPublic = component.every("intent-filter").isNotEmpty()
            assertEquals(isPublic.toString(), component.getAttribute("android:exported"))
        }
    }

    @Test
    fun `screens and keys leave the bars of the system free, and screen readers follow`() {
        val sources = File("android/keyboard/src/main/kotlin/dev/hushbit/keyboard")
        for (name in listOf("SettingsActivity.kt", "ReviewActivity.kt", "KeyboardView.kt")) {
            assertTrue("withinBars(" in File(sources, name).readText(), name)
        }
        val keys = File(sources, "KeyboardView.kt").readText()
        assertTrue("setAccessibilityLiveRegion(ACCESSIBILITY_LIVE_REGION_POLITE)" in keys)
    }

    private companion object {
        const val MANIFEST = "AndroidManifest.xml"
    }
}
