package dev.hushbit

/**
 * The exception of the bridge: a `hushbit_status`, the byte to which it refers, and a message in UTF-8 without typed
 * text.
 *
 * Its constructor is the only Kotlin code that native code calls; `consumer-rules.pro` keeps it.
 */
internal class NativeFailure(
    val status: Int,
    val position: Long,
    private val utf8: ByteArray,
) : RuntimeException(null, null, false, false) {
    override val message: String
        get() = utf8.decodeToString()
}

/** Runs a native call and converts its failure to a [HushbitException]. [position] translates the byte position. */
internal inline fun <T> translated(
    position: (Long) -> Long = { it },
    call: () -> T,
): T =
    try {
        call()
    } catch (failure: NativeFailure) {
        throw failure.toException(position(failure.position))
    }

/** The [HushbitException] of a status. */
internal fun NativeFailure.toException(position: Long): HushbitException {
    val text = message.ifEmpty { "status $status" }
    return when (status) {
        1 -> HushbitException.InvalidArgument(text)
        2 -> HushbitException.FileNotFound(text)
        3 -> HushbitException.ReadFailed(text)
        4 -> HushbitException.CorruptBundle(text, position)
        5 -> HushbitException.UnsupportedBundle(text)
        6 -> HushbitException.OutOfMemory(text)
        7 -> HushbitException.RandomnessFailed(text)
        8 -> HushbitException.InvalidText(text, position)
        9 -> HushbitException.UnknownWord(text, position)
        10 -> HushbitException.BudgetExhausted(text)
        11 -> HushbitException.CorruptBudget(text)
        12 -> HushbitException.UnsupportedBudget(text)
        13 -> HushbitException.StorageFailed(text)
        else -> HushbitException.Unexpected(text, status)
    }
}
