// Privatizes its last argument, with the bundle that its first one names, or with the built-in English words.
import Foundation
import Hushbit

#if canImport(HushbitEnglish)  // which the XCFramework lacks
import HushbitEnglish
#endif

let arguments = CommandLine.arguments.dropFirst()

func openWords() throws -> HushbitBundle {
    #if canImport(HushbitEnglish)
    if arguments.count == 1 { return try HushbitBundle() }
    #endif
    return try HushbitBundle(url: URL(fileURLWithPath: arguments.first ?? ""))
}

let released = try Privatizer(bundle: openWords()).privatize(arguments.last ?? "")
print("\(released.cost.words) words: \(released.text)")
