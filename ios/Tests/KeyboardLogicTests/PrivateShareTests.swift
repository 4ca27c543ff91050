import Foundation
import Hushbit
import XCTest

@testable import KeyboardLogic

/// The flow of sharing, over the real library.
final class PrivateShareTests: DirectoryTestCase {
    /// What the sample's keyboard puts together.
    @MainActor
    private final class Keyboard {
        var isSharingOn = true
        var bar = Bar.nothing
        private(set) var share: PrivateShare!

        init(_ storage: KeyboardStorage, draw: @escaping @Sendable (String) async throws -> Draw) {
            share = PrivateShare(
                isSharingOn: { [unowned self] in isSharingOn }, draw: draw, store: storage.kept,
                show: { [unowned self] in bar = $0 })
            share.enterField(.allowed)
        }

        func offered() throws -> Release {
            guard case .offer(let release) = bar else { throw Unexpected(bar: bar) }
            return release
        }
    }

    private struct Unexpected: Error {
        let bar: Bar
    }

    @MainActor
    private func makeKeyboard(
        today: @escaping @Sendable () -> UInt64 = { 20_000 },
        openBundle: @escaping @Sendable () throws -> HushbitBundle = openWords
    ) -> Keyboard {
        let privacy = Privacy(storage: storage, openBundle: openBundle, today: today)
        return Keyboard(storage) { try await privacy.draw($0) }
    }

    @MainActor
    func testSharingShowsFirstAndKeepsOnlyWhatIsKept() async throws {
        let keyboard = makeKeyboard()
        await keyboard.share.share("the men were with the women")?.value
        let offer = try keyboard.offered()
        XCTAssertEqual(0, storage.kept.count)
        keyboard.share.keep()
        XCTAssertEqual(.keptNow, keyboard.bar)
        var kept = try XCTUnwrap(storage.kept.all().first?.release)
        XCTAssertEqual(offer.worstCase, kept.drawn)
        kept.drawn = nil
        XCTAssertEqual(offer, kept)
        XCTAssertEqual(6, kept.text.split(separator: " ").count)
        XCTAssertEqual(20_000, kept.day)
        XCTAssertEqual(64, kept.source.count)
        XCTAssertTrue(kept.worstCase > 0 && !kept.isExported)
    }

    @MainActor
    func testDiscardingKeepsNothing() async throws {
        let keyboard = makeKeyboard()
        await keyboard.share.share("the men were")?.value
        _ = try keyboard.offered()
        keyboard.share.dismiss()
        keyboard.share.keep()
        XCTAssertEqual(0, storage.kept.count)
    }

    @MainActor
    func testNothingHappensBeforeTheUserSwitchedItOn() async {
        let keyboard = makeKeyboard(openBundle: { throw HushbitError.fileNotFound("no words") })
        keyboard.isSharingOn = false
        await keyboard.share.share("the men were")?.value
        XCTAssertEqual(.off, keyboard.bar)
    }

    @MainActor
    func testNoFieldButAnAllowedOneIsSharedFrom() async throws {
        let keyboard = makeKeyboard()
        for decision in FieldPolicy.Decision.allCases.filter({ !$0.isAllowed }) {
            keyboard.share.enterField(decision)
            await keyboard.share.share("the men were")?.value
            XCTAssertEqual(.refused(decision), keyboard.bar)
            XCTAssertFalse(Labels.text(keyboard.bar).isEmpty)
        }
        XCTAssertEqual(["shared"], try FileManager.default.subpathsOfDirectory(atPath: directory.path))
    }

    @MainActor
    func testBlankTextAndTextWithoutWordsOfferNothing() async {
        let keyboard = makeKeyboard()
        for text in ["", " \n\t", "..."] {  // each once
            await keyboard.share.share(text)?.value
            XCTAssertEqual(.nothing, keyboard.bar)
        }
    }

