import Foundation

// The package manager writes this for a target that has resources; here it is for compilers that are called without it.
extension Foundation.Bundle {
    static var module: Bundle { .main }
}
