import Foundation

/// The folders where the two processes keep their files.
enum Containers {
    /// The same as in the entitlements of both targets.
    static let group = "group.dev.hushbit.keyboard-sample"

    /// The container that app and keyboard share.
    static func shared() throws -> SharedContainer {
        let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        guard let url else { throw SampleError.noSharedContainer }
        return SharedContainer(directory: url)
    }

    /// The container that belongs only to the calling process.
    static func own() -> KeyboardStorage {
        let directories = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return KeyboardStorage(directory: directories[0].appendingPathComponent("Hushbit"))
    }
}
