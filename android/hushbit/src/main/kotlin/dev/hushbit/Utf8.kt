package dev.hushbit

/** The UTF-8 of a text. Throws [HushbitException.InvalidText] for half of a surrogate pair. */
internal fun String.toUtf8(): ByteArray {
    val half = indexOfLoneSurrogate()
    if (half >= 0) {
        throw HushbitException.InvalidText("the text has half of a surrogate pair at UTF-16 index $half", half.toLong())
    }
    return encodeToByteArray()
}

private fun String.indexOfLoneSurrogate(): Int {
    var index = 0
    while (index < length) {
        if (this[index].isSurrogate()) {
            val paired = this[index].isHighSurrogate() && index + 1 < length && this[index + 1].isLowSurrogate()
            if (!paired) return index
            index++
        }
        index++
    }
    return -1
}

/** A path for C: UTF-8 with a NUL at its end and none before. */
internal fun String.toPath(): ByteArray {
    if (isEmpty()) throw HushbitException.InvalidArgument("the path is empty")
    if ('\u0000' in this) throw HushbitException.InvalidArgument("the path contains a NUL character")
    return toUtf8() + 0
}

/** Translates byte offsets in UTF-8 to UTF-16 offsets; fast if the offsets ascend. */
internal class Utf16Offsets(
    private val utf8: ByteArray,
    private val start: Int = 0,
) {
    private var byte = 0
    private var unit = 0

    /** The UTF-16 offset of the character that begins at byte [offset], counted from `start`. */
    fun at(offset: Int): Int {
        if (offset < byte) {
            byte = 0
            unit = 0
        }
        while (byte < offset) {
            val value = utf8[start + byte].toInt() and 0xFF
            if (value and 0xC0 != 0x80) unit += if (value >= 0xF0) 2 else 1
            byte++
        }
        return unit
    }
}
