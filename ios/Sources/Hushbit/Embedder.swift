import CHushbit
import Foundation

/// The options of an ``Embedder``.
public struct EmbedderOptions: Sendable {
    /// The epsilon of a whole text: finite, 0 or more (default: 2).
    public var epsilon: Double
    /// ``PunctuationPolicy/drop`` leaves punctuation out of the text's vector, ``PunctuationPolicy/privatize`` counts
    /// it as words.
    public var punctuation: PunctuationPolicy
    /// Nil for fresh randomness for every text; otherwise an equal text has an equal embedding within an epoch.
    public var memoization: Memoization?
    /// Nil for none; otherwise the epsilon of every text is spent there first, and one token counted.
    public var budget: Budget?
    /// Nil for none; otherwise a file to which every embedding appends a line of JSON: cost, day and bundle hash, never
    /// text.
    public var auditLog: URL?

    public init(
        epsilon: Double = 2, punctuation: PunctuationPolicy = .drop, memoization: Memoization? = nil,
        budget: Budget? = nil, auditLog: URL? = nil
    ) {
        self.epsilon = epsilon
        self.punctuation = punctuation
        self.memoization = memoization
        self.budget = budget
        self.auditLog = auditLog
    }
}

/// Releases what whole texts are about, one public direction each, at one epsilon for the whole text. It keeps the
/// bundle alive.
///
/// For any two texts, of any length, and any direction, the probabilities that it is released differ by a factor of at
/// most e to the power of epsilon. Any number of threads may use the same embedder at once.
public final class Embedder: Sendable {
    let handle: Handle

    /// Its promises, computed from the options.
    public let info: EmbedderInfo

    /// Creates an embedder for a bundle.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for an epsilon that is negative or not finite, a device key
    ///   without 32 bytes, or if the bundle has no embedding; ``HushbitError/storageFailed(_:)`` for an audit log that
    ///   cannot be opened.
    public init(bundle: HushbitBundle, options: EmbedderOptions = EmbedderOptions()) throws {
        handle = try bundle.handle.use { bundle in
            try createEmbedder(options) { hushbit_embedder_create(bundle, $0, $1, $2) }
        }
        info = readInfo(handle)
    }

    /// Creates an embedder for vectors of your own, such as those of a sentence encoder, by a projection file. The
    /// promise is the same, whatever the vectors are.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for a file that is damaged or of another version, or an epsilon
    ///   that is negative or not finite.
    public init(projection: Data, options: EmbedderOptions = EmbedderOptions()) throws {
        handle = try projection.withUnsafeBytes { file in
            try createEmbedder(options) {
                hushbit_embedder_create_from_projection(file.baseAddress, file.count, $0, $1, $2)
            }
        }
        info = readInfo(handle)
    }

    /// Embeds a text of any length, also an empty one.
    ///
    /// With a ``Budget`` epsilon is spent before anything is drawn, and the call waits for the disk. Do not call it on
    /// the main thread.
    ///
    /// - Throws: ``HushbitError``. After an error nothing is released.
    public func embed(_ text: String) throws -> Embedding {
        try handle.use { embedder in
            try withResult { scratch in
                var embedding = sized(hushbit_embedding.self)
                try check(in: text) { failure in
                    text.withBytes { hushbit_embed(embedder, $0, $1, scratch, &embedding, failure) }
                }
                return Embedding(embedding)
            }
        }
    }

    /// Embeds a vector of a whole text, such as a sentence encoder's, in the same way.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` unless it has ``EmbedderInfo/inputNumbers`` finite numbers.
    public func embed(vector: [Float]) throws -> Embedding {
        try handle.use { embedder in
            try withResult { scratch in
                var embedding = sized(hushbit_embedding.self)
                try check { hushbit_embed_vector(embedder, vector, vector.count, scratch, &embedding, $0) }
                return Embedding(embedding)
            }
        }
    }

    /// The output words whose vectors point most along a direction, an embedding's or the mean of many, nearest first.
    ///
    /// They are for people to look at. They depend on the direction alone, so they tell nothing more than it.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` unless the direction has ``EmbedderInfo/dimensions`` finite
    ///   numbers and `count` is 1 to the number of output words.
    public func nearestWords(to direction: [Double], count: Int = 10) throws -> [NearWord] {
        guard count > 0 else {
            throw HushbitError.invalidArgument("\(count) words are asked for; it must be 1 or more")
        }
        var ids = [UInt32](repeating: 0, count: count)
        var cosines = [Double](repeating: 0, count: count)
        try handle.use { embedder in
            try check {
                hushbit_embedder_nearest_words(embedder, direction, direction.count, count, &ids, &cosines, $0)
            }
        }
        return zip(ids, cosines).map { NearWord(wordID: $0, cosine: $1) }
    }
}

/// What may be sent of a text: ``index``.
public struct Embedding: Hashable, Sendable {
    /// The number of the direction, 0 to ``EmbedderInfo/directions`` - 1.
    public let index: UInt32
    /// The direction: number i is 1 if bit i is set, otherwise -1.
    public let signs: UInt64
    /// How many numbers a direction has.
    public let dimensions: Int
    /// The epsilon of the whole text.
    public let epsilon: Double

