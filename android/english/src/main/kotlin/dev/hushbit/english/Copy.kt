package dev.hushbit.english

import dev.hushbit.Bundle
import dev.hushbit.Hushbit
import java.io.File
import java.io.InputStream

/**
 * Opens a copy of what [stream] has in a file of [directory]. The file has no name once it is mapped: nothing of it is
 * left behind, and no later version of the app finds it. Closes the stream.
 */
internal fun openCopy(
    stream: InputStream,
    directory: File,
): Bundle {
    val copy = File.createTempFile("english", ".hushbit", directory)
    try {
        stream.use { from -> copy.outputStream().use { from.copyTo(it) } }
        return Hushbit.open(copy.path)
    } finally {
        copy.delete()
    }
}
