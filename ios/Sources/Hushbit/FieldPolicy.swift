/// Whether a keyboard may privatize and keep what is typed into a field. It fails closed: only what is known to be
/// running text is allowed.
///
/// A field says little about itself, and hosts set these traits carelessly; the system has none that means "learn
/// nothing here". An allowed field can still hold a secret, so ask the user too.
public enum FieldPolicy {
    /// The answer, and why.
    public enum Decision: CaseIterable, Equatable, Sendable {
        /// Running text.
        case allowed
        /// A password or a one-time code.
        case password
        /// An e-mail address.
        case email
        /// An address of the web.
        case url
        /// A search, or a return key that goes somewhere: what is looked for stands for a person.
        case query
        /// Numbers, telephone numbers, dates, and what is typed on an ASCII keyboard, such as codes.
        case notText
        /// Names, postal addresses, accounts, payment: words that stand for a person.
        case personal
        /// The host wants no correction or spell checking: not running text, often a code or a secret.
        case noSuggestions
        /// A trait that the host did not answer for, or a value that this version does not know.
        case unknown

        /// True for ``allowed`` alone.
        public var isAllowed: Bool { self == .allowed }
    }

    /// Judges a field; the first reason against it is the answer.
    public static func evaluate(_ traits: FieldTraits) -> Decision {
        let reasons = [
            ofSecurity(traits.isSecure), ofContent(traits.contentType), ofKeyboard(traits.keyboardType),
            ofReturnKey(traits.returnKeyType), ofCorrection(traits.autocorrection), ofCorrection(traits.spellChecking),
        ]
        return reasons.first { !$0.isAllowed } ?? .allowed
    }

    private static func ofSecurity(_ isSecure: Bool?) -> Decision {
        guard let isSecure else { return .unknown }
        return isSecure ? .password : .allowed
    }

    /// The system has no content type for running text, so each one is a reason.
    private static func ofContent(_ type: String?) -> Decision {
        guard let type, !type.isEmpty else { return .allowed }
        switch type {
        case "password", "new-password", "one-time-code": return .password
        case "email": return .email
        case "url": return .url
        case "tel", "date-time", "flight-number", "shipment-tracking-number": return .notText
        case "name", "name-prefix", "given-name", "middle-name", "family-name", "name-suffix", "nickname", "username",
            "organization", "organization-title", "location", "street-address", "country-name", "postal-code":
            return .personal
        default: return isPersonal(type) ? .personal : .unknown
        }
    }

    private static func isPersonal(_ type: String) -> Bool {
        ["address-line", "address-level", "cc-", "bday"].contains { type.hasPrefix($0) }
    }

    /// The values of `UIKeyboardType`.
    private static func ofKeyboard(_ type: Int?) -> Decision {
        switch type {
        case 0, 9: return .allowed  // default, twitter: words, with @ and # at hand
        case 3: return .url
        case 6: return .personal  // namePhonePad
        case 7: return .email
        case 10: return .query  // webSearch
        case 1, 2, 4, 5, 8, 11: return .notText  // asciiCapable, numbers, phonePad, decimalPad
        default: return .unknown
        }
    }

    /// The values of `UIReturnKeyType`.
    private static func ofReturnKey(_ type: Int?) -> Decision {
        switch type {
        case 0, 4, 7, 9, 11: return .allowed  // default, next, send, done, continue
        case 1, 2, 3, 5, 6, 8, 10: return .query  // go, google, join, route, search, yahoo, emergencyCall
        default: return .unknown
        }
    }

    /// The values of `UITextAutocorrectionType` and `UITextSpellCheckingType`.
    private static func ofCorrection(_ type: Int?) -> Decision {
        switch type {
        case 0, 2: return .allowed  // default, yes
        case 1: return .noSuggestions
        default: return .unknown
        }
    }
}
