package dev.hushbit

import java.io.File
import kotlin.io.path.createTempDirectory

/** Where the golden vectors are. */
internal val VECTORS = File(System.getProperty("hushbit.vectors") ?: "tests/vectors")

internal fun vectorNames(): List<String> = VECTORS.list()!!.toList()

internal fun vector(name: String): String = File(VECTORS, name).path

internal fun emptyDirectory(): File = createTempDirectory("hushbit").toFile()
