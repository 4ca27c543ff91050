import Foundation

/// A text that was privatized. What was typed is nowhere in it.
struct Release: Codable, Equatable, Sendable {
    /// Privatized text.
    var text: String
    /// The effective budget per differing bit.
    var epsilon: Double
    /// The local-DP epsilon of the text.
    var worstCase: Double
    /// The bundle that its words come from.
    var bundleHash: String
    /// Since 1970-01-01 UTC.
    var day: UInt64
    /// Whether it was handed to another app.
    var isExported = false
}

/// A release that was kept.
struct Kept: Equatable, Sendable {
    /// The name of its file.
    let id: String
    let release: Release
}