    init(_ embedding: hushbit_embedding) {
        index = embedding.index
        signs = embedding.signs
        dimensions = Int(embedding.dimensions)
        epsilon = embedding.epsilon
    }

    /// The numbers of the direction, each 1 or -1.
    public var direction: [Double] { (0..<dimensions).map { signs >> UInt64($0) & 1 == 1 ? 1 : -1 } }
}

/// An output word near to a direction.
public struct NearWord: Hashable, Sendable {
    /// Its id; ``HushbitBundle/word(_:)`` spells it.
    public let wordID: UInt32
    /// -1 to 1.
    public let cosine: Double
}

/// The promises of an embedder, computed from its ``EmbedderOptions``.
public struct EmbedderInfo: Hashable, Sendable {
    /// The requested epsilon.
    public let requestedEpsilon: Double
    /// The epsilon of a whole text that actually holds, never above the requested one.
    public let effectiveEpsilon: Double
    /// Whether epsilon was above what the integers can express, and was lowered.
    public let isClamped: Bool
    /// Whether an equal text has an equal embedding within an epoch.
    public let isMemoized: Bool
    /// The number of dimensions of a direction.
    public let dimensions: Int
    /// How many directions there are.
    public let directions: Int
    /// How many of them are in the crowd of a text.
    public let crowdDirections: Int
    /// A direction comes from the crowd if a uniform 64-bit integer is below this.
    public let crowdThreshold: UInt64
    /// ``crowdThreshold`` / 2⁶⁴.
    public let crowdProbability: Double
    /// The seed of the directions, which are public.
    public let seed: UInt64
    /// The length of a vector for ``Embedder/embed(vector:)``; 0 if it embeds texts.
    public let inputNumbers: Int
    /// Identifies the bundle or the projection, in hexadecimal.
    public let hash: String

    init(_ info: hushbit_embedder_info) {
        requestedEpsilon = info.requested_epsilon
        effectiveEpsilon = info.effective_epsilon
        isClamped = info.clamped != 0
        isMemoized = info.memoized != 0
        dimensions = Int(info.dimensions)
        directions = Int(info.directions)
        crowdDirections = Int(info.crowd_directions)
        crowdThreshold = info.crowd_threshold
        crowdProbability = info.crowd_probability
        seed = info.seed
        inputNumbers = Int(info.input_numbers)
        hash = withUnsafeBytes(of: info.hash) { hexadecimal($0) }
    }
}

private func readInfo(_ handle: Handle) -> EmbedderInfo {
    handle.use { embedder in
        var info = sized(hushbit_embedder_info.self)
        hushbit_embedder_get_info(embedder, &info, nil)
        return EmbedderInfo(info)
    }
}

/// Creates a native embedder. The C options point into Swift values, which must not move until it has copied them.
private func createEmbedder(
    _ options: EmbedderOptions,
    _ create: (
        UnsafePointer<hushbit_embedder_options>, UnsafeMutablePointer<OpaquePointer?>,
        UnsafeMutablePointer<hushbit_error>
    ) -> hushbit_status
) throws -> Handle {
    var native = sized(hushbit_embedder_options.self)
    hushbit_embedder_options_init(&native, nil)
    native.epsilon = options.epsilon
    native.punctuation = options.punctuation.code
    return try withLent(options.memoization, options.auditLog, options.budget) { lent in
        native.device_key = lent.deviceKey
        native.epoch = lent.epoch
        native.audit_log = lent.auditLog
        native.budget = lent.budget
        return try make(release: { hushbit_embedder_destroy($0) }) { create(&native, $0, $1) }
    }
}

/// What options of whole texts lend to C.
struct Lent {
    let deviceKey: UnsafePointer<UInt8>?
    let epoch: UInt64
    let auditLog: UnsafePointer<CChar>?
    let budget: OpaquePointer?
}

/// Runs `use` while all of it stays where it is.
func withLent<Value>(
    _ memoization: Memoization?, _ auditLog: URL?, _ budget: Budget?, _ use: (Lent) throws -> Value
) throws -> Value {
    let key = memoization?.deviceKey ?? []
    if memoization != nil, key.count != 32 {
        throw HushbitError.invalidArgument("the device key has \(key.count) bytes; it must have 32")
    }
    func withBudget(_ key: UnsafePointer<UInt8>?, _ log: UnsafePointer<CChar>?) throws -> Value {
        let epoch = memoization?.epoch ?? 0
        guard let budget else { return try use(Lent(deviceKey: key, epoch: epoch, auditLog: log, budget: nil)) }
        return try budget.handle.use { try use(Lent(deviceKey: key, epoch: epoch, auditLog: log, budget: $0)) }
    }
    return try key.withUnsafeBufferPointer { bytes in
        let lent = memoization == nil ? nil : bytes.baseAddress
        guard let auditLog else { return try withBudget(lent, nil) }
        return try auditLog.withPath { try withBudget(lent, $0) }
    }
}
