import Foundation

/// What ``FieldPolicy`` says of fields, with a memory: a field that was a password stays one. A button that shows a
/// password makes it a field of text.
///
/// The system shows its own keyboard for secure fields, so a keyboard learns of a password by its content type or its
/// password rules alone. A keyboard has one history for as long as its process lives. It contains identifiers of
/// fields, nothing that was typed.
public struct FieldHistory: Sendable {
    private var passwords: Set<UUID?> = []

    public init() {}

    /// Evaluates a field.
    ///
    /// - Parameter traits: what the host app states about the field.
    /// - Parameter identity: what distinguishes the field from others, in a keyboard the `documentIdentifier` of its
    ///   proxy; nil if the host app has not stated it. Where a password had none, every other field without one is
    ///   ``FieldPolicy/Decision/unknown``: it cannot be told from that one.
    public mutating func evaluate(_ traits: FieldTraits, identity: UUID?) -> FieldPolicy.Decision {
        let decision = FieldPolicy.evaluate(traits)
        if decision == .password { passwords.insert(identity) }
        guard decision.isAllowed, passwords.contains(identity) else { return decision }
        return identity == nil ? .unknown : .password
    }
}
