import UIKit

extension UITextDocumentProxy {
    /// The identity of the current field, or nil before the host app has stated it.
    ///
    /// `documentIdentifier` has the same value, but the SDK declares that it always exists. Before the host app is
    /// ready it does not exist, and Swift terminates the keyboard.
    var identity: UUID? {
        let name = Selector(("documentIdentifier"))
        guard let proxy = self as? NSObject, proxy.responds(to: name) else { return nil }
        return proxy.perform(name)?.takeUnretainedValue() as? UUID
    }
}
