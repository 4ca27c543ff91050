import Hushbit

/// The content of the bar above the keys.
enum Bar: Equatable {
    case nothing
    /// Sharing is off.
    case off
    /// What was offered is kept.
    case keptNow
    /// A text with these words was drawn before.
    case repeated
    /// Not in this field.
    case refused(FieldPolicy.Decision)
    /// Privatized text, to be kept or discarded.
    case offer(Release)
    /// One of the kept texts, at `position`, counted from the newest, which is 1.
    case kept(Release, position: Int, count: Int)
    /// Privatizing failed; the message contains no typed text.
    case failed(String)
}

/// Privatizes what the user shares, shows it, and keeps it only on request. It never changes the text of the field.
///
/// A text is drawn once. It can then be kept or discarded, but not drawn again until its words are others. Draws of
/// other texts are counted in ``Release/drawn``.
@MainActor
final class PrivateShare {
    private let isSharingOn: () -> Bool
    private let draw: @Sendable (String) async throws -> Draw
    private let store: ReleaseStore
    private let show: (Bar) -> Void
    private var field = FieldPolicy.Decision.unknown
    private var visit = 0
    private var offered: Release?
    private var shown: Kept?
    private var drawn = 0.0

    init(
        isSharingOn: @escaping () -> Bool, draw: @escaping @Sendable (String) async throws -> Draw,
        store: ReleaseStore, show: @escaping (Bar) -> Void
    ) {
        self.isSharingOn = isSharingOn
        self.draw = draw
        self.store = store
        self.show = show
    }

    /// The cursor is in a new field, or in none: forgets everything that was not kept.
    func enterField(_ decision: FieldPolicy.Decision) {
        field = decision
        visit += 1
        dismiss()
    }

    /// The system connects anew to the same field, or shows the keyboard again: what is offered stays, unless the field
    /// may not be read now.
    func restartField(_ decision: FieldPolicy.Decision) {
        if decision != field { enterField(decision) }
    }

    /// The share key: offers the privatized text. Whether this is allowed is decided at once, for the field of the
    /// text. The rest is a task, or nil if there is nothing to do.
    @discardableResult
    func share(_ text: String) -> Task<Void, Never>? {
        dismiss()
        if !isSharingOn() {
            show(.off)
        } else if !field.isAllowed {
            show(.refused(field))
        } else if text.contains(where: { !$0.isWhitespace }) {
            let asked = visit
            return Task { await offer(text, asked: asked) }
        }
        return nil
    }

    private func offer(_ text: String, asked: Int) async {
        let outcome: Bar
        do {
            switch try await draw(text) {
            case .released(let release):
                drawn = sumOfCosts(drawn, release.worstCase)
                outcome = release.text.isEmpty ? .nothing : .offer(release)
            case .repeated: outcome = .repeated
            }
        } catch {
            outcome = .failed(Labels.failure(error))
        }
        guard asked == visit else { return }  // the user has left the field meanwhile
        if case .offer(let release) = outcome { offered = release }
        show(outcome)
    }

    /// Keeps the offered text, with the cost of everything that was drawn.
    func keep() {
        guard var release = offered else { return }
        release.drawn = drawn
        drawn = 0
        dismiss()
        attempt {
            try store.add(release)
            show(.keptNow)
        }
    }

    /// Forgets the offered text, or leaves the review.
    func dismiss() {
        offered = nil
        shown = nil
        show(.nothing)
    }

    /// Shows the newest kept text, with each further call an older one, and after the oldest the newest again.
    func review() {
        offered = nil
        let kept = store.all()
        let at = shown.flatMap { kept.firstIndex(of: $0) } ?? 0
        present(kept, at: at > 0 ? at - 1 : kept.count - 1)
    }

    /// Deletes the shown text, and shows the newest one that is left.
    func delete() {
        guard let gone = shown else { return }
        attempt {
            try store.delete(gone.id)
            shown = nil
            review()
        }
    }

    /// The shown text, to be typed into the field: an export that needs no permission.
    func export() -> String? {
        guard let kept = shown else { return nil }
        dismiss()
        attempt { try store.markExported(kept.id) }
        return kept.release.text
    }

    private func present(_ kept: [Kept], at index: Int) {
        guard kept.indices.contains(index) else { return dismiss() }
        shown = kept[index]
        show(.kept(kept[index].release, position: kept.count - index, count: kept.count))
    }

    private func attempt(_ change: () throws -> Void) {
        do { try change() } catch { show(.failed(Labels.failure(error))) }
    }
}
