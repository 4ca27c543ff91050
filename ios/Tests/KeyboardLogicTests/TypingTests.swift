import XCTest

@testable import KeyboardLogic

final class TypingTests: XCTestCase {
    private var typing = Typing()

    private func type(_ keys: Key...) -> String {
        keys.map { typing.press($0) }.map { edit in
            if case .insert(let text) = edit { return text } else { return "" }
        }.joined()
    }

    func testTheFieldGetsWhatIsTyped() {
        XCTAssertEqual("Hi \n", type(.shift, .text("h"), .text("i"), .space, .enter))
        XCTAssertEqual("!x", type(.page, .text("!"), .page, .text("x")))
        XCTAssertEqual([.delete, .share, .nextKeyboard], [.delete, .share, .nextKeyboard].map { typing.press($0) })
    }

    func testShiftHoldsForOneLetterAndCanBeTakenBack() {
        XCTAssertEqual("a", type(.shift, .shift, .text("a")))
        XCTAssertEqual("Ab", type(.shift, .text("a"), .text("b")))
        _ = typing.press(.shift)
        XCTAssertEqual("Z", typing.face(.text("z")))
    }

    func testEveryPageHasWhatOneNeedsAndEachKeyOnce() {
        for hasNextKeyboardKey in [false, true] {
            typing.hasNextKeyboardKey = hasNextKeyboardKey
            for _ in 0..<2 {
                let keys = typing.page.flatMap { $0 }
                XCTAssertEqual(keys.count, Set(keys).count)
                for key in [Key.delete, .space, .enter, .page, .share] { XCTAssertTrue(keys.contains(key), "\(key)") }
                XCTAssertEqual(hasNextKeyboardKey, keys.contains(.nextKeyboard))
                XCTAssertTrue(typing.page.allSatisfy { $0.map(\.width).reduce(0, +) <= 10 })
                XCTAssertTrue(keys.allSatisfy { !typing.face($0).isEmpty && !Labels.name($0, typing).isEmpty })
                _ = typing.press(.page)
            }
            let letters = Set(typing.page.flatMap { $0 })
            XCTAssertTrue("abcdefghijklmnopqrstuvwxyz".allSatisfy { letters.contains(.text(String($0))) })
        }
    }

    func testANewFieldStartsWithLettersAndKeepsTheKeyForTheNextKeyboard() {
        typing.hasNextKeyboardKey = true
        _ = type(.page, .shift)
        typing.reset()
        XCTAssertFalse(typing.isShifted || typing.showsSymbols)
        XCTAssertTrue(typing.hasNextKeyboardKey)
    }

    func testTheSelectionIsSharedOrElseTheLineBeforeTheCursor() {
        XCTAssertEqual("this", textToShare(selected: "this", before: "not this"))
        XCTAssertEqual("second line", textToShare(selected: "", before: "first\nsecond line"))
        XCTAssertEqual("", textToShare(selected: nil, before: "first\n"))
        XCTAssertEqual("", textToShare(selected: nil, before: nil))
        XCTAssertEqual(500, textToShare(selected: nil, before: String(repeating: "a", count: 600)).count)
    }
}
