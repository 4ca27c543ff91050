import Foundation
import Hushbit
import XCTest

@testable import KeyboardLogic

/// A test with a directory of its own, and the keyboard's files in it.
class DirectoryTestCase: XCTestCase {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var storage: KeyboardStorage { KeyboardStorage(directory: directory.appendingPathComponent("own")) }
    var shared: SharedContainer { SharedContainer(directory: directory.appendingPathComponent("shared")) }

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: shared.directory, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: directory) }

    /// The names and contents of all files, to look for what must not be there.
    func everyFile() throws -> String {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        return names.map { name in
            let data = FileManager.default.contents(atPath: directory.appendingPathComponent(name).path) ?? Data()
            return name + "\n" + String(decoding: data, as: UTF8.self)
        }.joined(separator: "\n")
    }
}

let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

@Sendable func openWords() throws -> HushbitBundle {
    try HushbitBundle(url: repository.appendingPathComponent("tests/vectors/words-256.hushbit"))
}

extension Draw {
    /// The release; fails the test for a text that was drawn before.
    func released() throws -> Release {
        guard case .released(let release) = self else { throw DrawnBefore() }
        return release
    }
}

struct DrawnBefore: Error {}

func release(_ text: String, worstCase: Double = 300, day: UInt64 = 20_000) -> Release {
    Release(text: text, epsilon: 1.5, worstCase: worstCase, source: "ab12", day: day)
}
