import Foundation
import XCTest

@testable import Hushbit

/// The calls that do not block do what those that block do.
final class AsyncTests: XCTestCase {
    func testOpenVerifyPrivatize() async throws {
        let bundle = try await HushbitBundle.open(url: vector("words-64.hushbit"))
        try await bundle.verifyInBackground()
        let privatizer = try Privatizer(bundle: bundle)
        let released = try await privatizer.privatizeInBackground("the men were with the women")
        XCTAssertEqual(6, released.cost.words)
        XCTAssertEqual(6, released.text.split(separator: " ").count)
    }

    func testErrorsArrive() async throws {
        do {
            _ = try await HushbitBundle.open(url: vector("no-such-file.hushbit"))
            XCTFail("a file that is not there was opened")
        } catch HushbitError.fileNotFound(_) {}
    }

    func testATaskThatWasCanceledReleasesNothing() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + end) } }
        let budget = try Budget(url: url)
        let privatizer = try Privatizer(bundle: words(), options: PrivatizerOptions(budget: budget))
        let task = Task { () throws -> PrivatizedText in
            while !Task.isCancelled { await Task.yield() }
            return try await privatizer.privatizeInBackground("the cat")
        }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("a canceled task released something")
        } catch is CancellationError {}
        XCTAssertEqual(0, try budget.state().tokensLifetime)
    }

    func testManyAtOnce() async throws {
        let privatizer = try Privatizer(bundle: words())
        let total = try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<100 {
                group.addTask { try await privatizer.privatizeInBackground("The men were with the women.").cost.words }
            }
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(600, total)
    }
}
