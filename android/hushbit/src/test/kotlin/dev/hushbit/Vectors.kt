package dev.hushbit

import java.io.File
import kotlin.math.abs
import kotlin.test.assertTrue

/** Where the golden vectors are. */
internal val VECTORS = File(System.getProperty("hushbit.vectors") ?: "tests/vectors")

internal const val WORDS = "words-256.hushbit"

internal fun vector(name: String): String = File(VECTORS, name).path

internal fun ByteArray.hex(): String = joinToString("") { "%02x".format(it) }

internal fun assertClose(
    expected: Double,
    actual: Double,
    what: String,
) = assertTrue(expected == actual || abs(expected - actual) <= 1e-12 * abs(expected), "$what: $actual, not $expected")
