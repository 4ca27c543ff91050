/// What a text field says about itself: those of UIKit's `UITextInputTraits` that tell running text from secrets, names
/// and numbers. Nil is what the host did not say.
///
/// In a keyboard: `FieldTraits(textDocumentProxy)`.
public struct FieldTraits: Equatable, Sendable {
    /// `isSecureTextEntry`.
    public var isSecure: Bool?
    /// The raw value of `textContentType`, such as "one-time-code"; nil and "" are none.
    public var contentType: String?
    /// The raw value of `keyboardType`.
    public var keyboardType: Int?
    /// The raw value of `returnKeyType`.
    public var returnKeyType: Int?
    /// The raw value of `autocorrectionType`.
    public var autocorrection: Int?
    /// The raw value of `spellCheckingType`.
    public var spellChecking: Int?

    public init(
        isSecure: Bool?, contentType: String?, keyboardType: Int?, returnKeyType: Int?, autocorrection: Int?,
        spellChecking: Int?
    ) {
        self.isSecure = isSecure
        self.contentType = contentType
        self.keyboardType = keyboardType
        self.returnKeyType = returnKeyType
        self.autocorrection = autocorrection
        self.spellChecking = spellChecking
    }
}

#if canImport(UIKit) && !os(watchOS)
import UIKit

extension FieldTraits {
    /// What a text field, or the `textDocumentProxy` of a keyboard for it, says.
    @MainActor
    public init(_ traits: any UITextInputTraits) {
        self.init(
            isSecure: traits.isSecureTextEntry,
            contentType: (traits.textContentType ?? nil)?.rawValue,
            keyboardType: traits.keyboardType?.rawValue,
            returnKeyType: traits.returnKeyType?.rawValue,
            autocorrection: traits.autocorrectionType?.rawValue,
            spellChecking: traits.spellCheckingType?.rawValue)
    }
}
#endif
