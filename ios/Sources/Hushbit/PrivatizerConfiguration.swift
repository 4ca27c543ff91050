import CHushbit
import Foundation

/// How words are replaced.
public enum Mechanism: Equatable, Sendable {
    /// Randomized response on the bits of the code, then the nearest word.
    case brr
    /// Truncated exponential mechanism on Hamming distance.
    case tem

    init(_ code: UInt32) { self = code == UInt32(HUSHBIT_TEM.rawValue) ? .tem : .brr }

    var code: UInt32 { UInt32((self == .brr ? HUSHBIT_BRR : HUSHBIT_TEM).rawValue) }
}

/// What becomes of a token that is not in the vocabulary.
public enum OOVPolicy: Equatable, Sendable {
    /// Replaced by noise that does not depend on the token.
    case random
    /// Left out; reveals how many words were unknown to a reader who knows the length.
    case drop
    /// Replaced by this, 1 to 64 bytes of UTF-8; reveals that it was unknown.
    case mask(String)
    /// The call throws ``HushbitError/unknownWord(_:index:)`` and releases nothing.
    case error
    /// Passed through as typed: NO privacy; the cost becomes infinite.
    case verbatimUnsafe

    var code: UInt32 {
        switch self {
        case .random: return UInt32(HUSHBIT_OOV_RANDOM.rawValue)
        case .drop: return UInt32(HUSHBIT_OOV_DROP.rawValue)
        case .mask: return UInt32(HUSHBIT_OOV_MASK.rawValue)
        case .error: return UInt32(HUSHBIT_OOV_ERROR.rawValue)
        case .verbatimUnsafe: return UInt32(HUSHBIT_OOV_VERBATIM_UNSAFE.rawValue)
        }
    }
}

/// What becomes of punctuation.
public enum PunctuationPolicy: Equatable, Sendable {
    /// Left out.
    case drop
    /// Treated like a word: noised if in the vocabulary, else by the ``OOVPolicy``.
    case privatize

    var code: UInt32 {
        UInt32((self == .drop ? HUSHBIT_PUNCTUATION_DROP : HUSHBIT_PUNCTUATION_PRIVATIZE).rawValue)
    }
}

/// Noise that repeats for the same word within an epoch, so that averaging many releases reveals nothing more. It shows
/// repeats as repeats: a ``Cost`` holds between texts with the same pattern of equal words only.
public struct Memoization: Equatable, Sendable {
    /// 32 secret bytes of this device, from the keychain. Whoever has them can undo the noise.
    public var deviceKey: [UInt8]
    /// Another number, other noise.
    public var epoch: UInt64

    /// `deviceKey` has 32 bytes; ``Privatizer/init(bundle:configuration:)`` refuses any other number.
    public init(deviceKey: [UInt8], epoch: UInt64 = 0) {
        self.deviceKey = deviceKey
        self.epoch = epoch
    }
}

extension Memoization: CustomStringConvertible, CustomReflectable {
    /// Without the key, so that none gets into a log.
    public var description: String { "Memoization(epoch: \(epoch))" }
    public var customMirror: Mirror { Mirror(self, children: ["epoch": epoch]) }
}

/// The choices of a ``Privatizer``. What is nil is the bundle's.
public struct PrivatizerConfiguration: Sendable {
    /// Nil: the mechanism that the bundle was calibrated for.
    public var mechanism: Mechanism?
    /// The metric-DP budget per differing bit, 0 or more and finite. Nil: what the bundle was calibrated to, which is
    /// meant for its own mechanism and no other.
    public var epsilon: Double?
    /// Of TEM alone: the chance of a word beyond the truncation distance, strictly between 0 and 1.
    public var beta: Double
    /// For tokens that are not in the vocabulary.
    public var oov: OOVPolicy
    /// For tokens without letters, marks and digits.
    public var punctuation: PunctuationPolicy
    /// Nil: fresh noise for every token.
    public var memoization: Memoization?
    /// Nil: none. Else every release is spent first.
    public var budget: Budget?
    /// Nil: none. Else a file to which every release appends a line of JSON: counts, cost, day and bundle hash, never
    /// text.
    public var auditLog: URL?

    public init(
        mechanism: Mechanism? = nil, epsilon: Double? = nil, beta: Double = 0.001, oov: OOVPolicy = .random,
        punctuation: PunctuationPolicy = .drop, memoization: Memoization? = nil, budget: Budget? = nil,
        auditLog: URL? = nil
    ) {
        self.mechanism = mechanism
        self.epsilon = epsilon
        self.beta = beta
        self.oov = oov
        self.punctuation = punctuation
        self.memoization = memoization
        self.budget = budget
        self.auditLog = auditLog
    }
}
