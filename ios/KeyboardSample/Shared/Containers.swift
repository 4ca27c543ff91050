import Foundation

/// Where the two processes keep their files.
enum Containers {
    /// As in the entitlements of both targets.
    static let group = "group.dev.hushbit.keyboard-sample"

    /// What app and keyboard share.
    static func shared() throws -> SharedContainer {
        let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        guard let url else { throw SampleError.noSharedContainer }
        return SharedContainer(directory: url)
    }

    /// What belongs to the calling process alone.
    static func own() -> KeyboardStorage {
        let directories = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return KeyboardStorage(directory: directories[0].appendingPathComponent("Hushbit"))
    }
}
