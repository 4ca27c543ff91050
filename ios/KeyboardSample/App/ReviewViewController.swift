import UIKit

/// The texts that the keyboard handed over: to read, to export to another app, and to delete.
final class ReviewViewController: UITableViewController {
    private var kept: [Kept] = []
    private var note = ""

    init() { super.init(style: .insetGrouped) }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("made in code") }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = Labels.kept
        let clear = UIAction(title: Labels.deleteAll) { [weak self] _ in self?.change { try $0.clear() } }
        navigationItem.rightBarButtonItem = UIBarButtonItem(primaryAction: clear)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        load()
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { kept.count }

    override func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { note }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let release = kept[indexPath.row].release
        let cell = UITableViewCell(style: .subtitle, reuseIdentifier: nil)
        cell.textLabel?.text = Labels.title(release) + release.text
        cell.textLabel?.numberOfLines = 0
        cell.detailTextLabel?.text = Labels.cost(release)
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        export(kept[indexPath.row], from: tableView.cellForRow(at: indexPath))
    }

    override func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        let id = kept[indexPath.row].id
        let delete = UIContextualAction(style: .destructive, title: Labels.delete) { [weak self] _, _, done in
            self?.change { try $0.delete(id) }
            done(true)
        }
        return UISwipeActionsConfiguration(actions: [delete])
    }

    private func export(_ kept: Kept, from source: UIView?) {
        let sheet = UIActivityViewController(activityItems: [kept.release.text], applicationActivities: nil)
        sheet.popoverPresentationController?.sourceView = source
        sheet.completionWithItemsHandler = { [weak self] _, isDone, _, _ in
            if isDone { self?.change { try $0.markExported(kept.id) } }
        }
        present(sheet, animated: true)
    }

    private func change(_ change: (ReleaseStore) throws -> Void) {
        do {
            try change(Containers.shared().kept)
            load()
        } catch {
            load(failure: error)
        }
    }

    private func load(failure: (any Error)? = nil) {
        switch Result(catching: { try Containers.shared().review }) {
        case .success(.kept(let found, let day)):
            kept = found.reversed()
            note = (found.isEmpty ? Labels.nothingKept + " " : "") + Labels.handedOver(day: day)
        case .success(.requiresFullAccess):
            kept = []
            note = Labels.requiresFullAccess
        case .failure(let error):
            kept = []
            note = Labels.failure(error)
        }
        if let failure { note = Labels.failure(failure) }
        navigationItem.rightBarButtonItem?.isEnabled = !kept.isEmpty
        tableView.reloadData()
    }
}
