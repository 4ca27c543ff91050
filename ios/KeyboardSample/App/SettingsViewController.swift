import UIKit

/// An explanation of the keyboard, the switch that allows sharing, off by default, and the button that opens the
/// review.
final class SettingsViewController: UIViewController {
    private let toggle = UISwitch()
    private let failure = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        title = Labels.title
        view.backgroundColor = .systemBackground
        let explanation = UILabel()
        explanation.text = Labels.explanation
        let name = UILabel()
        name.text = Labels.sharing
        let column = UIStackView(arrangedSubviews: [
            explanation, UIStackView(arrangedSubviews: [name, toggle]), reviewButton(), failure,
        ])
        for label in [explanation, name, failure] { label.numberOfLines = 0 }
        column.axis = .vertical
        column.spacing = 16
        view.addSubview(column)
        column.translatesAutoresizingMaskIntoConstraints = false
        let place = view.layoutMarginsGuide
        NSLayoutConstraint.activate([
            column.topAnchor.constraint(equalTo: place.topAnchor),
            column.leadingAnchor.constraint(equalTo: place.leadingAnchor),
            column.trailingAnchor.constraint(equalTo: place.trailingAnchor),
        ])
        toggle.addAction(UIAction { [weak self] _ in self?.store() }, for: .valueChanged)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        showSwitch()
    }

    private func reviewButton() -> UIButton {
        let open = UIAction(title: Labels.review) { [weak self] _ in
            self?.navigationController?.pushViewController(ReviewViewController(), animated: true)
        }
        return UIButton(configuration: .gray(), primaryAction: open)
    }

    private func store() {
        do {
            try Containers.shared().setSharing(toggle.isOn)
            failure.text = nil
        } catch {
            failure.text = Labels.failure(error)
            showSwitch()
        }
    }

    /// The switch shows the stored value, even if storing a new value failed.
    private func showSwitch() { toggle.isOn = (try? Containers.shared().isSharingOn) ?? false }
}
