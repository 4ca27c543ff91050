import UIKit

/// The actions of the buttons of the bar.
enum BarAction {
    case keep
    case dismiss
    case review
    case delete
    /// Types the shown text into the field.
    case type
}

/// The privatized text, or the reason why there is none, with buttons for the possible actions.
final class BarView: UIStackView {
    private let act: (BarAction) -> Void
    private let label = UILabel()

    init(act: @escaping (BarAction) -> Void) {
        self.act = act
        super.init(frame: .zero)
        spacing = 4
        label.numberOfLines = 3
        label.font = UIFont.preferredFont(forTextStyle: .footnote)
        show(.nothing, hasKept: false)
    }

    @available(*, unavailable)
    required init(coder: NSCoder) { fatalError("made in code") }

    func show(_ bar: Bar, hasKept: Bool) {
        for view in arrangedSubviews { view.removeFromSuperview() }
        label.text = Labels.text(bar)
        // Says what changed, and leaves the focus on the key that was pressed.
        if bar != .nothing { UIAccessibility.post(notification: .announcement, argument: label.text) }
        addArrangedSubview(label)
        for (title, action) in Self.actions(bar, hasKept: hasKept) {
            addArrangedSubview(UIButton.small(title) { [act] in act(action) })
        }
    }

    private static func actions(_ bar: Bar, hasKept: Bool) -> [(String, BarAction)] {
        switch bar {
        case .offer: return [(Labels.keep, .keep), (Labels.discard, .dismiss)]
        case .kept:
            return [
                (Labels.older, .review), (Labels.type, .type), (Labels.delete, .delete), (Labels.done, .dismiss),
            ]
        case .nothing: return hasKept ? [(Labels.review, .review)] : []
        case .off, .refused, .failed, .repeated, .keptNow: return [(Labels.done, .dismiss)]
        }
    }
}
