import CHushbit
import CHushbitTesting
import XCTest

@testable import Hushbit

/// Every golden vector, byte for byte.
final class GoldenTests: XCTestCase {
    func testBundles() throws {
        let files = try VectorFile.all()
        XCTAssertGreaterThanOrEqual(files.count, 7)
        for file in files {
            let bundle = try HushbitBundle(url: vector(file.bundle))
            XCTAssertEqual(file.bundle_hash, bundle.info.hash)
            XCTAssertEqual(file.bits, bundle.info.bits)
            XCTAssertEqual(file.max_distance, bundle.info.maxDistance)
            XCTAssertEqual(file.max_word_bytes, bundle.info.maxWordBytes)
            assertClose(file.average_distance, bundle.info.averageDistance, "average distance")
            XCTAssertEqual(file.words.count, bundle.info.words)
            XCTAssertEqual(file.output_words ?? file.words.count, bundle.info.outputWords)
            XCTAssertEqual(file.public_words ?? 0, bundle.info.publicWords)
            for (id, hex) in file.words.enumerated() {
                let word = try bundle.word(UInt32(id))
                XCTAssertEqual(bytes(hex), Array(word.utf8))
                XCTAssertEqual(UInt32(id), try bundle.find(word))
            }
            try bundle.verify()
            for item in file.nearest { try checkNearest(bundle, item) }
        }
    }

    func testCases() throws {
        var checked = 0
        for file in try VectorFile.all() {
            let bundle = try HushbitBundle(url: vector(file.bundle))
            for item in file.cases {
                try checkCase(bundle, item)
                checked += 1
            }
        }
        XCTAssertGreaterThanOrEqual(checked, 440)
    }

    func testCoin() throws {
        struct Coin: Decodable {
            let epsilon, effective_epsilon: Double
            let flip_threshold: String
            let clamped: Bool
        }
        let bundle = try words()
        for coin in try read("coin.json") as [Coin] {
            let options = PrivatizerOptions(
                mechanism: .brr, epsilon: coin.epsilon, allowUnchanged: true)
            let info = try Privatizer(bundle: bundle, options: options).info
            XCTAssertEqual(UInt64(coin.flip_threshold, radix: 16), info.flipThreshold, "at \(coin.epsilon)")
            assertClose(coin.effective_epsilon, info.effectiveEpsilon, "effective epsilon of \(coin.epsilon)")
            XCTAssertEqual(coin.clamped, info.isClamped)
        }
    }

    func testKeystream() throws {
        struct Stream: Decodable {
            let seed, bytes: String
            let offset: UInt64
        }
        for item in try read("keystream.json") as [Stream] {
            let expected = bytes(item.bytes)
            var actual = [UInt8](repeating: 0, count: expected.count)
            hushbit_testing_keystream(bytes(item.seed), item.offset, &actual, actual.count)
            XCTAssertEqual(expected, actual)
        }
    }

    private func checkNearest(_ bundle: HushbitBundle, _ item: VectorFile.Nearest) throws {
        var nearest = hushbit_nearest()
        let count = item.neighbors.ids.count
        var ids = [UInt32](repeating: 0, count: count)
        var distances = ids
        try bundle.handle.use { pointer in
            try check { hushbit_bundle_nearest(pointer, bytes(item.code), 1, &nearest, $0) }
            try check { hushbit_bundle_neighbors(pointer, bytes(item.code), count, &ids, &distances, $0) }
        }
        XCTAssertEqual([item.distance, item.ties, item.word], [nearest.distance, nearest.ties, nearest.word])
        XCTAssertEqual(item.neighbors.ids, ids)
        XCTAssertEqual(item.neighbors.distances, distances)
    }

    private func checkCase(_ bundle: HushbitBundle, _ item: VectorFile.Case) throws {
        let privatizer = try Privatizer(bundle: bundle, options: options(item))
        try withResult { result in
            var failure = hushbit_error()
            let status = release(privatizer, item, result, &failure)
            XCTAssertEqual(item.status, UInt32(status.rawValue), item.name)
            guard item.status == 0 else {
                XCTAssertEqual(item.position, failure.position, item.name)
                return
            }
            let text = String(decoding: bytes(item.text), as: UTF8.self)
            checkResult(item, text, PrivatizedText(result, input: text))
            checkNoisyCodes(item, result)
            XCTAssertEqual(UInt64(item.flip_threshold!, radix: 16), privatizer.info.flipThreshold, item.name)
            XCTAssertEqual(item.gamma, privatizer.info.gamma, item.name)
            XCTAssertEqual(item.device_key != nil, privatizer.info.isMemoized, item.name)
            checkCrowd(item, privatizer.info)
            // With a device key the public way gives the same bytes; without, the same tokens at the same places.
            let public_ = try privatizer.privatize(text)
            if item.device_key != nil { checkResult(item, text, public_) }
            XCTAssertEqual(public_.tokens.map(\.range), try bundle.tokenize(text).map(\.range), item.name)
        }
    }

