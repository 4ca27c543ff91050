import XCTest

@testable import Hushbit

/// Learned weights on typed texts, and vectors of one's own, against the golden vectors.
final class ClassifierTests: XCTestCase {
    func testTypedTexts() throws {
        struct File: Decodable {
            let bundle, weights: String
            let classes: [String]
            let cases: [Case]
            let refused: [Refused]

            struct Case: Decodable {
                let name, text: String
                let best: Int
                let log_odds: [Double]
            }

            struct Refused: Decodable {
                let name, weights: String
            }
        }
        let file: File = try read("classify.json")
        let embedder = try Embedder(bundle: HushbitBundle(url: vector(file.bundle)))
        let weights = String(decoding: bytes(file.weights), as: UTF8.self)
        let classifier = try Classifier(weights: weights, embedder: embedder)
        XCTAssertEqual(file.classes.map { String(decoding: bytes($0), as: UTF8.self) }, classifier.classes)
        for item in file.cases {
            let classified = try classifier.classify(String(decoding: bytes(item.text), as: UTF8.self))
            XCTAssertEqual(classifier.classes[item.best], classified.name, item.name)
            let shares = item.log_odds.map { exp($0 - item.log_odds[item.best]) }
            let sum = shares.reduce(0, +)
            for (share, found) in zip(shares, classified.probabilities) {
                XCTAssertEqual(share / sum, found, accuracy: 1e-9, item.name)
            }
        }
        for item in file.refused {
            assertThrows(
                try Classifier(weights: String(decoding: bytes(item.weights), as: UTF8.self), embedder: embedder)
            ) { if case .invalidArgument = $0 { true } else { false } }
        }
    }

    func testVectorsOfOnesOwn() throws {
        struct File: Decodable {
            let projection, hash: String
            let input_numbers: Int
            let cases: [Case]

            struct Case: Decodable {
                let name, epoch: String
                let device_key, signs: String?
                let epsilon: Double
                let numbers: [Float]
                let status: UInt32
                let index: UInt32?
            }
        }
        let file: File = try read("embed-vectors.json")
        let projection = Data(bytes(file.projection))
        let info = try Embedder(projection: projection).info
        XCTAssertEqual(file.hash, info.hash)
        XCTAssertEqual(file.input_numbers, info.inputNumbers)
        assertThrows(try Embedder(projection: projection).embed(vector: [1, 2])) {
            if case .invalidArgument = $0 { true } else { false }
        }
        let repeatable = file.cases.filter { $0.device_key != nil && $0.status == 0 }
        XCTAssertFalse(repeatable.isEmpty)
        for item in repeatable {
            let memoization = Memoization(
                deviceKey: bytes(item.device_key!), epoch: UInt64(item.epoch, radix: 16)!)
            let options = EmbedderOptions(epsilon: item.epsilon, memoization: memoization)
            let embedding = try Embedder(projection: projection, options: options).embed(vector: item.numbers)
            XCTAssertEqual(item.index, embedding.index, item.name)
            XCTAssertEqual(UInt64(item.signs!, radix: 16), embedding.signs, item.name)
        }
    }
}
