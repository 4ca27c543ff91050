import Foundation

/// Makes a directory that can be read while the device is unlocked alone, and that is in no backup.
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

/// Writes a file as a whole, so that a crash leaves the old or the new one.
func writePrivately(_ data: Data, to url: URL) throws {
    try data.write(to: url, options: [.atomic, .completeFileProtection])
}
