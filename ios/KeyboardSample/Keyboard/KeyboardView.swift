import UIKit

/// The keys, and above them the bar.
final class KeyboardView: UIView {
    private let press: (Key) -> Void
    private let bar: BarView
    private let rows = UIStackView()
    private var shown: [(keys: [Key], buttons: [UIButton])] = []

    init(press: @escaping (Key) -> Void, act: @escaping (BarAction) -> Void) {
        self.press = press
        bar = BarView(act: act)
        super.init(frame: .zero)
        rows.axis = .vertical
        rows.spacing = 6
        let column = UIStackView(arrangedSubviews: [bar, rows])
        column.axis = .vertical
        column.spacing = 4
        addSubview(column)
        column.fill(self)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("made in code") }

    /// Shows the privatized text, or the reason why there is none.
    func show(_ state: Bar, hasKept: Bool) { bar.show(state, hasKept: hasKept) }

    /// Draws a page again. Rows with the same keys stay, and with them the focus of a screen reader. Rows are counted
    /// from the bottom, for that is the same on every page.
    func draw(_ typing: Typing) {
        let lines = Array(typing.page.reversed())
        while shown.count > lines.count {
            rows.arrangedSubviews[0].removeFromSuperview()
            shown.removeLast()
        }
        for (index, keys) in lines.enumerated() {
            if index >= shown.count || shown[index].keys != keys { replace(index, keys) }
            for (key, button) in zip(shown[index].keys, shown[index].buttons) {
                button.configuration?.title = typing.face(key)
                button.accessibilityLabel = Labels.name(key, typing)
            }
        }
    }

    private func replace(_ index: Int, _ keys: [Key]) {
        let buttons = keys.map { key in UIButton.small("") { [press] in press(key) } }
        // A screen reader types with such keys as the user has set it up: by lifting the finger, or by a double tap.
        for button in buttons { button.accessibilityTraits = .keyboardKey }
        let isNew = index == shown.count
        let fromTop = isNew ? 0 : shown.count - 1 - index
        if !isNew { rows.arrangedSubviews[fromTop].removeFromSuperview() }
        rows.insertArrangedSubview(row(keys, buttons), at: fromTop)
        if isNew { shown.append((keys, buttons)) } else { shown[index] = (keys, buttons) }
    }

    private func row(_ keys: [Key], _ buttons: [UIButton]) -> UIStackView {
        let row = UIStackView(arrangedSubviews: buttons)
        row.spacing = 4
        for (key, button) in zip(keys, buttons).dropFirst() {
            button.widthAnchor.constraint(equalTo: buttons[0].widthAnchor, multiplier: key.width / keys[0].width)
                .isActive = true
        }
        let height = row.heightAnchor.constraint(equalToConstant: 42)
        height.priority = UILayoutPriority(999)  // the system sets its own height while the device rotates
        height.isActive = true
        return row
    }
}

extension UIButton {
    /// A button with little space around its title.
    static func small(_ title: String, onPress: @escaping () -> Void) -> UIButton {
        var look = UIButton.Configuration.gray()
        look.title = title
        look.contentInsets = NSDirectionalEdgeInsets(top: 2, leading: 4, bottom: 2, trailing: 4)
        return UIButton(configuration: look, primaryAction: UIAction { _ in onPress() })
    }
}

extension UIView {
    /// Fills the whole area of the superview.
    func fill(_ container: UIView) {
        translatesAutoresizingMaskIntoConstraints = false
        NSLayoutConstraint.activate([
            topAnchor.constraint(equalTo: container.topAnchor),
            bottomAnchor.constraint(equalTo: container.bottomAnchor),
            leadingAnchor.constraint(equalTo: container.leadingAnchor),
            trailingAnchor.constraint(equalTo: container.trailingAnchor),
        ])
    }
}
