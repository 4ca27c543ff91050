import CHushbit

/// What a bundle's header says.
public struct BundleInfo: Equatable, Sendable {
    /// Of the file format, "major.minor".
    public let formatVersion: String
    /// Of a code: 64, 128, 256 or 512.
    public let bits: Int
    /// In the vocabulary, 1 or more.
    public let words: Int
    /// Of the longest word, in UTF-8.
    public let maxWordBytes: Int
    /// No two codes differ in more bits.
    public let maxDistance: Int
    /// The mean Hamming distance over all ordered pairs of output words, self-pairs included.
    public let averageDistance: Double
    /// What the bundle was calibrated to, for its default mechanism.
    public let defaultEpsilon: Double
    /// What that is counted by.
    public let defaultEpsilonUnit: EpsilonUnit
    /// The mechanism that the bundle was calibrated for.
    public let defaultMechanism: Mechanism
    /// The size of crowds if they are the default mechanism, else nil.
    public let defaultCrowd: Crowd?
    /// Per differing bit, for ``Mechanism/brr``; 0 for none.
    public let defaultEpsilonBRR: Double
    /// Per differing bit, for ``Mechanism/tem``; 0 for none.
    public let defaultEpsilonTEM: Double
    /// Words that may come out, which alone have codes; in many bundles all.
    public let outputWords: Int
    /// Words that are released without noise.
    public let publicWords: Int
    /// Of the tokenizer that the vocabulary was built for, "major.minor.update".
    public let unicodeVersion: String
    /// Size of the bundle.
    public let fileBytes: UInt64
    /// The SHA-256 in hexadecimal that names the bundle; it covers every byte.
    public let hash: String

    init(_ info: hushbit_bundle_info) {
        let unicode = info.unicode_version
        formatVersion = "\(info.format_major).\(info.format_minor)"
        bits = Int(info.bits)
        words = Int(info.words)
        maxWordBytes = Int(info.max_word_bytes)
        maxDistance = Int(info.max_distance)
        averageDistance = info.average_distance
        defaultEpsilon = info.default_epsilon
        defaultEpsilonUnit = EpsilonUnit(info.default_epsilon_unit)
        defaultMechanism = Mechanism(info.default_mechanism)
        defaultCrowd = Crowd(info.default_crowd)
        defaultEpsilonBRR = info.default_epsilon_brr
        defaultEpsilonTEM = info.default_epsilon_tem
        outputWords = Int(info.output_words)
        publicWords = Int(info.public_words)
        unicodeVersion = "\(unicode >> 16).\(unicode >> 8 & 0xFF).\(unicode & 0xFF)"
        fileBytes = info.file_bytes
        hash = withUnsafeBytes(of: info.hash) { $0.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) } }
            .joined()
    }
}
