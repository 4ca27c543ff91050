package dev.hushbit

import android.content.Context
import androidx.test.platform.app.InstrumentationRegistry
import java.io.File

/** Of the APK of the tests, whose assets are the golden vectors and the built-in bundle. */
internal val context: Context get() = InstrumentationRegistry.getInstrumentation().context

private val copies: File by lazy {
    File(context.noBackupFilesDir, "vectors").apply {
        deleteRecursively()
        mkdir()
    }
}

/** With what else the assets hold. */
internal fun vectorNames(): List<String> = context.assets.list("")!!.toList()

/** A copy of the asset, since most tests need a path. */
internal fun vector(name: String): String {
    val copy = File(copies, name)
    if (!copy.exists()) context.assets.open(name).use { from -> copy.outputStream().use { from.copyTo(it) } }
    return copy.path
}

internal fun emptyDirectory(): File =
    File.createTempFile("hushbit", null, context.noBackupFilesDir).apply {
        delete()
        mkdir()
    }
