import Foundation
import Hushbit

extension HushbitBundle {
    /// Maps the built-in English words, 4 MB in the resources of this package.
    ///
    /// ```swift
    /// let privatizer = try Privatizer(bundle: HushbitBundle())
    /// ```
    ///
    /// - Throws: ``HushbitError/fileNotFound(_:)`` if the app was built without the package's resources.
    public convenience init() throws { try self.init(url: Self.english) }

    /// Where the built-in English words are, for an async `HushbitBundle.open(url:)`.
    public static var english: URL {
        (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appendingPathComponent("english.hushbit")
    }
}
