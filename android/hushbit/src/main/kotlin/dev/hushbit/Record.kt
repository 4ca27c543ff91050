package dev.hushbit

import java.nio.ByteBuffer
import java.nio.ByteOrder

private val HEXADECIMAL = List(256) { it.toString(16).padStart(2, '0') }

/** The bytes of a C struct. `jni_support.h` checks the offsets that its users read. */
internal class Record(
    val bytes: ByteArray,
) {
    private val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder())

    fun int(at: Int): Int = buffer.getInt(at)

    fun long(at: Int): Long = buffer.getLong(at)

    fun double(at: Int): Double = buffer.getDouble(at)

    fun hex(
        at: Int,
        size: Int,
    ): String = (at until at + size).joinToString("") { HEXADECIMAL[bytes[it].toInt() and 0xFF] }

    fun string(at: Int): String = String(bytes, at, bytes.size - at, Charsets.UTF_8)
}
