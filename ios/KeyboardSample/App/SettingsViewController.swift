import UIKit

/// An explanation of the keyboard, the switches that allow sharing and reports, off by default, and the button that
/// opens the review.
final class SettingsViewController: UIViewController {
    private let toggles: [SharedContainer.Consent: UISwitch] = [.sharing: UISwitch(), .reports: UISwitch()]
    private let failure = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        title = Labels.title
        view.backgroundColor = .systemBackground
        let column = UIStackView(arrangedSubviews: [
            text(Labels.explanation), row(Labels.sharing, .sharing), text(Labels.explanationOfReports),
            row(Labels.reports, .reports), reviewButton(), failure,
        ])
        failure.numberOfLines = 0
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
    }

    private func text(_ text: String) -> UILabel {
        let label = UILabel()
        label.text = text
        label.numberOfLines = 0
        return label
    }

    private func row(_ name: String, _ consent: SharedContainer.Consent) -> UIStackView {
        let toggle = toggles[consent] ?? UISwitch()
        toggle.accessibilityLabel = name
        toggle.addAction(UIAction { [weak self] _ in self?.store(consent) }, for: .valueChanged)
        return UIStackView(arrangedSubviews: [text(name), toggle])
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        showSwitches()
    }

    private func reviewButton() -> UIButton {
        let open = UIAction(title: Labels.review) { [weak self] _ in
            self?.navigationController?.pushViewController(ReviewViewController(), animated: true)
        }
        return UIButton(configuration: .gray(), primaryAction: open)
    }

    private func store(_ consent: SharedContainer.Consent) {
        do {
            try Containers.shared().set(consent, toggles[consent]?.isOn ?? false)
            failure.text = nil
        } catch {
            failure.text = Labels.failure(error)
            UIAccessibility.post(notification: .announcement, argument: failure.text)
            showSwitches()
        }
    }

    /// The switches show the stored values, even if storing a new value failed.
    private func showSwitches() {
        for (consent, toggle) in toggles { toggle.isOn = (try? Containers.shared().isOn(consent)) ?? false }
    }
}
