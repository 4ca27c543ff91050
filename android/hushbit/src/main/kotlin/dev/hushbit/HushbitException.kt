package dev.hushbit

/**
 * What can go wrong. Messages are English, say what to do, and never hold text that was to be privatized.
 *
 * After any of these nothing was released. Using something that is closed is an [IllegalStateException] instead.
 */
public sealed class HushbitException(
    message: String,
    cause: Throwable? = null,
) : RuntimeException(message, cause) {
    /** An argument is out of range or does not fit the bundle. */
    public class InvalidArgument internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The path or asset names nothing. */
    public class FileNotFound internal constructor(
        message: String,
        cause: Throwable? = null,
    ) : HushbitException(message, cause)

    /** The operating system could not read or map the file. */
    public class InputOutput internal constructor(
        message: String,
        cause: Throwable? = null,
    ) : HushbitException(message, cause)

    /** The asset is compressed in the APK and cannot be mapped: add `noCompress += "hushbit"` to `androidResources`. */
    public class CompressedAsset internal constructor(
        message: String,
        cause: Throwable? = null,
    ) : HushbitException(message, cause)

    /** The bytes are not a well-formed bundle. [position] is the byte of the bundle that the message is about, or 0. */
    public class CorruptBundle internal constructor(
        message: String,
        public val position: Long,
    ) : HushbitException(message)

    /** Well formed, but of a newer version than this library knows. */
    public class UnsupportedBundle internal constructor(
        message: String,
    ) : HushbitException(message)

    /** Memory ran out. */
    public class OutOfMemory internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The operating system gave no randomness. */
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

    /** The release would go beyond a cap of the [Budget]; nothing was spent. */
    public class BudgetExhausted internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The budget's file is damaged or gone. */
    public class CorruptBudget internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The budget's file is of a newer version than this library knows. */
    public class UnsupportedBudget internal constructor(
        message: String,
    ) : HushbitException(message)

    /** The budget or the audit log could not be read, locked or written. */
    public class Storage internal constructor(
        message: String,
    ) : HushbitException(message)

    /** A status that this version of the Kotlin interface does not know. */
    public class Unexpected internal constructor(
        message: String,
        public val status: Int,
    ) : HushbitException(message)
}
