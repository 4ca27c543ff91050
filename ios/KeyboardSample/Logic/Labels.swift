import Foundation
import Hushbit

/// The texts of the sample, in English.
enum Labels {
    static let keep = "Keep"
    static let discard = "Discard"
    static let done = "Done"
    static let older = "Older"
    static let delete = "Delete"
    static let deleteAll = "Delete all"
    static let export = "Export"
    static let type = "Type it"
    static let review = "Review"
    static let title = "Hushbit keyboard"
    static let kept = "What was kept"
    static let nothingKept = "Nothing was kept."
    static let sharing = "Share privately"
    static let reports = "Report one emoji or word a day"
    static let keptNow = "Kept."
    static let repeated = "This was drawn once already. Change its words to share something else."
    static let sharingIsOff = "Sharing is off: switch it on in the app."
    static let explanation = """
        The field you type into always gets your own words. When you press the lock, your words are replaced with \
        other words on this device, and you see the result. If you keep it, it goes to a list that you can read, \
        export and delete. Text in fields for passwords, addresses, searches and the like is never shared. To use the \
        keyboard, add it in Settings, General, Keyboard, Keyboards.
        """
    static let explanationOfReports = """
        With the second switch, one number a day goes to the list: on even days it is about one emoji of your first \
        line, on odd days about one word. No line makes a number more than 2.72 times as likely as another line \
        does. Many people\u{2019}s numbers tell how frequent each emoji and word is. It stops after \
        \(DailyReport.mostReports) numbers.
        """
    static let requiresFullAccess = """
        Without Full Access the system does not let the keyboard write outside of its own container, so the app cannot \
        show its list. In the keyboard you can review the list, type an entry into a field, and delete it: press \
        Review above its keys.
        """

    /// The accessibility label of a key.
    static func name(_ key: Key, _ typing: Typing) -> String {
        switch key {
        case .text: return typing.face(key)
        case .shift: return "Shift"
        case .delete: return "Delete"
        case .space: return "Space"
        case .enter: return "Return"
        case .page: return "Letters or symbols"
        case .share: return sharing
        case .nextKeyboard: return "Next keyboard"
        }
    }

    /// The text of the bar above the keys.
    static func text(_ bar: Bar) -> String {
        switch bar {
        case .nothing: return ""
        case .off: return sharingIsOff
        case .keptNow: return keptNow
        case .repeated: return repeated
        case .refused(let decision): return refusal(decision)
        case .offer(let release): return "\(release.text)\n\(cost(release))"
        case .kept(let release, let position, let count):
            return "\(title(release))\(release.text)\n\(position) of \(count), \(cost(release))"
        case .failed(let message): return message
        }
    }

    /// What a report is about, on a line of its own; nothing for a text.
    static func title(_ release: Release) -> String {
        switch release.about {
        case .text: return ""
        case .emoji: return "A report about one emoji of a line, or none\n"
        case .word: return "A report about one word of a line, or none\n"
        }
    }

    /// The cost of a release, that of what was thrown away before it, and whether it was exported.
    static func cost(_ release: Release) -> String {
        let epsilon = costText(release.epsilon)
        let state = release.isExported ? "; exported" : ""
        guard release.about == .text else { return "\u{3B5} \(epsilon) of a whole line\(state)" }
        let text = "\u{3B5} \(epsilon) per word, at most \(costText(release.worstCase)) for this text"
        let drawn = release.drawn ?? release.worstCase
        let all = drawn > release.worstCase ? ", at most \(costText(drawn)) with what was thrown away before it" : ""
        return text + all + state
    }

    /// The day on which the keyboard last handed over texts.
    static func handedOver(day: UInt64) -> String {
        let date = Date(timeIntervalSince1970: Double(day) * 86_400)
        let formatter = ISO8601DateFormatter()  // in UTC
        formatter.formatOptions = .withFullDate
        return "As the keyboard handed it over on \(formatter.string(from: date))."
    }

    /// Never the text of a system error, which may quote typed text.
    static func failure(_ error: any Error) -> String {
        switch error {
        case let failure as HushbitError: return failure.message
        case SampleError.requiresFullAccess: return requiresFullAccess
        case SampleError.noSharedContainer: return "The app group is missing from the entitlements."
        case SampleError.damagedDeviceKey: return "The device key is damaged: remove the app and install it again."
        default: return "A file could not be read or written."
        }
    }

    private static func refusal(_ decision: FieldPolicy.Decision) -> String {
        switch decision {
        case .allowed: return ""
        case .password: return "Not in a field for passwords and codes."
        case .email, .url, .query: return "Not in a field for addresses and searches."
        case .notText: return "Not in a field for numbers and codes."
        case .personal: return "Not in a field for names and addresses."
        case .noSuggestions: return "Not in a field without correction."
        case .unknown: return "Not in a field that does not say what it is for."
        }
    }
}
