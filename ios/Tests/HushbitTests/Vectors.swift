import Foundation
import XCTest

@testable import Hushbit

/// Where the golden vectors are.
let vectors = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("tests/vectors")

func vector(_ name: String) -> URL { vectors.appendingPathComponent(name) }

func words() throws -> HushbitBundle { try HushbitBundle(url: vector("words-256.hushbit")) }

/// The files of tests/vectors, as README.md there describes them. Bytes are hexadecimal.
struct VectorFile: Decodable {
    let bundle, bundle_hash: String
    let bits, max_distance, max_word_bytes: Int
    let average_distance: Double
    let words: [String]
    let nearest: [Nearest]
    let cases: [Case]
    let output_words, public_words: Int?

    struct Nearest: Decodable {
        let code: String
        let distance, ties, word: UInt32
        let neighbors: Neighbors
    }

    struct Neighbors: Decodable {
        let ids, distances: [UInt32]
    }

    struct Case: Decodable {
        let name, mechanism, oov, punctuation, mask, epoch, text: String
        let epsilon, beta: Double
        let device_key, seed, stream: String?
        let status: UInt32
        let position: UInt64
        let flip_threshold: String?
        let gamma: Int?
        let tokens: [TokenOfCase]?
        let noisy_codes: [String]?
        let output: String?
        let cost: CostOfCase?
        let crowd: String?
        let crowd_threshold: String?
        let crowd_mass, output_mass: Int?
        let mean_crowd: Double?
    }

    struct TokenOfCase: Decodable {
        let kind: String
        let id: UInt32?
        let bytes, utf16: [Int]
        let output: [Int]?
    }

    struct CostOfCase: Decodable {
        let epsilon: Double
        let average, worst_case: Double?
        let words, unknown, dropped, verbatim: UInt64
        let public_words: UInt64?
    }
}

extension VectorFile {
    static func all() throws -> [VectorFile] {
        let names = try FileManager.default.contentsOfDirectory(atPath: vectors.path).sorted()
        return try names.filter { $0.hasPrefix("privatize-") && $0.hasSuffix(".json") }.map { try read($0) }
    }
}

func read<Value: Decodable>(_ name: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: vector(name)))
}

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { UInt8($0 < 97 ? $0 - 48 : $0 - 87) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

func assertClose(_ expected: Double, _ actual: Double, _ what: String) {
    XCTAssertTrue(
        expected == actual || abs(expected - actual) <= 1e-12 * abs(expected), "\(what): \(actual), not \(expected)")
}

func assertThrows<Value>(
    _ call: @autoclosure () throws -> Value, line: UInt = #line, _ isExpected: (HushbitError) -> Bool
) {
    XCTAssertThrowsError(try call(), line: line) { error in
        XCTAssertTrue((error as? HushbitError).map(isExpected) ?? false, "\(error)", line: line)
    }
}
