import Foundation

/// The releases kept in a directory, one file each. Keyboard and app need no lock, since each change atomically
/// creates, replaces or removes one file.
struct ReleaseStore: Sendable {
    let directory: URL

    /// All releases, oldest first; damaged files are left out.
    func all() -> [Kept] {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return names().compactMap { name in
            guard let data = try? Data(contentsOf: file(name)) else { return nil }
            return (try? decoder.decode(Release.self, from: data)).map { Kept(id: name, release: $0) }
        }
    }

    /// The number of files.
    var count: Int { names().count }

    func add(_ release: Release) throws {
        try makePrivateDirectory(directory)
        try write(release, to: nextName())
    }

    /// Removes one; nothing happens if it does not exist.
    func delete(_ id: String) throws {
        guard names().contains(id) else { return }
        try FileManager.default.removeItem(at: file(id))
    }

    /// Records that one was exported to another app; nothing happens if it does not exist.
    func markExported(_ id: String) throws {
        guard var release = all().first(where: { $0.id == id })?.release else { return }
        release.isExported = true
        try write(release, to: id)
    }

    /// Removes all files, including damaged ones.
    func clear() throws {
        for name in names() { try delete(name) }
    }

    /// Moves all files of another store to the end of this one. Returns their number.
    @discardableResult
    func take(from other: ReleaseStore) throws -> Int {
        let names = other.names()
        guard !names.isEmpty else { return 0 }
        try makePrivateDirectory(directory)
        for name in names {
            try FileManager.default.moveItem(at: other.file(name), to: file(nextName()))
        }
        return names.count
    }

    /// Files in the order in which they were added.
    private func names() -> [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return found.filter { $0.hasSuffix(Self.suffix) }.sorted()
    }

    /// A name that sorts after all others. The UUID distinguishes files that two processes add at once.
    private func nextName() -> String {
        let last = names().last.flatMap { UInt64($0.prefix { $0 != "-" }) } ?? 0
        let number = String(last + 1)
        return String(repeating: "0", count: max(0, 12 - number.count)) + number + "-\(UUID().uuidString)\(Self.suffix)"
    }

    private func write(_ release: Release, to name: String) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        try writePrivately(encoder.encode(release), to: file(name))
    }

    private func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    private static let suffix = ".json"
}
