package dev.hushbit

/**
 * The errors of the library. Messages are in English, say what to do, and never contain text that was passed in to be
 * privatized.
 *
 * After any of these nothing was released. Using a closed object throws an [IllegalStateException] instead.
 */
public sealed class HushbitException(
    message: String,
    cause: Throwable? = null,
) : RuntimeException(message, cause) {
    /** An argument is out of range or not possible with the bundle. */
    public class InvalidArgument internal constructor(
        message: String,
    ) : HushbitException(message)

    /** There is no such file or asset. */
    public class FileNotFound internal constructor(
        message: String,
        cause: Throwable? = null,
    ) : HushbitException(message, cause)

    /** The operating system could not read or map the file. */
    public class ReadFailed internal constructor(
        message: String,
        cause: Throwable? = null,
    ) : HushbitException(message, cause)

    /** The asset is compressed in the APK and cannot be mapped: add `noCompress += "hushbit"` to `androidResources`. */
    public class CompressedAsset internal constructor(
        message: String,
        cause: Throwable? = null,
    ) : HushbitException(message, cause)

    /** The bytes are not a well-formed bundle. [position] is the byte of the bundle, or 0. */
    public class CorruptBundle internal constructor(
        message: String,
        public val position: Long,
    ) : HushbitException(message)

    /** Well formed, but of a newer version than this library knows. */
    public class UnsupportedBundle internal constructor(
        message: String,
    ) : HushbitException(message)

    /** There was not enough memory. */
    public class OutOfMemory internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The operating system provided no randomness. */
    public class RandomnessFailed internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The text has half of a surrogate pair at [position], in UTF-16 code units. */
    public class InvalidText internal constructor(
        message: String,
        public val position: Long,
    ) : HushbitException(message)

    /** Under [OovPolicy.ERROR]: the token at [position], in UTF-16 code units, is not in the vocabulary. */
    public class UnknownWord internal constructor(
        message: String,
        public val position: Long,
    ) : HushbitException(message)

    /** The release would exceed a cap of the [Budget]; nothing was spent. */
    public class BudgetExhausted internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The budget's file is damaged or missing. */
    public class CorruptBudget internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The budget's file is of a newer version than this library knows. */
    public class UnsupportedBudget internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The budget or the audit log could not be read, locked or written. */
    public class StorageFailed internal constructor(
        message: String,
    ) : HushbitException(message)

    /** A status that this version of the Kotlin interface does not know. */
    public class Unexpected internal constructor(
        message: String,
        public val status: Int,
    ) : HushbitException(message)
}
