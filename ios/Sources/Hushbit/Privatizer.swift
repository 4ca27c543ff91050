import CHushbit
import Foundation

/// A mechanism, an epsilon and policies for one bundle. It keeps the bundle alive.
///
/// Any number of threads may use the same privatizer at once.
public final class Privatizer: Sendable {
    let handle: Handle

    /// Its promises, computed from the configuration.
    public let info: PrivatizerInfo

    /// Creates a privatizer for a bundle.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for an epsilon that is negative or not finite, a missing epsilon
    ///   for a mechanism without a default in the bundle, a beta outside (0, 1), a mask that is empty or longer than 64
    ///   bytes, or a device key without 32 bytes; ``HushbitError/storage(_:)`` for an audit log that cannot be opened.
    public init(bundle: HushbitBundle, configuration: PrivatizerConfiguration = PrivatizerConfiguration()) throws {
        handle = try bundle.handle.use { try createPrivatizer($0, configuration) }
        info = handle.use { privatizer in
            var info = sized(hushbit_privatizer_info.self)
            hushbit_privatizer_get_info(privatizer, &info, nil)
            return PrivatizerInfo(info)
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

/// The promises of a privatizer, computed from its ``PrivatizerConfiguration``.
public struct PrivatizerInfo: Equatable, Sendable {
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
    public let crowd: Crowd?
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
    /// Of the bundle.
    public let outputWords: Int
    /// Of the bundle. Promises hold between texts with the same public words in the same places.
    public let publicWords: Int

    init(_ info: hushbit_privatizer_info) {
        mechanism = Mechanism(info.mechanism)
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
        crowd = Crowd(info.crowd)
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
private func createPrivatizer(_ bundle: OpaquePointer, _ configuration: PrivatizerConfiguration) throws -> Handle {
    var options = sized(hushbit_options.self)
    hushbit_options_init(bundle, &options, nil)
    if let epsilon = configuration.epsilon {
        options.epsilon = epsilon
    } else if let mechanism = configuration.mechanism, mechanism.code != options.mechanism {
        options.epsilon = try defaultEpsilon(bundle, mechanism)
    }
    if let mechanism = configuration.mechanism { options.mechanism = mechanism.code }
    options.beta = configuration.beta
    options.oov = configuration.oov.code
    options.punctuation = configuration.punctuation.code
    if let crowd = configuration.crowd { options.crowd = crowd.code }
    options.allow_unchanged = configuration.allowUnchanged ? 1 : 0
    return try withMask(configuration.oov, &options) { options in
        try withDeviceKey(configuration.memoization, &options) { options in
            try withAuditLog(configuration.auditLog, &options) { options in
                try withBudget(configuration.budget, &options) { options in
                    try make(release: { hushbit_privatizer_close($0) }) {
                        hushbit_privatizer_create(bundle, &options, $0, $1)
                    }
                }
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
    let calibrated = Mechanism(info.default_mechanism)
    throw HushbitError.invalidArgument(
        "the bundle's default epsilon is meant for \(calibrated): give an epsilon for \(mechanism)")
}

private typealias Create = (inout hushbit_options) throws -> Handle

private func withMask(_ oov: OOVPolicy, _ options: inout hushbit_options, _ create: Create) throws -> Handle {
    guard case .mask(let mask) = oov else { return try create(&options) }
    return try mask.withBytes { bytes, count in
        options.mask = bytes
        options.mask_bytes = count
        return try create(&options)
    }
}

private func withDeviceKey(
    _ memoization: Memoization?, _ options: inout hushbit_options, _ create: Create
) throws -> Handle {
    guard let memoization else { return try create(&options) }
    guard memoization.deviceKey.count == 32 else {
        throw HushbitError.invalidArgument("the device key has \(memoization.deviceKey.count) bytes; it must have 32")
    }
    return try memoization.deviceKey.withUnsafeBufferPointer { key in
        options.device_key = key.baseAddress
        options.epoch = memoization.epoch
        return try create(&options)
    }
}

private func withAuditLog(_ url: URL?, _ options: inout hushbit_options, _ create: Create) throws -> Handle {
    guard let url else { return try create(&options) }
    return try url.withPath { path in
        options.audit_log = path
        return try create(&options)
    }
}

private func withBudget(_ budget: Budget?, _ options: inout hushbit_options, _ create: Create) throws -> Handle {
    guard let budget else { return try create(&options) }
    return try budget.handle.use { pointer in
        options.budget = pointer
        return try create(&options)
    }
}
