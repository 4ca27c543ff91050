import Foundation
import XCTest

@testable import KeyboardLogic

final class StorageTests: DirectoryTestCase {
    func testWhatWasKeptIsThereForTheNextProcess() throws {
        XCTAssertEqual([], storage.kept.all())
        let all = [release("one two"), release("\u{FC}ber \u{1F600}\n\"", worstCase: .infinity)]
        for release in all { try storage.kept.add(release) }
        XCTAssertEqual(all, storage.kept.all().map(\.release))
        XCTAssertEqual(2, storage.kept.count)
    }

    func testOneByOneInTheOrderOfKeepingEvenAfterDeleting() throws {
        for number in 0..<12 { try storage.kept.add(release("\(number)")) }
        try storage.kept.delete(storage.kept.all()[3].id)
        try storage.kept.markExported(storage.kept.all()[0].id)
        try storage.kept.add(release("12"))
        let releases = storage.kept.all().map(\.release)
        XCTAssertEqual([0, 1, 2] + Array(4...12), releases.map { Int($0.text) })
        XCTAssertEqual(["0"], releases.filter(\.isExported).map(\.text))
    }

    func testChangingWhatIsGoneChangesNothingAndNoNameLeadsOutside() throws {
        try storage.kept.add(release("one"))
        let gone = storage.kept.all()[0].id
        try storage.kept.delete(gone)
        try storage.kept.delete(gone)
        try storage.kept.markExported(gone)
        XCTAssertEqual(0, storage.kept.count)
        let outside = storage.directory.appendingPathComponent("outside.json")
        try Data("{}".utf8).write(to: outside)
        try storage.kept.delete("../outside.json")
        XCTAssertTrue(FileManager.default.fileExists(atPath: outside.path))
    }

    func testDamagedFilesAreLeftOutAndDeletedWithTheRest() throws {
        try storage.kept.add(release("one"))
        let damaged = storage.kept.directory.appendingPathComponent("000000000009-x.json")
        try Data("{\"text\":\"half".utf8).write(to: damaged)
        try storage.kept.add(release("two"))
        XCTAssertEqual(["one", "two"], storage.kept.all().map(\.release.text))
        try storage.kept.clear()
        XCTAssertEqual(0, storage.kept.count)
        XCTAssertFalse(FileManager.default.fileExists(atPath: damaged.path))
    }

    func testHandingOverNeedsFullAccess() throws {
        try storage.kept.add(release("one"))
        XCTAssertThrowsError(try shared.handOver(from: storage, hasFullAccess: false, today: 20_000)) {
            XCTAssertEqual(.requiresFullAccess, $0 as? SampleError)
        }
        XCTAssertEqual(1, storage.kept.count)
        XCTAssertEqual(.requiresFullAccess, shared.review)
        XCTAssertEqual([], try FileManager.default.contentsOfDirectory(atPath: shared.directory.path))
    }

    func testWhatIsHandedOverMovesBehindWhatIsThere() throws {
        for number in 0..<3 {
            try storage.kept.add(release("\(number) a"))
            try storage.kept.add(release("\(number) b"))
            XCTAssertEqual(2, try shared.handOver(from: storage, hasFullAccess: true, today: 20_000))
            XCTAssertEqual(0, storage.kept.count)
        }
        XCTAssertEqual(0, try shared.handOver(from: storage, hasFullAccess: true, today: 20_001))
        guard case .kept(let kept, handedOver: 20_001) = shared.review else { return XCTFail("\(shared.review)") }
        XCTAssertEqual(["0 a", "0 b", "1 a", "1 b", "2 a", "2 b"], kept.map(\.release.text))
        try shared.kept.clear()
        XCTAssertEqual(.kept([], handedOver: 20_001), shared.review)
    }

    func testSharingIsOffUntilSwitchedOn() throws {
        XCTAssertFalse(shared.isOn(.sharing))
        try shared.set(.sharing, false)
        try shared.set(.sharing, true)
        XCTAssertTrue(shared.isOn(.sharing))
        try shared.set(.sharing, false)
        XCTAssertFalse(shared.isOn(.sharing))
    }

    func testTheDeviceKeyIsMadeOnceAndOthersDiffer() throws {
        let key = try storage.deviceKey()
        XCTAssertEqual(32, key.count)
        XCTAssertEqual(key, try storage.deviceKey())
        XCTAssertEqual(["device-key"], try FileManager.default.contentsOfDirectory(atPath: storage.directory.path))
        let other = KeyboardStorage(directory: directory.appendingPathComponent("other"))
        XCTAssertNotEqual(key, try other.deviceKey())
    }

    func testRacingProcessesAgreeOnOneDeviceKey() {
        let keys = Mutex<Set<[UInt8]>>([])
        let storage = storage
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let key = (try? storage.deviceKey()) ?? []
            keys.change { _ = $0.insert(key) }
        }
        XCTAssertEqual(1, keys.value.count)
        XCTAssertEqual(32, keys.value.first?.count)
    }

    func testADamagedDeviceKeyIsRefused() throws {
        _ = try storage.deviceKey()
        try Data([1, 2, 3]).write(to: storage.directory.appendingPathComponent("device-key"))
        XCTAssertThrowsError(try storage.deviceKey()) { XCTAssertEqual(.damagedDeviceKey, $0 as? SampleError) }
    }
}

/// A value behind a lock.
final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value { lock.withLock { stored } }

    func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
}
