import Foundation

/// Creates a directory that can be read only while the device is unlocked, and that is excluded from backups.
func makePrivateDirectory(_ url: URL) throws {
    let manager = FileManager.default
    guard !manager.fileExists(atPath: url.path) else { return }
    try manager.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.protectionKey: FileProtectionType.complete])
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    var directory = url
    try directory.setResourceValues(values)
}

/// Writes a file atomically, so that after a crash it is the old or the new one.
func writePrivately(_ data: Data, to url: URL) throws {
    try data.write(to: url, options: [.atomic, .completeFileProtection])
}
