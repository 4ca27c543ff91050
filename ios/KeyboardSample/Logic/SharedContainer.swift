import Foundation

/// The container of the app group. The app may read and write it; the keyboard may read it, and write with Full Access
/// alone.
struct SharedContainer: Sendable {
    let directory: URL

    /// What the keyboard handed over.
    var kept: ReleaseStore { ReleaseStore(directory: directory.appendingPathComponent("kept")) }

    /// Whether the user allowed sharing. Off at first, and off if it cannot be read.
    var isSharingOn: Bool { FileManager.default.fileExists(atPath: consent.path) }

    /// For the app's switch.
    func setSharing(_ isOn: Bool) throws {
        if isOn {
            try makePrivateDirectory(directory.appendingPathComponent("settings"))
            try writePrivately(Data(), to: consent)
        } else if isSharingOn {
            try FileManager.default.removeItem(at: consent)
        }
    }

    /// Moves what the keyboard kept here, for the app to review; how many.
    ///
    /// - Throws: ``SampleError/requiresFullAccess`` without it; then everything stays where it is.
    @discardableResult
    func handOver(from storage: KeyboardStorage, hasFullAccess: Bool, today: UInt64) throws -> Int {
        guard hasFullAccess else { throw SampleError.requiresFullAccess }
        let count = try kept.take(from: storage.kept)
        try writePrivately(Data(String(today).utf8), to: lastHandOver)
        return count
    }

    /// What the app can show. A keyboard that lost Full Access cannot say so: all it left is the day of its last visit.
    var review: Review {
        guard let text = try? String(contentsOf: lastHandOver, encoding: .utf8), let day = UInt64(text) else {
            return .requiresFullAccess
        }
        return .kept(kept.all(), handedOver: day)
    }

    private var consent: URL { directory.appendingPathComponent("settings/sharing-is-on") }
    private var lastHandOver: URL { directory.appendingPathComponent("last-hand-over") }
}

/// What the app shows of what the keyboard kept.
enum Review: Equatable {
    /// The keyboard never could hand anything over.
    case requiresFullAccess
    /// These, oldest first, as of a day since 1970-01-01 UTC.
    case kept([Kept], handedOver: UInt64)
}
