import Hushbit
import XCTest

@testable import KeyboardLogic

final class LabelsTests: XCTestCase {
    func testWhatAReleaseCost() {
        var one = release("one", worstCase: 299.6)
        XCTAssertEqual("\u{3B5} 1.50 per word, at most 300 for this text", Labels.cost(one))
        one.isExported = true
        one.worstCase = .infinity
        XCTAssertEqual("\u{3B5} 1.50 per word, without bound for this text; exported", Labels.cost(one))
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
        let failures: [SampleError] = [.requiresFullAccess, .noSharedContainer, .noBundle, .damagedDeviceKey]
        let messages = Set(failures.map { Labels.failure($0) } + [Labels.failure(CancellationError())])
        XCTAssertEqual(failures.count + 1, messages.count)
        XCTAssertEqual("what", Labels.failure(HushbitError.storage("what")))
    }
}
