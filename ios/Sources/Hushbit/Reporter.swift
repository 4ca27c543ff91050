import CHushbit
import Foundation

/// What reports are about.
public enum Values: Hashable, Sendable {
    /// The bundle's output words. A word is reported by its stand-in.
    case words
    /// The emoji of the library's Unicode version.
    case emoji
    /// A list of your own: different values, none of them empty or with a line break.
    case list([String])
    /// Words that the bundle lacks (docs/counting.md).
    case newWords

    var code: UInt32 {
        switch self {
        case .words: return UInt32(HUSHBIT_VALUES_WORDS.rawValue)
        case .emoji: return UInt32(HUSHBIT_VALUES_EMOJI.rawValue)
        case .list: return UInt32(HUSHBIT_VALUES_LIST.rawValue)
        case .newWords: return UInt32(HUSHBIT_VALUES_NEW_WORDS.rawValue)
        }
    }
}

/// The options of a ``Reporter``.
public struct ReporterOptions: Sendable {
    /// What reports are about (default: words); a list has 2 to 2^24 values, "none" included.
    public var values: Values
    /// The epsilon of a whole text: 0.01 to 16 (default: 2).
    public var epsilon: Double
    /// For ``Values/words``: ``PunctuationPolicy/privatize`` reports punctuation that has a word id, too.
    public var punctuation: PunctuationPolicy
    /// For ``Values/emoji``: whether emoji with skin tones are values of their own.
    public var skinTones: Bool
    /// For ``Values/list(_:)``: whether there is a value for texts that are not on the list.
    public var none: Bool
    /// For ``Values/words``: words that are never reported; a public list.
    public var passOver: [String]
    /// Nil for fresh randomness for every text; otherwise an equal text has an equal report within an epoch.
    public var memoization: Memoization?
    /// Nil for none; otherwise the epsilon of every text is spent there first, and one token counted.
    public var budget: Budget?
    /// Nil for none; otherwise a file to which every report appends a line of JSON: cost, day and the hash of the
    /// values, never text.
    public var auditLog: URL?

    public init(
        values: Values = .words, epsilon: Double = 2, punctuation: PunctuationPolicy = .drop, skinTones: Bool = false,
        none: Bool = false, passOver: [String] = [], memoization: Memoization? = nil, budget: Budget? = nil,
        auditLog: URL? = nil
    ) {
        self.values = values
        self.epsilon = epsilon
        self.punctuation = punctuation
        self.skinTones = skinTones
        self.none = none
        self.passOver = passOver
        self.memoization = memoization
        self.budget = budget
        self.auditLog = auditLog
    }
}

/// Releases one report about one value of a whole text, at one epsilon for the whole text.
///
/// For any two texts, of any length, and any report, the probabilities that it is released differ by a factor of at
/// most e to the power of epsilon. Any number of threads may use the same reporter at once.
public final class Reporter: Sendable {
    private let handle: Handle
    private let maxValueBytes: Int

    /// Its promises, computed from the options.
    public let info: ReporterInfo

    /// Creates a reporter. The bundle may be nil for emoji and lists.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for an epsilon out of range, a list with fewer than 2 values or
    ///   with one that is empty, there twice or has a line break, or a device key without 32 bytes;
    ///   ``HushbitError/storageFailed(_:)`` for an audit log that cannot be opened.
    public init(bundle: HushbitBundle?, options: ReporterOptions = ReporterOptions()) throws {
        let handle: Handle
        if let bundle {
            handle = try bundle.handle.use { try createReporter($0, options) }
        } else {
            handle = try createReporter(nil, options)
        }
        self.handle = handle
        let native = handle.use { reporter in
            var native = sized(hushbit_reporter_info.self)
            hushbit_reporter_get_info(reporter, &native, nil)
            return native
        }
        maxValueBytes = Int(native.max_value_bytes)
        info = ReporterInfo(native)
    }

    /// Reports one text of any length: one of its words, emoji or new words, drawn at random, or none. Of a list the
    /// text is a value as a whole.
    ///
    /// With a ``Budget`` epsilon is spent before anything is drawn, and the call waits for the disk. Do not call it on
    /// the main thread.
    ///
    /// - Throws: ``HushbitError``; ``HushbitError/unknownWord(_:index:)`` for a text that is no value of a list without
    ///   none. After an error nothing is released.
    public func report(_ text: String) throws -> Report {
        try released(in: text) { reporter, report, failure in
            text.withBytes { hushbit_report_text(reporter, $0, $1, report, failure) }
        }
    }

    /// The same for a value by its number, 0 to the number of values - 1.
    public func report(value: UInt32) throws -> Report {
        try released { hushbit_report_value($0, value, $1, $2) }
    }

