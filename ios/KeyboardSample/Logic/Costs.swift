import Foundation

/// A cost for people: rounded up to two decimals, from a whole number of millionths. Sums of costs have the errors of
/// binary fractions: 54.00000000000001 is shown as 54.
func costText(_ cost: Double) -> String {
    guard cost.isFinite else { return "\u{221E}" }
    let hundredths = ((cost * 1e6).rounded() / 1e4).rounded(.up)
    var text = String(format: "%.2f", hundredths / 100)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
}
