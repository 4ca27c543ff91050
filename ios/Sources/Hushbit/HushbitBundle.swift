import CHushbit
import Foundation

/// A vocabulary and its codes, mapped read-only from a `.hushbit` file.
///
/// ```swift
/// let bundle = try HushbitBundle(url: Bundle.main.url(forResource: "words", withExtension: "hushbit")!)
/// let privatizer = try Privatizer(bundle: bundle)
/// let released = try privatizer.privatize("meet me at the station").text
/// ```
///
/// Pages of the file are read when they are needed and stay clean, so they do not count against the memory limit of a
/// keyboard extension. Any number of threads may use the same bundle at once. It is unmapped when the bundle and its
/// last ``Privatizer`` are deallocated.
public final class HushbitBundle: Sendable {
    let handle: Handle

    /// The contents of the header.
    public let info: BundleInfo

    /// Maps a file and checks its structure.
    ///
    /// The file must not be changed while it is open: replace it by renaming.
    ///
    /// - Throws: ``HushbitError/fileNotFound(_:)``, ``HushbitError/readFailed(_:)``,
    ///   ``HushbitError/corruptBundle(_:byte:)``, ``HushbitError/unsupportedBundle(_:)``, or
    ///   ``HushbitError/invalidArgument(_:)`` for a URL that is not a file URL.
    public convenience init(url: URL) throws {
        let handle = try url.withPath { path in
            try make(release: { hushbit_bundle_close($0) }) { hushbit_bundle_open(path, $0, $1) }
        }
        try self.init(handle)
    }

    /// Maps a part of an open file, which need not be page aligned. The caller keeps the descriptor and may close it at
    /// once.
    ///
    /// - Parameters:
    ///   - fileDescriptor: open for reading.
    ///   - offset: the offset of the bundle's first byte, 0 or more.
    ///   - length: the length of the bundle in bytes, 0 or more.
    public convenience init(fileDescriptor: Int32, offset: Int64, length: Int64) throws {
        guard offset >= 0, length >= 0 else {
            throw HushbitError.invalidArgument("offset is \(offset) and length \(length): both must be 0 or more")
        }
        try self.init(
            make(release: { hushbit_bundle_close($0) }) {
                hushbit_bundle_open_fd(fileDescriptor, UInt64(offset), UInt64(length), $0, $1)
            })
    }

    private init(_ handle: Handle) throws {
        self.handle = handle
        info = try handle.use { bundle in
            var info = sized(hushbit_bundle_info.self)
            hushbit_bundle_get_info(bundle, &info, nil)
            return try BundleInfo(info)
        }
    }

    /// The bundle's JSON description of itself: source, license, binarizer, calibration.
    public var meta: String {
        handle.use { bundle in
            var length = 0
            guard let bytes = hushbit_bundle_meta(bundle, &length) else { return "" }
            return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
        }
    }

    /// The tokens of a text, in order. They have no output range.
    public func tokenize(_ text: String) throws -> [Token] {
        try handle.use { bundle in
            try withResult { result in
                try check(in: text) { failure in
                    text.withBytes { hushbit_tokenize(bundle, $0, $1, result, failure) }
                }
                return readTokens(result, input: text, output: "")
            }
        }
    }

    /// The id of a word, its rank in byte order, or nil. The word must be spelled exactly as in the vocabulary.
    public func find(_ word: String) throws -> UInt32? {
        var id: UInt32 = 0
        do {
            try handle.use { bundle in
                try check { failure in word.withBytes { hushbit_bundle_find(bundle, $0, $1, &id, failure) } }
            }
        } catch HushbitError.unknownWord {
            return nil
        }
        return id
    }

    /// The word of an id, 0 to the number of words - 1. Throws ``HushbitError/invalidArgument(_:)`` for another one.
    public func word(_ id: UInt32) throws -> String {
        var bytes = [CChar](repeating: 0, count: info.maxWordBytes)
        var length = 0
        try handle.use { bundle in
            try check { hushbit_bundle_word(bundle, id, &bytes, bytes.count, &length, $0) }
        }
        return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Reads every byte and checks every hash; takes up to a second. Opening checks only the structure, so verify a
    /// file from a network once.
    ///
    /// - Throws: ``HushbitError/corruptBundle(_:byte:)`` if one does not match.
    public func verify() throws {
        try handle.use { bundle in try check { hushbit_bundle_verify(bundle, $0) } }
    }
}
