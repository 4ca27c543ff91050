import CHushbit

/// The errors of the library. After any of these nothing was released.
///
/// Messages are in English, say what to do, and never contain text that was passed in to be privatized.
public enum HushbitError: Error, Equatable, Sendable {
    /// An argument is out of range or not possible with the bundle.
    case invalidArgument(String)
    /// There is no file at the URL.
    case fileNotFound(String)
    /// The operating system could not read or map the file.
    case readFailed(String)
    /// The bytes are not a well-formed bundle; `byte` is the position to which the message refers, or 0.
    case corruptBundle(String, byte: UInt64)
    /// Well formed, but of a newer version than this library knows.
    case unsupportedBundle(String)
    /// There was not enough memory.
    case outOfMemory(String)
    /// The operating system provided no randomness.
    case randomnessFailed(String)
    /// The text is not well-formed Unicode. A Swift `String` always is, so this means an error in this library.
    case invalidText(String)
    /// Under ``OOVPolicy/error``: the token that begins at `index` of the text is not in the vocabulary.
    case unknownWord(String, index: String.Index)
    /// The release would exceed a cap of the ``Budget``; nothing was spent.
    case budgetExhausted(String)
    /// The budget's file is damaged or missing.
    case corruptBudget(String)
    /// The budget's file is of a newer version than this library knows.
    case unsupportedBudget(String)
    /// The budget or the audit log could not be read, locked or written.
    case storageFailed(String)
    /// A status that this version of the Swift interface does not know.
    case unexpected(String, status: UInt32)

    /// The message of any case.
    public var message: String {
        switch self {
        case .invalidArgument(let message), .fileNotFound(let message), .readFailed(let message),
            .corruptBundle(let message, _), .unsupportedBundle(let message), .outOfMemory(let message),
            .randomnessFailed(let message), .invalidText(let message), .unknownWord(let message, _),
            .budgetExhausted(let message), .corruptBudget(let message), .unsupportedBudget(let message),
            .storageFailed(let message), .unexpected(let message, _):
            return message
        }
    }
}

extension HushbitError: CustomStringConvertible {
    public var description: String { message }
}

extension HushbitError {
    /// The case for a failure in C. `text` is the text of the call, for positions in it.
    init(_ failure: hushbit_error, in text: String) {
        let message = withUnsafeBytes(of: failure.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch failure.status {
        case HUSHBIT_INVALID_ARGUMENT: self = .invalidArgument(message)
        case HUSHBIT_FILE_NOT_FOUND: self = .fileNotFound(message)
        case HUSHBIT_READ_FAILED: self = .readFailed(message)
        case HUSHBIT_CORRUPT_BUNDLE: self = .corruptBundle(message, byte: failure.position)
        case HUSHBIT_UNSUPPORTED_BUNDLE: self = .unsupportedBundle(message)
        case HUSHBIT_OUT_OF_MEMORY: self = .outOfMemory(message)
        case HUSHBIT_RANDOMNESS_FAILED: self = .randomnessFailed(message)
        case HUSHBIT_INVALID_TEXT: self = .invalidText(message)
        case HUSHBIT_UNKNOWN_WORD: self = .unknownWord(message, index: text.index(atByte: failure.position))
        case HUSHBIT_BUDGET_EXHAUSTED: self = .budgetExhausted(message)
        case HUSHBIT_CORRUPT_BUDGET: self = .corruptBudget(message)
        case HUSHBIT_UNSUPPORTED_BUDGET: self = .unsupportedBudget(message)
        case HUSHBIT_STORAGE_FAILED: self = .storageFailed(message)
        default: self = .unexpected(message, status: UInt32(failure.status.rawValue))
        }
    }
}

/// Runs a call of the C interface and throws what it reports.
func check(in text: String = "", _ call: (UnsafeMutablePointer<hushbit_error>) -> hushbit_status) throws {
    var failure = hushbit_error()
    if call(&failure) != HUSHBIT_OK { throw HushbitError(failure, in: text) }
}

/// The same for calls that create an object.
func make(
    release: @escaping @Sendable (OpaquePointer) -> Void,
    _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<hushbit_error>) -> hushbit_status
) throws -> Handle {
    var made: OpaquePointer?
    try check { call(&made, $0) }
    guard let pointer = made else { throw HushbitError.unexpected("no object was made", status: 0) }
    return Handle(pointer, release: release)
}
