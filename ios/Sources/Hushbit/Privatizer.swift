import CHushbit
import Foundation

/// A mechanism, an epsilon and policies for one bundle. It keeps the bundle alive.
///
/// Any number of threads may use the same privatizer at once.
public final class Privatizer: Sendable {
    let handle: Handle

    /// Its promises, computed from the options.
    public let info: PrivatizerInfo

    /// Creates a privatizer for a bundle.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for an epsilon that is negative or not finite, a missing epsilon
    ///   for a mechanism without a default in the bundle, a beta outside (0, 1), a mask that is empty or longer than 64
    ///   bytes, or a device key without 32 bytes; ``HushbitError/storageFailed(_:)`` for an audit log that cannot be
    ///   opened.
    public init(bundle: HushbitBundle, options: PrivatizerOptions = PrivatizerOptions()) throws {
        handle = try bundle.handle.use { try createPrivatizer($0, options) }
        info = try handle.use { privatizer in
            var info = sized(hushbit_privatizer_info.self)
            hushbit_privatizer_get_info(privatizer, &info, nil)
            return try PrivatizerInfo(info)
        }
    }

    /// Replaces the words of a text and joins the replacements by single spaces.
    ///
    /// With a ``Budget`` the worst case of the text is spent before any noise is drawn, and the call waits for the
    /// disk. Do not call it on the main thread.
    ///
    /// - Throws: ``HushbitError``. After an error nothing is released.
    public func privatize(_ text: String) throws -> PrivatizedText {
        try handle.use { privatizer in
            try withResult { result in
                try check(in: text) { failure in
                    text.withBytes { hushbit_privatize(privatizer, $0, $1, result, failure) }
                }
                return PrivatizedText(result, input: text)
            }
        }
    }
}

/// The promises of a privatizer, computed from its ``PrivatizerOptions``.
public struct PrivatizerInfo: Hashable, Sendable {
    /// The mechanism in use.
    public let mechanism: Mechanism
    /// The unit of both epsilons.
    public let epsilonUnit: EpsilonUnit
    /// The requested epsilon.
    public let requestedEpsilon: Double
    /// The epsilon that actually holds: never above the requested one.
    public let effectiveEpsilon: Double
    /// BRR: a bit flips if a uniform 64-bit integer is below this. TEM: 0.
    public let flipThreshold: UInt64
    /// ``flipThreshold`` / 2⁶⁴.
    public let flipProbability: Double
    /// TEM: the truncation distance in bits. BRR: 0.
    public let gamma: Int
    /// ``effectiveEpsilon`` times the mean distance between two words, or their worst case if less (TEM). Crowds:
    /// the same as ``worstCasePerToken``.
    public let averagePerToken: Double
    /// The local-DP epsilon of a token.
    public let worstCasePerToken: Double
    /// Whether epsilon was above what the integers can express, and was lowered.
    public let isClamped: Bool
    /// Whether noise repeats within an epoch.
    public let isMemoized: Bool
    /// The size of crowds; nil for other mechanisms. Then the next five properties are 0.
    public let crowdSize: CrowdSize?
    /// The sum of the shares in a crowd, the same for all crowds.
    public let crowdMass: Int
    /// The sum of the weights of all output words.
    public let outputMass: Int
    /// A word comes from the crowd if a uniform 64-bit integer is below this.
    public let crowdThreshold: UInt64
    /// ``crowdThreshold`` / 2⁶⁴.
    public let crowdProbability: Double
    /// The mean number of words in a crowd, over at most 1024 evenly spaced output words.
    public let meanCrowd: Double
    /// The number of output words of the bundle.
    public let outputWords: Int
    /// The number of public words of the bundle. Promises hold between texts with the same public words in the same
    /// places.
    public let publicWords: Int

    init(_ info: hushbit_privatizer_info) throws {
        mechanism = try Mechanism(info.mechanism)
        epsilonUnit = EpsilonUnit(info.epsilon_unit)
        requestedEpsilon = info.requested_epsilon
        effectiveEpsilon = info.effective_epsilon
        flipThreshold = info.flip_threshold
        flipProbability = info.flip_probability
        gamma = Int(info.gamma)
        averagePerToken = info.average_per_token
        worstCasePerToken = info.worst_case_per_token
        isClamped = info.clamped != 0
        isMemoized = info.memoized != 0
        crowdSize = CrowdSize(info.crowd_size)
        crowdMass = Int(info.crowd_mass)
        outputMass = Int(info.output_mass)
        crowdThreshold = info.crowd_threshold
        crowdProbability = info.crowd_probability
        meanCrowd = info.mean_crowd
        outputWords = Int(info.output_words)
        publicWords = Int(info.public_words)
    }
}

/// The C options point into Swift values, which must not move until the privatizer has copied them.
private func createPrivatizer(_ bundle: OpaquePointer, _ options: PrivatizerOptions) throws -> Handle {
    var native = sized(hushbit_privatizer_options.self)
    hushbit_privatizer_options_init(bundle, &native, nil)
    if let epsilon = options.epsilon {
        native.epsilon = epsilon
    } else if let mechanism = options.mechanism, mechanism.code != native.mechanism {
        native.epsilon = try defaultEpsilon(bundle, mechanism)
    }
    if let mechanism = options.mechanism { native.mechanism = mechanism.code }
    native.beta = options.beta
    native.oov = options.oov.code
    native.punctuation = options.punctuation.code
    if let size = options.crowdSize { native.crowd_size = size.code }
    native.allow_unchanged = options.allowUnchanged ? 1 : 0
    return try withMask(options.oov, &native) { native in
        try withLent(options.memoization, options.auditLog, options.budget) { lent in
            native.device_key = lent.deviceKey
            native.epoch = lent.epoch
            native.audit_log = lent.auditLog
            native.budget = lent.budget
            return try make(release: { hushbit_privatizer_destroy($0) }) {
                hushbit_privatizer_create(bundle, &native, $0, $1)
            }
        }
    }
}

/// The bundle's epsilon for a mechanism that is not its default one.
private func defaultEpsilon(_ bundle: OpaquePointer, _ mechanism: Mechanism) throws -> Double {
    var info = sized(hushbit_bundle_info.self)
    hushbit_bundle_get_info(bundle, &info, nil)
    let epsilon: Double
    switch mechanism {
    case .brr: epsilon = info.default_epsilon_brr
    case .tem: epsilon = info.default_epsilon_tem
    case .crowd: epsilon = 0
    }
    if epsilon > 0 { return epsilon }
    let calibrated = try Mechanism(info.default_mechanism)
    throw HushbitError.invalidArgument(
        "the bundle's default epsilon is meant for \(calibrated): give an epsilon for \(mechanism)")
}

/// Runs `create` with the mask, if there is one.
private func withMask(
    _ oov: OOVPolicy, _ native: inout hushbit_privatizer_options,
    _ create: (inout hushbit_privatizer_options) throws -> Handle
) throws -> Handle {
    guard case .mask(let mask) = oov else { return try create(&native) }
    return try mask.withBytes { bytes, count in
        native.mask = bytes
        native.mask_bytes = count
        return try create(&native)
    }
}
