import Foundation
import XCTest

@testable import Hushbit

/// Texts that go wrong elsewhere, lifetimes, threads and arguments out of range.
final class PrivatizerTests: XCTestCase {
    func testEmojiMarksAndNULMapBack() throws {
        let typed =
            "\u{1F469}\u{200D}\u{1F680} zq\u{1F600}x \u{0}the\u{0} cafe\u{301} \u{1F1E9}\u{1F1EA} e\u{301}\u{323}qz cat"
        let privatizer = try Privatizer(bundle: words(), options: PrivatizerOptions(oov: .verbatimUnsafe))
        let result = try privatizer.privatize(typed)
        let found = result.tokens.filter { $0.kind == .word }.map { String(typed[$0.range]) }
        XCTAssertEqual(["the", "cafe\u{301}", "cat"], found.filter { $0 != "x" })
        XCTAssertTrue(result.tokens.contains { $0.kind == .unknown })
        for token in result.tokens where token.kind == .unknown {
            XCTAssertEqual(typed[token.range], result.text[token.output!])
        }
        XCTAssertEqual(.infinity, result.cost.worstCase)
    }

    func testIndicesInsideOfACharacter() throws {
        let typed = "the\r\n\u{1F468}\u{200D}cat \u{1F44D}\u{1F3FD}"  // a joiner ends no Character
        let tokens = try words().tokenize(typed).filter { $0.kind == .word }
        XCTAssertEqual(["the", "cat"], tokens.map { String(typed.unicodeScalars[$0.range]) })
    }

    func testABridgedStringMapsBack() throws {
        let typed = NSString(string: "\u{1F600} the \u{1F600}\u{1F600} cat") as String
        let tokens = try words().tokenize(typed).filter { $0.kind == .word }
        XCTAssertEqual(["the", "cat"], tokens.map { String(typed[$0.range]) })
    }

    func testEmptyAndLongTexts() throws {
        let privatizer = try Privatizer(bundle: words())
        for text in ["", " ", "\n\t"] { XCTAssertEqual("", try privatizer.privatize(text).text) }
        let result = try privatizer.privatize(String(repeating: "the men were with the women. ", count: 2_000))
        XCTAssertEqual(12_000, result.cost.words)
        XCTAssertEqual(12_000, result.text.split(separator: " ").count)
    }

    func testTheErrorPolicyNamesThePlaceButNotTheWord() throws {
        let typed = "\u{1F600} the qz\u{E9}xv"
        let privatizer = try Privatizer(bundle: words(), options: PrivatizerOptions(oov: .error))
        assertThrows(try privatizer.privatize(typed)) { error in
            guard case .unknownWord(let message, let index) = error else { return false }
            return typed[index...] == "qz\u{E9}xv" && !message.contains("qz") && !"\(error)".contains("qz")
        }
    }

    func testAMaskOutsideOfTheBMP() throws {
        let options = PrivatizerOptions(oov: .mask("\u{1F648}"))
        let privatizer = try Privatizer(bundle: words(), options: options)
        let result = try privatizer.privatize("qzxv the qzxw cat")
        let masked = result.tokens.filter { $0.kind == .unknown }.map { String(result.text[$0.output!]) }
        XCTAssertEqual(["\u{1F648}", "\u{1F648}"], masked)
    }

    func testArgumentsOutOfRange() throws {
        let key = [UInt8](repeating: 1, count: 31)
        let refused = [
            PrivatizerOptions(epsilon: -0.1),
            PrivatizerOptions(epsilon: .nan),
            PrivatizerOptions(epsilon: .infinity),
            PrivatizerOptions(mechanism: .tem),  // the bundle's epsilon is meant for BRR
            PrivatizerOptions(mechanism: .tem, epsilon: 0.05, beta: 0),
            PrivatizerOptions(mechanism: .tem, epsilon: 0.05, beta: 1),
            PrivatizerOptions(mechanism: .tem, epsilon: 6),  // leaves every word as it was typed
            PrivatizerOptions(oov: .mask("")),
            PrivatizerOptions(oov: .mask(String(repeating: "x", count: 65))),
            PrivatizerOptions(memoization: Memoization(deviceKey: key, epoch: 1)),
            PrivatizerOptions(auditLog: URL(string: "https://example.com/log")),
        ]
        for options in refused {
            assertThrows(try Privatizer(bundle: words(), options: options)) {
                if case .invalidArgument(let message) = $0 { return !message.isEmpty } else { return false }
            }
        }
        let allowed = PrivatizerOptions(mechanism: .tem, epsilon: 6, allowUnchanged: true)
        _ = try Privatizer(bundle: words(), options: allowed)
    }

    func testAPrivatizerOutlivesItsBundleAndBudget() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + end) } }
        weak var gone: HushbitBundle?
        var privatizer: Privatizer?
        do {
            let bundle = try words()
            gone = bundle
            let options = try PrivatizerOptions(budget: Budget(url: url))
            privatizer = try Privatizer(bundle: bundle, options: options)
        }
        XCTAssertNil(gone)
        XCTAssertEqual(2, try privatizer?.privatize("the cat").cost.words)
        XCTAssertEqual(2, try Budget(url: url).state().tokensLifetime)
    }

    func testNoiseIsFreshOrMemoized() throws {
        let typed = "the men were with the women"
        let fresh = try Privatizer(bundle: words(), options: PrivatizerOptions(epsilon: 0.01))
        XCTAssertNotEqual(try fresh.privatize(typed).text, try fresh.privatize(typed).text)  // equal once in 10^12
        let memoization = Memoization(deviceKey: Array(0..<32), epoch: 7)
        let options = PrivatizerOptions(epsilon: 0.01, memoization: memoization)
        let memoized = try Privatizer(bundle: words(), options: options)
        XCTAssertEqual(try memoized.privatize(typed).text, try memoized.privatize(typed).text)
        var dumped = ""
        dump(options, to: &dumped)
        XCTAssertTrue(dumped.contains("epoch") && !dumped.contains("deviceKey"))
        XCTAssertFalse("\(options)".contains("deviceKey"))
    }

    func testEightThreads() throws {
        let privatizer = try Privatizer(bundle: words())
        let lock = NSLock()
        nonisolated(unsafe) var total: UInt64 = 0
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            var mine: UInt64 = 0
            for _ in 0..<250 {
                mine += (try? privatizer.privatize("The men were \u{1F600} with qzxv.").cost.words) ?? 0
            }
            lock.lock()
            total += mine
            lock.unlock()
        }
        XCTAssertEqual(8 * 250 * 4, total)
    }

    func testFootprint() throws {
        XCTAssertGreaterThan(try XCTUnwrap(HushbitRuntime.footprint), 0)
        XCTAssertEqual(3, HushbitRuntime.version.split(separator: ".").count)
    }

    func testResultsAreValues() throws {
        let made = try (0..<2).map { _ in
            try Privatizer(bundle: words(), options: PrivatizerOptions(epsilon: 0.1))
        }
        XCTAssertEqual(1, Set(made.map(\.info)).count)
        XCTAssertEqual(1, Set(try made.map { try $0.privatize("the cat").cost }).count)
        XCTAssertEqual(2, Set(try words().tokenize("the cat")).count)
    }
}
