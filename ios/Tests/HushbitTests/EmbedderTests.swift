import CHushbit
import CHushbitTesting
import XCTest

@testable import Hushbit

/// The files of tests/vectors about embeddings, as README.md there describes them.
private struct EmbeddingFile: Decodable {
    let bundle, bundle_hash, seed: String
    let dimensions, directions: Int
    let cases: [Case]

    struct Case: Decodable {
        let name, punctuation, epoch, text: String
        let epsilon: Double
        let device_key, seed, stream: String?
        let status: UInt32
        let position: UInt64
        let crowd_threshold, signs: String?
        let crowd_directions: Int?
        let effective_epsilon: Double?
        let index: UInt32?
    }
}

final class EmbedderTests: XCTestCase {
    func testGoldenVectors() throws {
        var checked = 0
        for name in ["embed-64.json", "embed-128.json"] {
            let file: EmbeddingFile = try read(name)
            let bundle = try HushbitBundle(url: vector(file.bundle))
            let info = try Embedder(bundle: bundle).info
            XCTAssertEqual(file.bundle_hash, info.hash)
            XCTAssertEqual(file.dimensions, info.dimensions)
            XCTAssertEqual(file.directions, info.directions)
            XCTAssertEqual(UInt64(file.seed, radix: 16), info.seed)
            for item in file.cases {
                try checkCase(bundle, item)
                checked += 1
            }
        }
        XCTAssertGreaterThanOrEqual(checked, 100)
    }

    func testNearestWordsAreWordsInOrder() throws {
        let bundle = try HushbitBundle(url: vector("embed-64.hushbit"))
        let embedder = try Embedder(bundle: bundle)
        let near = try embedder.nearestWords(to: embedder.embed("the cat").direction, count: 5)
        XCTAssertEqual(5, near.count)
        XCTAssertEqual(near.map(\.cosine).sorted(by: >), near.map(\.cosine))
        for word in near { XCTAssertFalse(try bundle.word(word.wordID).isEmpty) }
        assertThrows(try embedder.nearestWords(to: [1, 2, 3])) { if case .invalidArgument = $0 { true } else { false } }
        assertThrows(try embedder.nearestWords(to: [], count: 0)) {
            if case .invalidArgument = $0 { true } else { false }
        }
    }

    func testRefusals() throws {
        assertThrows(try Embedder(bundle: words())) { if case .invalidArgument = $0 { true } else { false } }
        let bundle = try HushbitBundle(url: vector("embed-64.hushbit"))
        for epsilon in [-1, Double.nan, .infinity] {
            assertThrows(try Embedder(bundle: bundle, options: EmbedderOptions(epsilon: epsilon))) {
                if case .invalidArgument = $0 { true } else { false }
            }
        }
    }

    func testATextCostsItsEpsilonAndOneToken() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let budget = try Budget(
            url: folder.appendingPathComponent("budget"), limits: BudgetLimits(worstCaseLifetime: 4))
        let bundle = try HushbitBundle(url: vector("embed-64.hushbit"))
        let embedder = try Embedder(bundle: bundle, options: EmbedderOptions(budget: budget))
        _ = try embedder.embed("the movie was not bad at all")
        _ = try embedder.embed("")
        assertThrows(try embedder.embed("the cat")) { if case .budgetExhausted = $0 { true } else { false } }
        XCTAssertEqual(4, try budget.state().worstCaseLifetime)
        XCTAssertEqual(2, try budget.state().tokensLifetime)
        XCTAssertEqual(2, try budget.state().textsToday)
        XCTAssertEqual(2, try budget.state().textsLifetime)
    }

    private func checkCase(_ bundle: HushbitBundle, _ item: EmbeddingFile.Case) throws {
        let epoch = UInt64(item.epoch, radix: 16)!
        let embedder = try Embedder(
            bundle: bundle,
            options: EmbedderOptions(
                epsilon: item.epsilon, punctuation: item.punctuation == "drop" ? .drop : .privatize,
                memoization: item.device_key.map { Memoization(deviceKey: bytes($0), epoch: epoch) }))
        try withResult { scratch in
            var failure = hushbit_error()
            var embedding = sized(hushbit_embedding.self)
            let status = release(embedder, item, scratch, &embedding, &failure)
            XCTAssertEqual(item.status, UInt32(status.rawValue), item.name)
            guard item.status == 0 else {
                XCTAssertEqual(item.position, failure.position, item.name)
                return
            }
            check(item, embedder.info, Embedding(embedding))
            guard item.device_key != nil else { return }
            check(item, embedder.info, try embedder.embed(String(decoding: bytes(item.text), as: UTF8.self)))
        }
    }

    private func check(_ item: EmbeddingFile.Case, _ info: EmbedderInfo, _ embedding: Embedding) {
        XCTAssertEqual(UInt64(item.crowd_threshold!, radix: 16), info.crowdThreshold, item.name)
        XCTAssertEqual(item.crowd_directions, info.crowdDirections, item.name)
        XCTAssertEqual(item.device_key != nil, info.isMemoized, item.name)
        assertClose(item.effective_epsilon!, info.effectiveEpsilon, item.name)
        XCTAssertEqual(item.index, embedding.index, item.name)
        XCTAssertEqual(UInt64(item.signs!, radix: 16), embedding.signs, item.name)
        XCTAssertEqual(info.effectiveEpsilon, embedding.epsilon, item.name)
    }

    private func release(
        _ embedder: Embedder, _ item: EmbeddingFile.Case, _ scratch: OpaquePointer,
        _ embedding: inout hushbit_embedding, _ failure: inout hushbit_error
    ) -> hushbit_status {
        let text = bytes(item.text).map { CChar(bitPattern: $0) }
        return embedder.handle.use { pointer in
            guard let stream = item.stream, item.seed == nil else {
                let seed = item.seed.map { bytes($0) } ?? [UInt8](repeating: 0, count: 32)
                return hushbit_testing_embed(pointer, seed, text, text.count, scratch, &embedding, &failure)
            }
            var rest = bytes(stream)[...]
            let status = withUnsafeMutablePointer(to: &rest) {
                hushbit_testing_embed_with(pointer, fill, $0, text, text.count, scratch, &embedding, &failure)
            }
            XCTAssertTrue(rest.isEmpty, "\(item.name): \(rest.count) bytes were not used")
            return status
        }
    }
}