    /// The same for one word of which you know that it is new, with ``Values/newWords``. What is not 2 to 24 letters is
    /// reported as none.
    public func report(word: String) throws -> Report {
        try released(in: word) { reporter, report, failure in
            word.withBytes { hushbit_report_word(reporter, $0, $1, report, failure) }
        }
    }

    /// The spelling of a value by its number, 0 to the number of values - 1; empty for none.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` if there is no such value, and for new words.
    public func value(_ value: UInt32) throws -> String {
        var bytes = [CChar](repeating: 0, count: maxValueBytes + 1)
        var length = 0
        try handle.use { reporter in
            try check { hushbit_reporter_value(reporter, value, &bytes, bytes.count, &length, $0) }
        }
        return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func released(
        in text: String = "",
        _ call: (OpaquePointer, UnsafeMutablePointer<hushbit_report>, UnsafeMutablePointer<hushbit_error>)
            -> hushbit_status
    ) throws -> Report {
        try handle.use { reporter in
            var report = sized(hushbit_report.self)
            try check(in: text) { call(reporter, &report, $0) }
            return Report(report)
        }
    }
}

/// What may be sent of a text.
public struct Report: Hashable, Sendable {
    /// Its number, 0 to ``ReporterInfo/reports`` - 1.
    public let report: UInt64
    /// 16 hexadecimal digits that identify the values; reports of different ones cannot be added up.
    public let values: String
    /// The requested epsilon of the text.
    public let epsilon: Double

    init(_ native: hushbit_report) {
        report = native.report
        values = withUnsafeBytes(of: native.values) { hexadecimal($0) }
        epsilon = native.epsilon
    }

    /// One line of JSON, without its end, as `hushbit count` reads it.
    public var json: String {
        "{\"report\": \(report), \"values\": \"\(values)\", \"epsilon\": \(epsilon), \"version\": 1}"
    }
}

/// The promises of a reporter, computed from its ``ReporterOptions``.
public struct ReporterInfo: Hashable, Sendable {
    /// The requested epsilon.
    public let requestedEpsilon: Double
    /// The epsilon of a whole text that actually holds, never above the requested one.
    public let effectiveEpsilon: Double
    /// Whether an equal text has an equal report within an epoch.
    public let isMemoized: Bool
    /// The number of values, none included; they are numbered from 0.
    public let valueCount: Int
    /// Whether value 0 is none: a text without anything to report.
    public let hasNone: Bool
    /// How many reports there are; they are numbered from 0.
    public let reports: UInt64
    /// A report belongs to its value if a uniform 64-bit integer is below this.
    public let threshold: UInt64
    /// ``threshold`` / 2⁶⁴.
    public let probability: Double
    /// Identifies the values, in hexadecimal.
    public let hash: String

    init(_ info: hushbit_reporter_info) {
        requestedEpsilon = info.requested_epsilon
        effectiveEpsilon = info.effective_epsilon
        isMemoized = info.memoized != 0
        valueCount = Int(info.value_count)
        hasNone = info.has_none != 0
        reports = info.reports
        threshold = info.threshold
        probability = info.probability
        hash = withUnsafeBytes(of: info.hash) { hexadecimal($0) }
    }
}

/// The C options point into Swift values, which must not move until the reporter has copied them.
private func createReporter(_ bundle: OpaquePointer?, _ options: ReporterOptions) throws -> Handle {
    var native = sized(hushbit_reporter_options.self)
    hushbit_reporter_options_init(&native, nil)
    native.values = options.values.code
    native.epsilon = options.epsilon
    native.punctuation = options.punctuation.code
    native.skin_tones = options.skinTones ? 1 : 0
    native.none = options.none ? 1 : 0
    var list: [String] = []
    if case .list(let values) = options.values { list = values }
    return try lines(list).withBytes { listBytes, listCount in
        try lines(options.passOver).withBytes { passedBytes, passedCount in
            try withLent(options.memoization, options.auditLog, options.budget) { lent in
                native.list = listBytes
                native.list_bytes = listCount
                native.pass_over = passedBytes
                native.pass_over_bytes = passedCount
                native.device_key = lent.deviceKey
                native.epoch = lent.epoch
                native.audit_log = lent.auditLog
                native.budget = lent.budget
                return try make(release: { hushbit_reporter_destroy($0) }) {
                    hushbit_reporter_create(bundle, &native, $0, $1)
                }
            }
        }
    }
}

private func lines(_ list: [String]) throws -> String {
    if list.contains(where: { $0.utf8.contains(10) }) {
        throw HushbitError.invalidArgument("a value or word contains a line break")
    }
    return list.joined(separator: "\n")
}
