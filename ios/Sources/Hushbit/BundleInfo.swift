import CHushbit

/// The contents of a bundle's header.
public struct BundleInfo: Hashable, Sendable {
    /// The version of the file format, "major.minor".
    public let formatVersion: String
    /// Bits of a code: 64, 128, 256 or 512.
    public let bits: Int
    /// Number of words in the vocabulary, 1 or more.
    public let words: Int
    /// Length of the longest word, in bytes of UTF-8.
    public let maxWordBytes: Int
    /// An upper bound on the distance between any two codes, in bits.
    public let maxDistance: Int
    /// The mean Hamming distance over all ordered pairs of output words, self-pairs included.
    public let averageDistance: Double
    /// The calibrated epsilon of the default mechanism.
    public let defaultEpsilon: Double
    /// The unit of ``defaultEpsilon``.
    public let defaultEpsilonUnit: EpsilonUnit
    /// The mechanism for which the bundle was calibrated.
    public let defaultMechanism: Mechanism
    /// The size of crowds if they are the default mechanism, otherwise nil.
    public let defaultCrowdSize: CrowdSize?
    /// Per differing bit, for ``Mechanism/brr``; 0 if there is none.
    public let defaultEpsilonBRR: Double
    /// Per differing bit, for ``Mechanism/tem``; 0 if there is none.
    public let defaultEpsilonTEM: Double
    /// Number of words that may come out. Only they have codes. In many bundles these are all words.
    public let outputWords: Int
    /// Number of words that are released without noise.
    public let publicWords: Int
    /// Unicode version of the tokenizer for which the vocabulary was built, "major.minor.update".
    public let unicodeVersion: String
    /// Size of the bundle in bytes.
    public let fileBytes: UInt64
    /// The SHA-256 in hexadecimal that identifies the bundle; it covers every byte.
    public let hash: String

    init(_ info: hushbit_bundle_info) throws {
        let unicode = info.unicode_version
        formatVersion = "\(info.format_major).\(info.format_minor)"
        bits = Int(info.bits)
        words = Int(info.words)
        maxWordBytes = Int(info.max_word_bytes)
        maxDistance = Int(info.max_distance)
        averageDistance = info.average_distance
        defaultEpsilon = info.default_epsilon
        defaultEpsilonUnit = EpsilonUnit(info.default_epsilon_unit)
        defaultMechanism = try Mechanism(info.default_mechanism)
        defaultCrowdSize = CrowdSize(info.default_crowd_size)
        defaultEpsilonBRR = info.default_epsilon_brr
        defaultEpsilonTEM = info.default_epsilon_tem
        outputWords = Int(info.output_words)
        publicWords = Int(info.public_words)
        unicodeVersion = "\(unicode >> 16).\(unicode >> 8 & 0xFF).\(unicode & 0xFF)"
        fileBytes = info.file_bytes
        hash = withUnsafeBytes(of: info.hash) { hexadecimal($0) }
    }
}

/// Two digits a byte.
func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
