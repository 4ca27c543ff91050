import Foundation

/// A cost for people: rounded up to two decimals, from the whole number of millionths for which its double stands.
func costText(_ cost: Double) -> String {
    guard cost.isFinite else { return "\u{221E}" }
    let hundredths = (millionths(cost) / 1e4).rounded(.up)
    var text = String(format: "%.2f", hundredths / 100)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
}

/// The sum of two worst cases, which are numbers of millionths: exactly, as in the core. 18.1 + 18.1 + 17.8 is 54.
func sumOfCosts(_ one: Double, _ other: Double) -> Double { (millionths(one) + millionths(other)) / 1e6 }

private func millionths(_ cost: Double) -> Double { (cost * 1e6).rounded() }
