import Foundation

/// A privatized text. It never contains typed text.
struct Release: Codable, Equatable, Sendable {
    /// Privatized text.
    var text: String
    /// The effective budget per differing bit.
    var epsilon: Double
    /// The local-DP epsilon of the text.
    var worstCase: Double
    /// The hash of the bundle from which its words come.
    var bundleHash: String
    /// Days since 1970-01-01 UTC.
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