    @MainActor
    func testWhatArrivesAfterTheFieldWasLeftIsDropped() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let keyboard = Keyboard(storage) { text in
            start.finish()
            for await _ in gate {}
            return .released(release(text))
        }
        let sharing = keyboard.share.share("the men were")
        for await _ in started {}
        keyboard.share.enterField(.allowed)
        open.finish()
        await sharing?.value
        XCTAssertEqual(.nothing, keyboard.bar)
        keyboard.share.keep()
        XCTAssertEqual(0, storage.kept.count)
    }

    @MainActor
    func testTheFieldThatTheTextComesFromDecides() async throws {
        let keyboard = makeKeyboard()
        keyboard.share.enterField(.password)
        let sharing = keyboard.share.share("secret")
        keyboard.share.enterField(.allowed)
        await sharing?.value
        XCTAssertEqual(.nothing, keyboard.bar)
        XCTAssertEqual(["shared"], try FileManager.default.subpathsOfDirectory(atPath: directory.path))
    }

    /// Fails without a fault if midnight in UTC falls into its tenth of a second: the ledger has a clock of its own.
    @MainActor
    func testAnExhaustedBudgetReleasesNothingAndSaysSo() async throws {
        let keyboard = makeKeyboard()
        await keyboard.share.share(String(repeating: "the ", count: Int(Privacy.wordsPerDay) + 1))?.value
        guard case .failed(let message) = keyboard.bar else { return XCTFail("\(keyboard.bar)") }
        XCTAssertTrue(message.contains("budget"), message)
        await keyboard.share.share(String(repeating: "the ", count: Int(Privacy.wordsPerDay)))?.value
        _ = try keyboard.offered()
        await keyboard.share.share("the")?.value
        XCTAssertEqual("failed", keyboard.bar.kind)
    }

    @MainActor
    func testRepeatsRepeatTheirNoiseWithinAnEpochAlone() async throws {
        let day = Mutex<UInt64>(Privacy.daysOfEpoch * 200)
        let text = "qzxv xvzq vqxz zzxq men women elephant river"
        var outputs: [String] = []
        for later in [0, Privacy.daysOfEpoch - 1, Privacy.daysOfEpoch] {
            day.change { $0 = Privacy.daysOfEpoch * 200 + later }
            let keyboard = makeKeyboard(today: { day.value })  // another process
            await keyboard.share.share(text)?.value
            outputs.append(try keyboard.offered().text)
        }
        XCTAssertEqual(outputs[0], outputs[1])
        // Four unknown words are drawn anew from 749: the same by chance once in 10^11.
        XCTAssertNotEqual(outputs[1], outputs[2])
    }

    @MainActor
    func testTheEpochChangesInARunningKeyboardToo() async throws {
        let day = Mutex<UInt64>(Privacy.daysOfEpoch * 200)
        let privacy = Privacy(storage: storage, openBundle: openWords, today: { day.value })
        let text = "qzxv xvzq vqxz zzxq"
        let first = try await privacy.draw(text)
        let again = try await privacy.draw(text + " .")
        day.change { $0 += Privacy.daysOfEpoch }
        await privacy.close()
        let later = try await privacy.draw(text)  // not drawn anew either: two draws would be a choice
        let reversed = try await privacy.draw("zzxq vqxz xvzq qzxv").released().text
        XCTAssertEqual([again, later], [.repeated, .repeated])
        XCTAssertNotEqual(
            try first.released().text.split(separator: " ").reversed(), reversed.split(separator: " "))
    }

    @MainActor
    func testATextIsDrawnOnceUntilItsWordsAreOthersAndAllDrawsAreCounted() async throws {
        let keyboard = makeKeyboard()
        var kinds: [String] = []
        for text in ["the men were", "The  MEN, were!", "qzxv", "QZXV", "xvzq", "were the men"] {
            await keyboard.share.share(text)?.value
            kinds.append(keyboard.bar.kind)
            keyboard.share.dismiss()
        }
        XCTAssertEqual(["offer", "repeated", "offer", "repeated", "offer", "offer"], kinds)
        for text in ["women", "elephant"] {
            await keyboard.share.share(text)?.value
            keyboard.share.keep()
        }
        let kept = storage.kept.all().map(\.release)
        XCTAssertEqual(repeatElement(kept[1].worstCase, count: 9).reduce(0, sumOfCosts), kept[0].drawn)
        XCTAssertEqual(kept[1].worstCase, kept[0].worstCase)
        XCTAssertEqual(kept[1].worstCase, kept[1].drawn)
    }

    @MainActor
    func testARefusedDrawIsNoDraw() async throws {
        let keyboard = makeKeyboard()
        let text = String(repeating: "the ", count: Int(Privacy.wordsPerDay) + 1)
        for _ in 0..<2 {
            await keyboard.share.share(text)?.value
            XCTAssertEqual("failed", keyboard.bar.kind)
        }
    }

    @MainActor
    func testAnOfferSurvivesThatTheSystemConnectsAnew() async throws {
        let keyboard = makeKeyboard()
        await keyboard.share.share("the men were")?.value
        let offer = try keyboard.offered()
        keyboard.share.restartField(.allowed)
        XCTAssertEqual(offer, try keyboard.offered())
        keyboard.share.restartField(.password)
        XCTAssertEqual(.nothing, keyboard.bar)
        keyboard.share.keep()
        XCTAssertEqual(0, storage.kept.count)
    }

    @MainActor
    func testWhatIsTypedIsInNoFile() async throws {
        let keyboard = makeKeyboard()
        await keyboard.share.share("qzxv elephant")?.value
        keyboard.share.keep()
        try shared.handOver(from: storage, hasFullAccess: true, today: 20_000)
        XCTAssertEqual(1, shared.kept.count)
        XCTAssertFalse(try everyFile().contains("qzxv"))
    }

    @MainActor
    func testKeptOnesAreReviewedTypedOutAndDeletedInTheKeyboard() async throws {
        let keyboard = makeKeyboard()
        keyboard.share.review()
        XCTAssertEqual(.nothing, keyboard.bar)
        for text in ["one", "two", "three"] { try storage.kept.add(release(text)) }
        var seen: [String] = []
        for _ in 0..<4 {
            keyboard.share.review()
            guard case .kept(let release, let position, 3) = keyboard.bar else { return XCTFail("\(keyboard.bar)") }
            seen.append("\(position) \(release.text)")
        }
        XCTAssertEqual(["1 three", "2 two", "3 one", "1 three"], seen)
        keyboard.share.delete()
        XCTAssertEqual(.kept(release("two"), position: 1, count: 2), keyboard.bar)
        XCTAssertEqual("two", keyboard.share.export())
        XCTAssertEqual(.nothing, keyboard.bar)
        XCTAssertEqual([false, true], storage.kept.all().map(\.release.isExported))
        XCTAssertNil(keyboard.share.export())
    }

    @MainActor
    func testFailuresSayWhatToDoAndQuoteNothing() async throws {
        let keyboard = makeKeyboard(openBundle: { throw HushbitError.fileNotFound("no words") })
        await keyboard.share.share("secret")?.value
        XCTAssertEqual(.failed("no words"), keyboard.bar)
        struct Quoting: Error, CustomStringConvertible { let description = "secret" }
        let quoting = Keyboard(storage) { _ in throw Quoting() }
        await quoting.share.share("secret")?.value
        guard case .failed(let message) = quoting.bar else { return XCTFail("\(quoting.bar)") }
        XCTAssertFalse(message.isEmpty || message.contains("secret"))
    }

    @MainActor
    func testAQueueThatCannotBeWrittenSaysSo() async throws {
        let keyboard = makeKeyboard()
        await keyboard.share.share("the men were")?.value
        try Data().write(to: storage.kept.directory)  // a file where the directory should be
        keyboard.share.keep()
        XCTAssertEqual("failed", keyboard.bar.kind)
    }
}

extension Bar {
    /// The case without what is in it.
    fileprivate var kind: String { String("\(self)".prefix { $0 != "(" }) }
}
