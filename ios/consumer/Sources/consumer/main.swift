// Privatizes its last argument, with the bundle that its first one names, or with the built-in English words.
import Foundation
import Hushbit
import HushbitEnglish

let arguments = CommandLine.arguments.dropFirst()
let bundle = try arguments.count > 1 ? HushbitBundle(url: URL(fileURLWithPath: arguments[1])) : HushbitBundle()
let released = try Privatizer(bundle: bundle).privatize(arguments.last ?? "")
print("\(released.cost.words) words: \(released.text)")
