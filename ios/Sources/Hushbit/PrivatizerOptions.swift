import CHushbit
import Foundation

/// How words are replaced.
public enum Mechanism: Hashable, Sendable {
    /// Randomized response on the bits of the code, then the nearest word.
    case brr
    /// Truncated exponential mechanism on Hamming distance.
    case tem
    /// Draws a word of the typed word's crowd with a fixed probability, otherwise any output word.
    case crowd

    init(_ code: UInt32) throws {
        switch code {
        case UInt32(HUSHBIT_BRR.rawValue): self = .brr
        case UInt32(HUSHBIT_TEM.rawValue): self = .tem
        case UInt32(HUSHBIT_CROWD.rawValue): self = .crowd
        default:
            throw HushbitError.unsupportedBundle("mechanism \(code) is not known to this version of Hushbit")
        }
    }

    var code: UInt32 {
        switch self {
        case .brr: return UInt32(HUSHBIT_BRR.rawValue)
        case .tem: return UInt32(HUSHBIT_TEM.rawValue)
        case .crowd: return UInt32(HUSHBIT_CROWD.rawValue)
        }
    }
}

/// The unit of an epsilon.
public enum EpsilonUnit: Hashable, Sendable {
    /// ``Mechanism/brr`` and ``Mechanism/tem``: metric DP, per differing bit of two codes.
    case bit
    /// ``Mechanism/crowd``: local DP of one word, the same for any two words.
    case word

    /// The costs of texts without a release have no unit in C, and `bit` here.
    init(_ code: UInt32) { self = code == UInt32(HUSHBIT_PER_WORD.rawValue) ? .word : .bit }
}

/// With ``Mechanism/crowd``: how many near words a word may become.
public enum CrowdSize: Hashable, Sendable {
    /// Only the word: randomized response over the output words.
    case one
    /// A few words: for counting.
    case few
    /// Many words, nearer ones with larger shares: for meaning.
    case many

    init?(_ code: UInt32) {
        switch code {
        case UInt32(HUSHBIT_CROWD_SIZE_ONE.rawValue): self = .one
        case UInt32(HUSHBIT_CROWD_SIZE_FEW.rawValue): self = .few
        case UInt32(HUSHBIT_CROWD_SIZE_MANY.rawValue): self = .many
        default: return nil
        }
    }

    var code: UInt32 {
        switch self {
        case .one: return UInt32(HUSHBIT_CROWD_SIZE_ONE.rawValue)
        case .few: return UInt32(HUSHBIT_CROWD_SIZE_FEW.rawValue)
        case .many: return UInt32(HUSHBIT_CROWD_SIZE_MANY.rawValue)
        }
    }
}

/// How a token that is not in the vocabulary is treated.
public enum OOVPolicy: Hashable, Sendable {
    /// Replaced by noise that does not depend on the token.
    case random
    /// Left out; a reader who knows the length learns how many words were unknown.
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

/// How punctuation is treated.
public enum PunctuationPolicy: Hashable, Sendable {
    /// Left out.
    case drop
    /// Treated like a word: noised if in the vocabulary, otherwise by the ``OOVPolicy``.
    case privatize

    var code: UInt32 {
        UInt32((self == .drop ? HUSHBIT_PUNCTUATION_DROP : HUSHBIT_PUNCTUATION_PRIVATIZE).rawValue)
    }
}

/// Noise that is the same for the same word within an epoch, so that averaging many releases reveals nothing more.
/// Repeats are visible as repeats: a ``Cost`` holds only between texts with the same pattern of equal words.
public struct Memoization: Hashable, Sendable {
    /// 32 secret bytes of this device, from the keychain. Anyone who has them can undo the noise.
    public var deviceKey: [UInt8]
    /// A different number gives different noise.
    public var epoch: UInt64

    /// `deviceKey` has 32 bytes; ``Privatizer/init(bundle:options:)`` refuses any other number.
    public init(deviceKey: [UInt8], epoch: UInt64 = 0) {
        self.deviceKey = deviceKey
        self.epoch = epoch
    }
}

extension Memoization: CustomStringConvertible, CustomReflectable {
    /// Without the key, so that it cannot appear in a log.
    public var description: String { "Memoization(epoch: \(epoch))" }
    public var customMirror: Mirror { Mirror(self, children: ["epoch": epoch]) }
}

/// The options of a ``Privatizer``. Options that are nil have the bundle's defaults.
public struct PrivatizerOptions: Sendable {
    /// Nil: the mechanism for which the bundle was calibrated.
    public var mechanism: Mechanism?
    /// Finite, 0 or more, per differing bit, or per word for ``Mechanism/crowd``. Nil: the bundle's default for that
    /// mechanism, if it has one.
    public var epsilon: Double?
    /// TEM only: the probability of a word beyond the truncation distance, strictly between 0 and 1.
    public var beta: Double
    /// The policy for tokens that are not in the vocabulary.
    public var oov: OOVPolicy
    /// The policy for tokens without letters, marks and digits.
    public var punctuation: PunctuationPolicy
    /// Nil: fresh noise for every token.
    public var memoization: Memoization?
    /// Nil: none. Otherwise the cost of every release is spent there first.
    public var budget: Budget?
    /// Nil: none. Otherwise a file to which every release appends a line of JSON: counts, cost, day and bundle hash,
    /// never text.
    public var auditLog: URL?
    /// Crowds only: how many near words a word may become. Nil: the bundle's default.
    public var crowdSize: CrowdSize?
    /// Whether to use an epsilon that leaves more than about half of the words as they were typed. Otherwise it is
    /// refused with ``HushbitError/invalidArgument(_:)``.
    public var allowUnchanged: Bool

    public init(
        mechanism: Mechanism? = nil, epsilon: Double? = nil, beta: Double = 0.001, oov: OOVPolicy = .random,
        punctuation: PunctuationPolicy = .drop, memoization: Memoization? = nil, budget: Budget? = nil,
        auditLog: URL? = nil, crowdSize: CrowdSize? = nil, allowUnchanged: Bool = false
    ) {
        self.mechanism = mechanism
        self.epsilon = epsilon
        self.beta = beta
        self.oov = oov
        self.punctuation = punctuation
        self.memoization = memoization
        self.budget = budget
        self.auditLog = auditLog
        self.crowdSize = crowdSize
        self.allowUnchanged = allowUnchanged
    }
}
