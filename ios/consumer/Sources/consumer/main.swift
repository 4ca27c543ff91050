// Privatizes its second argument with the bundle that its first one names.
import Foundation
import Hushbit

let bundle = try HushbitBundle(url: URL(fileURLWithPath: CommandLine.arguments[1]))
let released = try Privatizer(bundle: bundle).privatize(CommandLine.arguments[2])
print("\(released.cost.words) words: \(released.text)")