    private func checkCrowd(_ item: VectorFile.Case, _ info: PrivatizerInfo) {
        guard let threshold = item.crowd_threshold else { return }
        XCTAssertEqual(.word, info.epsilonUnit, item.name)
        XCTAssertEqual(UInt64(threshold, radix: 16), info.crowdThreshold, item.name)
        XCTAssertEqual(item.crowd_mass, info.crowdMass, item.name)
        XCTAssertEqual(item.output_mass, info.outputMass, item.name)
        assertClose(item.mean_crowd!, info.meanCrowd, item.name)
    }

    private func release(
        _ privatizer: Privatizer, _ item: VectorFile.Case, _ result: OpaquePointer, _ failure: inout hushbit_error
    ) -> hushbit_status {
        let text = bytes(item.text).map { CChar(bitPattern: $0) }
        return privatizer.handle.use { pointer in
            if let seed = item.seed {
                return hushbit_testing_privatize(pointer, bytes(seed), text, text.count, result, &failure)
            }
            guard let stream = item.stream else {
                return hushbit_testing_privatize(pointer, nil, text, text.count, result, &failure)
            }
            var rest = bytes(stream)[...]
            let status = withUnsafeMutablePointer(to: &rest) {
                hushbit_testing_privatize_with(pointer, fill, $0, text, text.count, result, &failure)
            }
            XCTAssertTrue(rest.isEmpty, "\(item.name): \(rest.count) bytes were not used")
            return status
        }
    }

    private func checkResult(_ item: VectorFile.Case, _ text: String, _ result: PrivatizedText) {
        XCTAssertEqual(bytes(item.output!), Array(result.text.utf8), item.name)
        XCTAssertEqual(item.tokens!.count, result.tokens.count, item.name)
        for (expected, token) in zip(item.tokens!, result.tokens) {
            XCTAssertEqual(expected.kind, "\(token.kind)", item.name)
            XCTAssertEqual(expected.id, token.wordID, item.name)
            XCTAssertEqual(expected.bytes, offsets(token.range, in: text.utf8), item.name)
            XCTAssertEqual(expected.utf16, offsets(token.range, in: text.utf16), item.name)
            XCTAssertEqual(expected.output, token.output.map { offsets($0, in: result.text.utf8) }, item.name)
        }
        let (expected, cost) = (item.cost!, result.cost)
        assertClose(expected.epsilon, cost.epsilon, item.name)
        assertClose(expected.average ?? .infinity, cost.average, item.name)
        assertClose(expected.worst_case ?? .infinity, cost.worstCase, item.name)
        XCTAssertEqual(
            [expected.words, expected.unknown, expected.dropped, expected.verbatim, expected.public_words ?? 0],
            [cost.words, cost.unknown, cost.dropped, cost.verbatim, cost.publicWords], item.name)
    }

    private func checkNoisyCodes(_ item: VectorFile.Case, _ result: OpaquePointer) {
        var (count, size) = (0, 0)
        let codes = hushbit_testing_noisy_codes(result, &count, &size)
        let actual = Array(UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : count * size))
        XCTAssertEqual(item.noisy_codes!.flatMap { bytes($0) }, actual, item.name)
    }

    private func options(_ item: VectorFile.Case) -> PrivatizerOptions {
        let mask = String(decoding: bytes(item.mask), as: UTF8.self)
        let policies: [String: OOVPolicy] = [
            "random": .random, "drop": .drop, "mask": .mask(mask), "error": .error,
            "verbatim-unsafe": .verbatimUnsafe,
        ]
        let epoch = UInt64(item.epoch, radix: 16)!
        let mechanisms: [String: Mechanism] = ["brr": .brr, "tem": .tem, "crowd": .crowd]
        let crowds: [String: CrowdSize] = ["one": .one, "few": .few, "many": .many]
        return PrivatizerOptions(
            mechanism: mechanisms[item.mechanism]!, epsilon: item.epsilon, beta: item.beta,
            oov: policies[item.oov]!, punctuation: item.punctuation == "drop" ? .drop : .privatize,
            memoization: item.device_key.map { Memoization(deviceKey: bytes($0), epoch: epoch) },
            crowdSize: item.crowd.map { crowds[$0]! }, allowUnchanged: true)
    }
}

/// Gives the bytes of an `ArraySlice`, and fails when there are no more.
func fill(_ state: UnsafeMutableRawPointer?, _ out: UnsafeMutableRawPointer?, _ size: Int) -> Int32 {
    let rest = state!.assumingMemoryBound(to: ArraySlice<UInt8>.self)
    guard rest.pointee.count >= size else { return 0 }
    out!.copyMemory(from: Array(rest.pointee.prefix(size)), byteCount: size)
    rest.pointee = rest.pointee.dropFirst(size)
    return 1
}

private func offsets<View: Collection>(_ range: Range<String.Index>, in view: View) -> [Int]
where View.Index == String.Index {
    [range.lowerBound, range.upperBound].map { view.distance(from: view.startIndex, to: $0) }
}
