import Hushbit
import HushbitEnglish
import UIKit

/// A keyboard with a key that shares privately.
///
/// The field always gets the text as typed. Privatized text is kept in the keyboard's own container. This happens only
/// if the user has switched it on, the field allows it, and the user has seen the privatized text and kept it.
final class KeyboardViewController: UIInputViewController {
    private let storage = Containers.own()
    private let shared = try? Containers.shared()
    private var typing = Typing()
    private var document: UUID?
    private var history = FieldHistory()
    private var decision = FieldPolicy.Decision.unknown
    private lazy var privacy = Privacy(storage: storage, openBundle: { try HushbitBundle() })
    private lazy var daily = DailyReport(storage: storage, openBundle: { try HushbitBundle() })
    private lazy var keyboard = KeyboardView { [weak self] in self?.press($0) } act: { [weak self] in self?.act($0) }
    private lazy var share = makeShare()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(keyboard)
        keyboard.fill(view)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Without Full Access this throws and moves nothing. Then the user reviews the kept texts here.
        _ = try? shared?.handOver(from: storage, hasFullAccess: hasFullAccess, today: currentDay())
        typing.reset()
        keyboard.draw(typing)
        noteField()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        if document == nil { share.enterField(.unknown) }  // otherwise what is offered waits for the same field
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        guard typing.hasNextKeyboardKey != needsInputModeSwitchKey else { return }
        typing.hasNextKeyboardKey = needsInputModeSwitchKey
        keyboard.draw(typing)
    }

    /// The text changed, or the cursor is in another field.
    override func textDidChange(_ textInput: (any UITextInput)?) {
        super.textDidChange(textInput)
        noteField()
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        Task { await privacy.close() }
    }

    private func makeShare() -> PrivateShare {
        PrivateShare(
            isSharingOn: { [shared] in shared?.isOn(.sharing) ?? false },
            draw: { [privacy] in try await privacy.draw($0) },
            store: storage.kept,
            show: { [weak self] bar in self?.show(bar) })
    }

    private func show(_ bar: Bar) { keyboard.show(bar, hasKept: storage.kept.count > 0) }

    /// Forgets what was not kept, unless this is certainly the same field with the same traits.
    private func noteField() {
        let isSame = document != nil && document == textDocumentProxy.identity
        document = textDocumentProxy.identity
        decision = history.evaluate(FieldTraits(textDocumentProxy), identity: document)
        if isSame { share.restartField(decision) } else { share.enterField(decision) }
    }

    private func press(_ key: Key) {
        let before = typing
        switch typing.press(key) {
        case .insert(let text):
            if text == "\n" { report() }
            textDocumentProxy.insertText(text)
        case .delete: textDocumentProxy.deleteBackward()
        case .nextKeyboard: advanceToNextInputMode()
        case .share: shareText()
        case .none: break
        }
        if typing != before { keyboard.draw(typing) }
    }

    private func shareText() {
        noteField()  // host apps may change a field without notice
        share.share(
            textToShare(selected: textDocumentProxy.selectedText, before: textDocumentProxy.documentContextBeforeInput))
    }

    /// Draws the report of the day from a line that is complete, if the user has allowed that.
    private func report() {
        noteField()
        let line = textToShare(selected: nil, before: textDocumentProxy.documentContextBeforeInput)
        guard shared?.isOn(.reports) == true, decision.isAllowed, line.contains(where: { !$0.isWhitespace }) else {
            return
        }
        Task { [daily] in _ = try? await daily.keep(line) }
    }

    private func act(_ action: BarAction) {
        switch action {
        case .keep: share.keep()
        case .dismiss: share.dismiss()
        case .review: share.review()
        case .delete: share.delete()
        case .type: if let text = share.export() { textDocumentProxy.insertText(text) }
        }
    }
}
