import Foundation

/// A privatized text, or a report. It never contains typed text.
struct Release: Codable, Equatable, Sendable {
    /// What a release is about.
    enum About: String, Codable, Sendable {
        /// A text, word by word.
        case text
        /// One emoji of a line, or none.
        case emoji
        /// One word of a line, or none.
        case word
    }

    /// Privatized text, or a report as a line of JSON.
    var text: String
    /// Of a text: the effective epsilon of its unit; of a report: that of the whole line.
    var epsilon: Double
    /// The local-DP epsilon of the text.
    var worstCase: Double
    /// The hash of the bundle from which its words come, or of the values that it is about.
    var source: String
    /// Days since 1970-01-01 UTC.
    var day: UInt64
    /// What it is about.
    var about = About.text
    /// The worst case of all texts that were drawn since the last one was kept, this one included: whoever saw the text
    /// that was thrown away knows it, too. Nil until it is kept.
    var drawn: Double?
    /// Whether it was handed to another app.
    var isExported = false
}

/// A release that was kept.
struct Kept: Equatable, Sendable {
    /// The name of its file.
    let id: String
    let release: Release
}
