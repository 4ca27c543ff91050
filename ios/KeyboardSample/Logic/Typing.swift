/// The shown page and the state of shift, which determine the meaning of a key.
struct Typing: Equatable {
    /// Whether the next letter is a capital letter.
    private(set) var isShifted = false
    /// Whether the page of symbols is shown.
    private(set) var showsSymbols = false
    /// Whether the system requires a key for the next keyboard.
    var hasNextKeyboardKey = false

    /// The keys shown.
    var page: [[Key]] {
        showsSymbols
            ? Pages.symbols(withNextKeyboard: hasNextKeyboardKey) : Pages.letters(withNextKeyboard: hasNextKeyboardKey)
    }

    /// The label of a key, which is also the text that a text key types.
    func face(_ key: Key) -> String {
        switch key {
        case .text(let text): return isShifted ? text.uppercased() : text
        case .shift: return isShifted ? "\u{2B06}\u{FE0E}" : "\u{21E7}"
        case .delete: return "\u{232B}"
        case .space: return " "
        case .enter: return "\u{21B5}"
        case .page: return showsSymbols ? "abc" : "123"
        case .share: return "\u{1F512}"
        case .nextKeyboard: return "\u{1F310}"
        }
    }

    /// The effect of pressing a key. The typed text is always what the key shows.
    mutating func press(_ key: Key) -> Edit {
        switch key {
        case .text:
            let text = face(key)
            isShifted = false
            return .insert(text)
        case .space: return .insert(" ")
        case .enter: return .insert("\n")
        case .delete: return .delete
        case .share: return .share
        case .nextKeyboard: return .nextKeyboard
        case .shift: isShifted.toggle()
        case .page: showsSymbols.toggle()
        }
        return .none
    }

    /// A new field: letters, unshifted.
    mutating func reset() { self = Typing(hasNextKeyboardKey: hasNextKeyboardKey) }

    private init(hasNextKeyboardKey: Bool) { self.hasNextKeyboardKey = hasNextKeyboardKey }

    init() {}

    /// The effect on the field.
    enum Edit: Equatable {
        case insert(String)
        case delete
        case share
        case nextKeyboard
        case none
    }
}

/// The text for the share key: the selection, or otherwise the line before the cursor, of which the system shows only a
/// part to a keyboard; at most its last 500 characters.
func textToShare(selected: String?, before: String?) -> String {
    if let selected, !selected.isEmpty { return selected }
    let line = before?.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    return String(line.suffix(500))
}
