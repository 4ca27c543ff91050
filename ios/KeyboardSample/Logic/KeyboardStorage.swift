import Foundation

/// The keyboard's files, all in the extension's own container. No other app can read it, not even the app of this
/// sample.
struct KeyboardStorage: Sendable {
    let directory: URL

    /// The kept texts.
    var kept: ReleaseStore { ReleaseStore(directory: directory.appendingPathComponent("kept")) }

    /// The ledger of the total cost of all releases.
    var budget: URL { directory.appendingPathComponent("budget") }

    /// The ledger of the daily reports.
    var reportBudget: URL { directory.appendingPathComponent("report-budget") }

    /// The secret of this device, 32 random bytes: a repeated word gets the same noise, so that the noise cannot be
    /// averaged away.
    ///
    /// It is a file and not a keychain item: the system deletes it with the app, which it does not do with a keychain
    /// item, and it needs no entitlement. The directory keeps it encrypted while the device is locked, and excludes it
    /// from backups.
    func deviceKey() throws -> [UInt8] {
        let file = directory.appendingPathComponent("device-key")
        if !FileManager.default.fileExists(atPath: file.path) { try makeDeviceKey(file) }
        let key = try [UInt8](Data(contentsOf: file))
        guard key.count == 32 else { throw SampleError.damagedDeviceKey }
        return key
    }

    /// Another keyboard process may do the same now. Creating a link is atomic, and only one of them succeeds.
    private func makeDeviceKey(_ file: URL) throws {
        try makePrivateDirectory(directory)
        var generator = SystemRandomNumberGenerator()  // the operating system's, fit for secrets
        let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let new = directory.appendingPathComponent("device-key-\(UUID().uuidString)")
        try writePrivately(key, to: new)
        defer { try? FileManager.default.removeItem(at: new) }
        do {
            try FileManager.default.linkItem(at: new, to: file)
        } catch {
            guard FileManager.default.fileExists(atPath: file.path) else { throw error }
        }
    }
}
