import Hushbit
import XCTest

@testable import KeyboardLogic

final class LabelsTests: XCTestCase {
    func testWhatAReleaseCost() {
        var one = release("one", worstCase: 299.6)
        XCTAssertEqual("\u{3B5} 1.5 per word, at most 299.6 for this text", Labels.cost(one))
        one.drawn = 359.6
        XCTAssertEqual(
            "\u{3B5} 1.5 per word, at most 299.6 for this text, at most 359.6 with what was thrown away before it",
            Labels.cost(one))
        one.drawn = nil
        one.isExported = true
        one.worstCase = .infinity
        XCTAssertEqual("\u{3B5} 1.5 per word, at most \u{221E} for this text; exported", Labels.cost(one))
        one.about = .emoji
        XCTAssertEqual("\u{3B5} 1.5 of a whole line; exported", Labels.cost(one))
        XCTAssertTrue(Labels.title(one).contains("emoji"))
    }

    func testWorstCasesAddUpToWhatTheyAre() {
        XCTAssertEqual(54, sumOfCosts(sumOfCosts(18.1, 18.1), 17.8))
        XCTAssertEqual(1, repeatElement(0.1, count: 10).reduce(0, sumOfCosts))
        XCTAssertEqual(0.3, sumOfCosts(0.1, 0.2))
        XCTAssertEqual(.infinity, sumOfCosts(1, .infinity))
    }

    func testMillionthsAreExactAndTheRestIsRoundedUp() {
        XCTAssertEqual("54", costText(54.00000000000001))
        XCTAssertEqual("54", costText(53.99999999999999))
        XCTAssertEqual("18.1", costText(18.1))
        XCTAssertEqual("6", costText(6.0000000001))
        XCTAssertEqual("0.3", costText(0.1 + 0.2))
        XCTAssertEqual("54.9", costText(54.9))
        XCTAssertEqual("54.91", costText(54.9001))
        XCTAssertEqual("0.01", costText(0.001))
        XCTAssertEqual("1000", costText(1e3))
        XCTAssertEqual("0", costText(0))
    }

    func testAKeySaysWhatItTypes() {
        var typing = Typing()
        XCTAssertEqual("a", Labels.name(.text("a"), typing))
        _ = typing.press(.shift)
        XCTAssertEqual("A", Labels.name(.text("a"), typing))
        XCTAssertEqual("Share privately", Labels.name(.share, typing))
    }

    func testTheBarShowsTheTextItsPlaceAndItsCost() {
        XCTAssertEqual("one\n" + Labels.cost(release("one")), Labels.text(.offer(release("one"))))
        XCTAssertEqual(
            "one\n2 of 3, " + Labels.cost(release("one")), Labels.text(.kept(release("one"), position: 2, count: 3)))
        XCTAssertEqual("", Labels.text(.nothing))
    }

    func testDaysAreThoseOfUTC() {
        XCTAssertEqual("As the keyboard handed it over on 2024-10-04.", Labels.handedOver(day: 20_000))
    }

    func testEveryFailureOfTheSampleSaysSomethingOfItsOwn() {
        let failures: [SampleError] = [.requiresFullAccess, .noSharedContainer, .damagedDeviceKey]
        let messages = Set(failures.map { Labels.failure($0) } + [Labels.failure(CancellationError())])
        XCTAssertEqual(failures.count + 1, messages.count)
        XCTAssertEqual("what", Labels.failure(HushbitError.storageFailed("what")))
    }
}
