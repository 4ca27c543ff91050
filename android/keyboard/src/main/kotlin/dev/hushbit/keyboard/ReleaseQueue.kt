package dev.hushbit.keyboard

import androidx.annotation.WorkerThread
import java.io.File
import java.io.FileOutputStream
import java.io.IOException

/**
 * What was kept: a privatized text, or a report.
 *
 * @property text the privatized text, or the report as a line of JSON; the queue never contains typed text.
 * @property epsilon of a text: the effective epsilon in its unit; of a report: that of the whole text.
 * @property worstCase the local-DP epsilon of the text.
 * @property source the hash of the bundle from which its words come, or of the values that it is about.
 * @property day days since 1970-01-01 UTC.
 * @property drawn the worst case of all texts that were drawn since the last one was kept, this one included: whoever
 *     saw the text that was thrown away knows it, too.
 * @property about what it is about.
 * @property isExported whether it was handed to another app.
 */
internal data class Release(
    val text: String,
    val epsilon: Double,
    val worstCase: Double,
    val source: String,
    val day: Long,
    val drawn: Double = worstCase,
    val about: About = About.TEXT,
    val isExported: Boolean = false,
)

/** What a release is about. */
internal enum class About {
    /** A text, word by word. */
    TEXT,

    /** One emoji of a line, or none. */
    EMOJI,

    /** One word of a line, or none. */
    WORD,
}

/** The releases kept on this device, oldest first, one per line in [file]. Thread-safe: use one object for a file. */
internal class ReleaseQueue(
    private val file: File,
) {
    /** All releases; damaged lines are left out. */
    @WorkerThread
    @Synchronized
    fun all(): List<Release> = if (file.exists()) file.readLines().mapNotNull(::parse) else emptyList()

    @WorkerThread
    @Synchronized
    fun add(release: Release): Unit = write(all() + release)

    /** Removes the first that equals [release]; nothing happens if there is none. */
    @WorkerThread
    @Synchronized
    fun delete(release: Release): Unit = write(all() - release)

    /** Records that [release] was handed to another app; nothing happens if there is none. */
    @WorkerThread
    @Synchronized
    fun markExported(release: Release) {
        val all = all().toMutableList()
        val at = all.indexOf(release)
        if (at < 0) return
        all[at] = release.copy(isExported = true)
        write(all)
    }

    @WorkerThread
    @Synchronized
    fun clear(): Unit = write(emptyList())

    /** Replaces the whole file, so that after a crash it is the old or the new one. */
    private fun write(releases: List<Release>) {
        val next = File(file.path + ".new")
        FileOutputStream(next).use { stream ->
            stream.write(releases.joinToString("") { format(it) + "\n" }.toByteArray())
            stream.fd.sync()
        }
        if (!next.renameTo(file)) throw IOException("the queue could not be replaced")
    }

    private fun format(release: Release): String =
        with(release) {
            val line = text.replace(SEPARATORS, " ")
            listOf(day, epsilon, worstCase, drawn, source, about, isExported, line).joinToString("\t")
        }

    private fun parse(line: String): Release? {
        val fields = line.split('\t')
        if (fields.size != 8) return null
        return Release(
            day = fields[0].toLongOrNull() ?: return null,
            epsilon = fields[1].toDoubleOrNull() ?: return null,
            worstCase = fields[2].toDoubleOrNull() ?: return null,
            drawn = fields[3].toDoubleOrNull() ?: return null,
            source = fields[4],
            about = About.entries.find { it.name == fields[5] } ?: return null,
            isExported = fields[6].toBooleanStrictOrNull() ?: return null,
            text = fields[7],
        )
    }

    private companion object {
        val SEPARATORS = Regex("[\\t\\r\\n]")
    }
}
