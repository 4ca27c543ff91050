import UIKit

extension UITextDocumentProxy {
    /// What names the field that is typed into, or nil before the host said it.
    ///
    /// `documentIdentifier` says the same, but the SDK promises that it is always there; before the host is ready it is
    /// not, and Swift ends the keyboard.
    var identity: UUID? {
        let name = Selector(("documentIdentifier"))
        guard let proxy = self as? NSObject, proxy.responds(to: name) else { return nil }
        return proxy.perform(name)?.takeUnretainedValue() as? UUID
    }
}
