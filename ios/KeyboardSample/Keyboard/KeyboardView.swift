import UIKit

/// The keys, and above them the bar.
final class KeyboardView: UIView {
    private let press: (Key) -> Void
    private let bar: BarView
    private let rows = UIStackView()

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

    /// Draws a page again.
    func draw(_ typing: Typing) {
        for row in rows.arrangedSubviews { row.removeFromSuperview() }
        for keys in typing.page { rows.addArrangedSubview(row(keys, typing)) }
    }

    private func row(_ keys: [Key], _ typing: Typing) -> UIStackView {
        let buttons = keys.map { button($0, typing) }
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

    private func button(_ key: Key, _ typing: Typing) -> UIButton {
        let button = UIButton.small(typing.face(key)) { [press] in press(key) }
        button.accessibilityLabel = Labels.name(key)
        return button
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
