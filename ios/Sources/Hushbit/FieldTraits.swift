/// The traits of a text field: those of UIKit's `UITextInputTraits` that distinguish running text from secrets, names
/// and numbers. A trait that the host app did not state is nil.
///
/// In a keyboard: `FieldTraits(textDocumentProxy)`.
public struct FieldTraits: Equatable, Sendable {
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
    /// The traits of a text field, or of the `textDocumentProxy` that represents it in a keyboard.
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
