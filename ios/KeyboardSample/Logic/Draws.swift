import Foundation
import Hushbit

/// What came of a request to privatize a text.
enum Draw: Equatable, Sendable {
    /// It was drawn, for the first time.
    case released(Release)
    /// Nothing was drawn: a text with the same words was drawn before.
    case repeated
}

/// Which texts were drawn. A choice among draws of a text would reveal more than the stated cost, so a text is drawn
/// once, until its words are others. Contains hashes of texts, whose key lives as long as the process.
///
/// After a restart the noise of a text is the same until the epoch ends, so that there is nothing to choose from.
struct Draws: Sendable {
    private var seen: Set<Int> = []

    /// Notes a text with its tokens. Returns nil if a text with the same words was noted before.
    mutating func note(_ text: String, _ tokens: [Token]) -> Int? {
        var hasher = Hasher()  // its key is random, and another one in every process
        for token in tokens where token.kind != .punctuation {
            hasher.combine(token.wordID)
            // Known words by their id, unknown ones as typed in lower case: nothing else of a text matters.
            guard token.wordID == nil else { continue }
            hasher.combine(text[token.range].precomposedStringWithCanonicalMapping.lowercased())
        }
        let hash = hasher.finalize()
        return seen.insert(hash).inserted ? hash : nil
    }

    /// Takes back what ``note(_:_:)`` returned: nothing was drawn.
    mutating func forget(_ noted: Int) { seen.remove(noted) }
}
