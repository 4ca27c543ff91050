import Foundation
import Hushbit
import XCTest

@testable import KeyboardLogic

/// What sharing costs the extension in dirty memory, for which it can be ended.
final class FootprintTests: DirectoryTestCase {
    /// The bundle of 400,000 words that tools/demo makes, or a small one where there is none; the log says which.
    private static let openLargest: @Sendable () throws -> HushbitBundle = {
        let large = repository.appendingPathComponent("build/demo/words.hushbit")
        return try FileManager.default.fileExists(atPath: large.path) ? HushbitBundle(url: large) : openWords()
    }

    func testADayOfSharingDirtiesLessThanTwoMegabytes() async throws {
        let first = Privacy(storage: storage, openBundle: openWords)  // what Swift and Foundation need once
        try storage.kept.add(await first.draw("the cat").released())
        _ = storage.kept.all()
        let before = try XCTUnwrap(HushbitRuntime.footprint)
        let privacy = Privacy(storage: storage, openBundle: Self.openLargest)
        for number in 0..<49 {  // no text twice: it would not be drawn
            try storage.kept.add(await privacy.draw("men with women and old dog \(number)").released())
        }
        XCTAssertEqual(50, storage.kept.all().count)
        let after = try XCTUnwrap(HushbitRuntime.footprint)
        XCTAssertLessThan(Int64(after) - Int64(before), 2 << 20)
        try print("footprint: \(Int64(after) - Int64(before)) bytes more, on \(Self.openLargest().info.words) words")
    }
}
