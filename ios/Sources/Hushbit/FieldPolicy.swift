import Foundation

/// Decides whether a keyboard may privatize and keep text from a field. It fails closed: a field is allowed only if it
/// is known to contain running text.
///
/// A field says little about itself, and apps set these traits carelessly. The system has no trait for "no personalized
/// learning". An allowed field can still contain a secret, so ask the user as well.
public enum FieldPolicy {
    /// The decision and its reason.
    public enum Decision: CaseIterable, Equatable, Sendable {
        /// Running text.
        case allowed
        /// A password or a one-time code.
        case password
        /// An e-mail address.
        case email
        /// A web address.
        case url
        /// A search, or a return key that goes somewhere: a query can identify a person.
        case query
        /// Numbers, telephone numbers, dates, and text typed on an ASCII keyboard, such as codes.
        case notText
        /// Names, postal addresses, accounts, payment data: words that identify a person.
        case personal
        /// The host app wants no correction or spell checking: not running text, often a code or a secret.
        case noSuggestions
        /// A trait that the host app did not state, or a value that this version does not know.
        case unknown

        /// True only for ``allowed``.
        public var isAllowed: Bool { self == .allowed }
    }

    /// Evaluates a field. The result is the first reason against it. A keyboard asks ``FieldHistory``, which remembers
    /// passwords.
    public static func evaluate(_ traits: FieldTraits) -> Decision {
        let reasons = [
            ofSecurity(traits.isSecure), traits.hasPasswordRules ? .password : .allowed, ofNames(traits.names),
            ofContent(traits.contentType), ofKeyboard(traits.keyboardType),
            ofReturnKey(traits.returnKeyType), ofCorrection(traits.autocorrection), ofCorrection(traits.spellChecking),
        ]
        return reasons.first { !$0.isAllowed } ?? .allowed
    }

    private static func ofSecurity(_ isSecure: Bool?) -> Decision {
        guard let isSecure else { return .unknown }
        return isSecure ? .password : .allowed
    }

    /// What the field and its label are called; "cardNumber" is two words.
    private static func ofNames(_ names: [String]) -> Decision {
        let called = names.map {
            $0.replacingOccurrences(of: "([a-z])([A-Z])", with: "$1 $2", options: .regularExpression)
        }
        let isSecret = called.contains {
            $0.range(of: SecretNames.pattern, options: [.regularExpression, .caseInsensitive]) != nil
        }
        return isSecret ? .password : .allowed
    }

    /// The system has no content type for running text, so every content type is a reason to refuse.
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
        default: return isCard(type) ? .password : isPersonal(type) ? .personal : .unknown
        }
    }

    private static func isCard(_ type: String) -> Bool { type.hasPrefix("cc-") || type.hasPrefix("credit-card-") }

    private static func isPersonal(_ type: String) -> Bool {
        ["address-line", "address-level", "bday"].contains { type.hasPrefix($0) }
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
