/// The traits of a text field: those of UIKit's `UITextInputTraits` that distinguish running text from secrets, names
/// and numbers. A trait that the host app did not state is nil.
///
/// A keyboard calls `FieldTraits(textDocumentProxy)`.
public struct FieldTraits: Hashable, Sendable {
    /// `isSecureTextEntry`.
    public var isSecure: Bool?
    /// The raw value of `textContentType`, such as "one-time-code"; nil and "" mean none.
    public var contentType: String?
    /// The raw value of `keyboardType`.
    public var keyboardType: Int?
    /// The raw value of `returnKeyType`.
    public var returnKeyType: Int?
    /// The raw value of `autocorrectionType`.
    public var autocorrection: Int?
    /// The raw value of `spellCheckingType`.
    public var spellChecking: Int?
    /// Whether `passwordRules` are stated: rules for new passwords.
    public var hasPasswordRules: Bool
    /// What the field is called, for an app that asks about a field of its own: its placeholder, accessibility label
    /// and accessibility identifier. The system does not give them to keyboards.
    public var names: [String]

    public init(
        isSecure: Bool?, contentType: String?, keyboardType: Int?, returnKeyType: Int?, autocorrection: Int?,
        spellChecking: Int?, hasPasswordRules: Bool = false, names: [String] = []
    ) {
        self.isSecure = isSecure
        self.contentType = contentType
        self.keyboardType = keyboardType
        self.returnKeyType = returnKeyType
        self.autocorrection = autocorrection
        self.spellChecking = spellChecking
        self.hasPasswordRules = hasPasswordRules
        self.names = names
    }
}

#if canImport(UIKit) && !os(watchOS)
import UIKit

extension FieldTraits {
    /// The traits of a text field, or of the `textDocumentProxy` that represents it in a keyboard. An app that asks
    /// about a field of its own adds ``names``.
    @MainActor
    public init(_ traits: any UITextInputTraits, names: [String] = []) {
        self.init(
            isSecure: traits.isSecureTextEntry,
            contentType: (traits.textContentType ?? nil)?.rawValue,
            keyboardType: traits.keyboardType?.rawValue,
            returnKeyType: traits.returnKeyType?.rawValue,
            autocorrection: traits.autocorrectionType?.rawValue,
            spellChecking: traits.spellCheckingType?.rawValue,
            hasPasswordRules: (traits.passwordRules ?? nil) != nil,
            names: names)
    }
}
#endif
