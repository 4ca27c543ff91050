import Foundation

extension String {
    /// The index of a byte of the text's UTF-8, or the end index for a byte beyond the end.
    func index(atByte byte: UInt64) -> Index {
        utf8.index(startIndex, offsetBy: Int(clamping: byte), limitedBy: endIndex) ?? endIndex
    }

    /// Runs `call` with the text as UTF-8, which may contain NUL and is not terminated.
    func withBytes<Result>(_ call: (UnsafePointer<CChar>?, Int) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { try call($0.baseAddress, $0.count) }
        }
    }
}

extension URL {
    /// Runs `call` with the path of a file, NUL-terminated.
    func withPath<Result>(_ call: (UnsafePointer<CChar>) throws -> Result) throws -> Result {
        guard isFileURL else { throw HushbitError.invalidArgument("the URL is not a file URL") }
        return try withUnsafeFileSystemRepresentation { path in
            guard let path else { throw HushbitError.invalidArgument("the URL has no path that the system can open") }
            return try call(path)
        }
    }
}

/// Moves forward through the bytes of a text. Tokens come in order, and starting from the beginning for each would be
/// slow.
struct Cursor {
    private let text: String
    private var index: String.Index
    private var byte = 0

    init(_ text: String) {
        self.text = text
        index = text.startIndex
    }

    mutating func range(_ begin: UInt64, _ end: UInt64) -> Range<String.Index> {
        let lower = move(to: Int(begin))
        return lower..<move(to: Int(end))
    }

    private mutating func move(to target: Int) -> String.Index {
        index = text.utf8.index(index, offsetBy: target - byte)
        byte = target
        return index
    }
}
