import CHushbit
import Foundation

/// Weights that were learned from many people's embeddings, for texts on the device.
///
/// Nothing is released and nothing is spent. What it says tells much about a text, so it must not be sent. Any number
/// of threads may use the same classifier at once.
public final class Classifier: Sendable {
    private let handle: Handle

    /// The names of the classes.
    public let classes: [String]

    /// Opens the weights of a classifier, in JSON. They must have been learned from embeddings of the same bundle or
    /// projection.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` if they cannot be used; the message says why.
    public init(weights: String, embedder: Embedder) throws {
        let handle = try embedder.handle.use { embedder in
            try weights.withBytes { json, count in
                try make(release: { hushbit_classifier_close($0) }) {
                    hushbit_classifier_open(embedder, json, count, $0, $1)
                }
            }
        }
        self.handle = handle
        classes = handle.use { classifier in
            (0..<hushbit_classifier_count(classifier)).map { index in
                var length = 0
                guard let name = hushbit_classifier_name(classifier, index, &length) else { return "" }
                return String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self)
            }
        }
    }

    /// The class of a text as typed.
    public func classify(_ text: String) throws -> Classified {
        try classified { classifier, best, odds in
            try check(in: text) { failure in
                text.withBytes { hushbit_classify(classifier, $0, $1, best, odds, failure) }
            }
        }
    }

    /// The class of a vector of your own, as in ``Embedder/embed(vector:)``.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for another number of numbers, or one that is not finite.
    public func classify(vector: [Float]) throws -> Classified {
        try classified { classifier, best, odds in
            try check { hushbit_classify_vector(classifier, vector, vector.count, best, odds, $0) }
        }
    }

    private func classified(
        _ classify: (OpaquePointer, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<Double>) throws -> Void
    ) throws -> Classified {
        var best: UInt32 = 0
        var odds = [Double](repeating: 0, count: classes.count)
        try handle.use { classifier in
            try odds.withUnsafeMutableBufferPointer { try classify(classifier, &best, $0.baseAddress!) }
        }
        let shares = odds.map { exp($0 - odds[Int(best)]) }
        let sum = shares.reduce(0, +)
        return Classified(name: classes[Int(best)], probabilities: shares.map { $0 / sum })
    }
}

/// What a classifier says of a text.
public struct Classified: Hashable, Sendable {
    /// The most likely class.
    public let name: String
    /// The probabilities of all classes, in the order of ``Classifier/classes``.
    public let probabilities: [Double]
}
