import Foundation

/// The keyboard's files, all in the extension's own container, which no other app can read, this sample's included.
struct KeyboardStorage: Sendable {
    let directory: URL

    /// What was kept.
    var kept: ReleaseStore { ReleaseStore(directory: directory.appendingPathComponent("kept")) }

    /// The ledger of what all releases cost together.
    var budget: URL { directory.appendingPathComponent("budget") }

    /// The secret of this device, 32 random bytes: a word shared again gets the same noise, so that it cannot be
    /// averaged away.
    ///
    /// A file and not a keychain item: it goes when the app is removed, which an item of the keychain does not, and it
    /// needs no entitlement. The directory keeps it encrypted while the device is locked, and out of backups.
    func deviceKey() throws -> [UInt8] {
        let file = directory.appendingPathComponent("device-key")
        if !FileManager.default.fileExists(atPath: file.path) { try makeDeviceKey(file) }
        let key = try [UInt8](Data(contentsOf: file))
        guard key.count == 32 else { throw SampleError.damagedDeviceKey }
        return key
    }

    /// Another keyboard process may do the same now: a link is made as a whole, and by one of them.
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
