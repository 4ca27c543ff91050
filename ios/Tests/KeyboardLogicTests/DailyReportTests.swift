import Foundation
import Hushbit
import XCTest

@testable import KeyboardLogic

/// One report a day, over the real library.
final class DailyReportTests: DirectoryTestCase {
    /// As after a restart of the keyboard.
    private func daily(_ day: UInt64, _ storage: KeyboardStorage? = nil) -> DailyReport {
        DailyReport(storage: storage ?? self.storage, openBundle: openWords, today: { day })
    }

    func testEmojiAndWordsTakeTurns() async throws {
        // A ledger of its own: ledgers have the system's clock.
        let another = KeyboardStorage(directory: directory.appendingPathComponent("another"))
        _ = try await daily(20_000).keep("the men \u{1F602}")
        _ = try await daily(20_001, another).keep("the men")
        let kept = storage.kept.all() + another.kept.all()
        XCTAssertEqual([.emoji, .word], kept.map(\.release.about))
        XCTAssertEqual(2, Set(kept.map(\.release.source)).count)
        for release in kept.map(\.release) {
            XCTAssertEqual(DailyReport.epsilon, release.epsilon)
            XCTAssertTrue(release.text.hasPrefix("{\"report\": "))
            XCTAssertFalse(release.text.contains("men"))
        }
    }

    func testThereIsOneADayAlsoAfterARestart() async throws {
        let first = daily(20_000)
        let outcomes = [
            try await first.keep("the men"), try await first.keep("the women"), try await daily(20_000).keep("women"),
        ]
        XCTAssertEqual([true, false, false], outcomes)
        try storage.kept.clear()
        let later = try await daily(20_000).keep("women")
        XCTAssertFalse(later)
        XCTAssertEqual(0, storage.kept.count)
    }

    func testALineWithoutAnythingToReportHasAReportToo() async throws {
        let kept = try await daily(20_000).keep("...")
        XCTAssertTrue(kept)
    }

    func testReportsAreOffByDefaultAndHaveASwitchOfTheirOwn() throws {
        for consent in SharedContainer.Consent.allCases { XCTAssertFalse(shared.isOn(consent)) }
        try shared.set(.reports, true)
        XCTAssertTrue(shared.isOn(.reports))
        XCTAssertFalse(shared.isOn(.sharing))
        try shared.set(.reports, false)
        XCTAssertFalse(shared.isOn(.reports))
    }
}
