package dev.hushbit.keyboard

import java.io.File
import java.io.IOException

/**
 * A privatized text that was kept.
 *
 * @property text the privatized text; the queue never contains typed text.
 * @property epsilon the effective budget per differing bit.
 * @property worstCase the local-DP epsilon of the text.
 * @property bundleHash the hash of the bundle from which its words come.
 * @property day days since 1970-01-01 UTC.
 * @property isExported whether it was handed to another app.
 */
internal data class Release(
    val text: String,
    val epsilon: Double,
    val worstCase: Double,
    val bundleHash: String,
    val day: Long,
    val isExported: Boolean = false,
)

/** The releases kept on this device, oldest first, one per line in [file]. Thread-safe. */
internal class ReleaseQueue(
    private val file: File,
) {
    /** All releases; damaged lines are left out. */
    @Synchronized
    fun all(): List<Release> = if (file.exists()) file.readLines().mapNotNull(::parse) else emptyList()

    @Synchronized
    fun add(release: Release): Unit = write(all() + release)

    @Synchronized
    fun delete(index: Int): Unit = write(all().filterIndexed { at, _ -> at != index })

    @Synchronized
    fun markExported(index: Int): Unit =
        write(all().mapIndexed { at, release -> if (at == index) release.copy(isExported = true) else release })

    @Synchronized
    fun clear(): Unit = write(emptyList())

    /** Replaces the whole file, so that after a crash it is the old or the new one. */
    private fun write(releases: List<Release>) {
        val next = File(file.path + ".new")
        next.writeText(releases.joinToString("") { format(it) + "\n" })
        if (!next.renameTo(file)) throw IOException("the queue could not be replaced")
    }

    private fun format(release: Release): String =
        with(release) {
            listOf(day, epsilon, worstCase, bundleHash, isExported, text.replace(SEPARATORS, " ")).joinToString("\t")
        }

    private fun parse(line: String): Release? {
        val fields = line.split('\t')
        if (fields.size != 6) return null
        return Release(
            day = fields[0].toLongOrNull() ?: return null,
            epsilon = fields[1].toDoubleOrNull() ?: return null,
            worstCase = fields[2].toDoubleOrNull() ?: return null,
            bundleHash = fields[3],
            isExported = fields[4].toBooleanStrictOrNull() ?: return null,
            text = fields[5],
        )
    }

    private companion object {
        val SEPARATORS = Regex("[\\t\\r\\n]")
    }
}
