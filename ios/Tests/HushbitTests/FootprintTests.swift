import Foundation
import XCTest

@testable import Hushbit

/// What a keyboard extension pays: dirty memory, for which it can be ended.
final class FootprintTests: XCTestCase {
    /// The bundle of 400,000 words that tools/demo makes, or a small one where there is none; the log says which.
    private func largest() throws -> HushbitBundle {
        let large = vectors.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("build/demo/words.hushbit")
        let bundle = try FileManager.default.fileExists(atPath: large.path) ? HushbitBundle(url: large) : words()
        print("footprint: measured on \(bundle.info.words) words")
        return bundle
    }

    func testAThousandWordsDirtyLessThanTwoMegabytes() throws {
        _ = try Privatizer(bundle: words()).privatize("the cat")  // what Swift itself needs once
        let before = try XCTUnwrap(HushbitRuntime.footprint)
        let privatizer = try Privatizer(bundle: largest())
        var words: UInt64 = 0
        for _ in 0..<100 {
            words += try privatizer.privatize("the men were with the women and the old dog").cost.words
        }
        let after = try XCTUnwrap(HushbitRuntime.footprint)
        XCTAssertEqual(1_000, words)
        XCTAssertLessThan(Int64(after) - Int64(before), 2 << 20)
        print("footprint: \(Int64(after) - Int64(before)) bytes more, \(after) in all")
    }

    func testTheFootprintGrowsWithDirtyPages() throws {
        let before = try XCTUnwrap(HushbitRuntime.footprint)
        let pages = [UInt8](repeating: 1, count: 32 << 20)
        let during = try XCTUnwrap(HushbitRuntime.footprint)
        XCTAssertGreaterThan(Int64(during) - Int64(before), 30 << 20)
        XCTAssertEqual(1, pages.randomElement())
    }
}
