/// A key of the keyboard.
enum Key: Hashable {
    /// Types this; a letter follows shift.
    case text(String)
    case shift
    case delete
    case space
    case enter
    /// Switches to the other page.
    case page
    /// Privatizes the selection, or the line before the cursor.
    case share
    /// Switches to the next keyboard; shown if the system requires it.
    case nextKeyboard

    /// Its width in letters; a row has at most 10.
    var width: Double {
        switch self {
        case .space: return 3
        case .enter, .page: return 1.5
        case .text, .shift, .delete, .share, .nextKeyboard: return 1
        }
    }
}

/// The pages, row by row.
enum Pages {
    static func letters(withNextKeyboard: Bool) -> [[Key]] {
        [
            texts("qwertyuiop"), texts("asdfghjkl"), [.shift] + texts("zxcvbnm") + [.delete],
            bottom(withNextKeyboard),
        ]
    }

    static func symbols(withNextKeyboard: Bool) -> [[Key]] {
        [
            texts("1234567890"), texts("@#$%&-+()/"), emoji.map { .text($0) }, texts("*\"':;!?_=") + [.delete],
            bottom(withNextKeyboard),
        ]
    }

    /// Grinning, joy, heart, thumbs up, party, crying, folded hands, fire, eyes of hearts, thinking.
    private static let emoji = [
        "\u{1F600}", "\u{1F602}", "\u{2764}\u{FE0F}", "\u{1F44D}", "\u{1F389}", "\u{1F622}", "\u{1F64F}", "\u{1F525}",
        "\u{1F60D}", "\u{1F914}",
    ]

    private static func texts(_ characters: String) -> [Key] { characters.map { .text(String($0)) } }

    private static func bottom(_ withNextKeyboard: Bool) -> [Key] {
        [.page] + (withNextKeyboard ? [.nextKeyboard] : []) + [.text(","), .share, .space, .text("."), .enter]
    }
}
