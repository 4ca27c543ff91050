import XCTest

@testable import Hushbit

/// Reports by the public interface: golden vectors with a device key, and what apps rely on.
final class ReporterTests: XCTestCase {
    private struct File: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let name, values, list, pass_over, epoch, hash: String
            let epsilon: Double
            let none, skin_tones: Bool
            let bundle, device_key, text, word: String?
            let value: UInt32?
            let report: UInt64
        }
    }

    func testGoldenVectors() throws {
        let file: File = try read("reports.json")
        let repeatable = file.cases.filter { $0.device_key != nil }
        XCTAssertGreaterThanOrEqual(repeatable.count, 50)
        for item in repeatable { try checkCase(item) }
    }

    func testValuesHaveSpellings() throws {
        let answers = try Reporter(bundle: nil, options: ReporterOptions(values: .list(["yes", "no"]), none: true))
        XCTAssertEqual(["", "yes", "no"], try (0..<3).map { try answers.value($0) })
        assertThrows(try answers.value(3)) { if case .invalidArgument = $0 { true } else { false } }
        let emoji = try Reporter(bundle: nil, options: ReporterOptions(values: .emoji))
        XCTAssertFalse(try emoji.value(1).isEmpty)
    }

    func testRefusals() throws {
        for options in [
            ReporterOptions(values: .emoji, epsilon: 0), ReporterOptions(values: .list(["only"])),
            ReporterOptions(values: .list(["a", "a"])), ReporterOptions(values: .list(["a\nb", "c"])),
        ] {
            assertThrows(try Reporter(bundle: nil, options: options)) {
                if case .invalidArgument = $0 { true } else { false }
            }
        }
        let answers = try Reporter(bundle: nil, options: ReporterOptions(values: .list(["yes", "no"])))
        assertThrows(try answers.report("perhaps")) { if case .unknownWord = $0 { true } else { false } }
        let report = try answers.report("yes")
        XCTAssertLessThan(report.report, answers.info.reports)
        XCTAssertTrue(report.json.hasSuffix(", \"epsilon\": 2.0, \"version\": 1}"), report.json)
    }

    private func checkCase(_ item: File.Case) throws {
        let kinds: [String: Values] = ["words": .words, "emoji": .emoji, "new-words": .newWords]
        let options = ReporterOptions(
            values: kinds[item.values] ?? .list(lines(item.list)), epsilon: item.epsilon, skinTones: item.skin_tones,
            none: item.none, passOver: lines(item.pass_over),
            memoization: Memoization(deviceKey: bytes(item.device_key!), epoch: UInt64(item.epoch, radix: 16)!))
        let bundle = try item.bundle.map { try HushbitBundle(url: vector($0)) }
        let reporter = try Reporter(bundle: bundle, options: options)
        let report: Report
        if let text = item.text {
            report = try reporter.report(String(decoding: bytes(text), as: UTF8.self))
        } else if let word = item.word {
            report = try reporter.report(word: String(decoding: bytes(word), as: UTF8.self))
        } else {
            report = try reporter.report(value: item.value!)
        }
        XCTAssertEqual(item.report, report.report, item.name)
        XCTAssertEqual(item.hash, reporter.info.hash, item.name)
        XCTAssertEqual(String(item.hash.prefix(16)), report.values, item.name)
        XCTAssertEqual(item.epsilon, report.epsilon, item.name)
    }

    private func lines(_ hex: String) -> [String] {
        hex.isEmpty ? [] : String(decoding: bytes(hex), as: UTF8.self).components(separatedBy: "\n")
    }
}
