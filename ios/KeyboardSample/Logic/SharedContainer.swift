import Foundation

/// The container of the app group. The app may read and write it. The keyboard may read it, and may write to it only
/// with Full Access.
struct SharedContainer: Sendable {
    let directory: URL

    /// The texts that the keyboard handed over.
    var kept: ReleaseStore { ReleaseStore(directory: directory.appendingPathComponent("kept")) }

    /// What the user can allow, each by a switch of the app.
    enum Consent: String, CaseIterable {
        /// Sharing what the lock key is pressed for.
        case sharing = "sharing-is-on"
        /// One report a day, see ``DailyReport``.
        case reports = "reports-are-on"
    }

    /// Whether the user has allowed it. Off by default, and off if it cannot be read.
    func isOn(_ consent: Consent) -> Bool { FileManager.default.fileExists(atPath: file(consent).path) }

    /// For the app's switches.
    func set(_ consent: Consent, _ isAllowed: Bool) throws {
        if isAllowed {
            try makePrivateDirectory(directory.appendingPathComponent("settings"))
            try writePrivately(Data(), to: file(consent))
        } else if isOn(consent) {
            try FileManager.default.removeItem(at: file(consent))
        }
    }

    /// Moves the keyboard's kept texts here, so that the app can review them. Returns their number.
    ///
    /// - Throws: ``SampleError/requiresFullAccess`` without Full Access; then nothing is moved.
    @discardableResult
    func handOver(from storage: KeyboardStorage, hasFullAccess: Bool, today: UInt64) throws -> Int {
        guard hasFullAccess else { throw SampleError.requiresFullAccess }
        let count = try kept.take(from: storage.kept)
        try writePrivately(Data(String(today).utf8), to: lastHandOver)
        return count
    }

    /// What the app can show. A keyboard that lost Full Access cannot report it, so the day of its last visit is all
    /// that is known.
    var review: Review {
        guard let text = try? String(contentsOf: lastHandOver, encoding: .utf8), let day = UInt64(text) else {
            return .requiresFullAccess
        }
        return .kept(kept.all(), handedOver: day)
    }

    private func file(_ consent: Consent) -> URL {
        directory.appendingPathComponent("settings").appendingPathComponent(consent.rawValue)
    }
    private var lastHandOver: URL { directory.appendingPathComponent("last-hand-over") }
}

/// What the app can show of the keyboard's kept texts.
enum Review: Equatable {
    /// The keyboard was never able to hand over anything.
    case requiresFullAccess
    /// The texts, oldest first, and the day of the last visit, counted since 1970-01-01 UTC.
    case kept([Kept], handedOver: UInt64)
}
