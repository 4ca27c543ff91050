import Foundation
import Hushbit

/// Draws one text after another, not on the main thread. Opens bundle and budget on first use.
actor Privacy {
    /// A cap that stops a mistake of the app, but not a normal day; see docs/repetition-and-budget.md.
    static let wordsPerDay: UInt64 = 500
    /// Within this many days a repeated word gets the same noise.
    static let daysOfEpoch: UInt64 = 91

    private let storage: KeyboardStorage
    private let openBundle: @Sendable () throws -> HushbitBundle
    private let today: @Sendable () -> UInt64
    private var draws = Draws()
    private var ready: Ready?

    private struct Ready {
        let bundle: HushbitBundle
        let privatizer: Privatizer
        let epoch: UInt64
    }

    init(
        storage: KeyboardStorage, openBundle: @escaping @Sendable () throws -> HushbitBundle,
        today: @escaping @Sendable () -> UInt64 = { currentDay() }
    ) {
        self.storage = storage
        self.openBundle = openBundle
        self.today = today
    }

    /// Draws a text once, after its cost was spent. Throws `HushbitError` or ``SampleError``; then nothing was drawn.
    func draw(_ text: String) throws -> Draw {
        let day = today()
        let ready = try prepare(epoch: day / Self.daysOfEpoch)
        guard let noted = draws.note(text, try ready.bundle.tokenize(text)) else { return .repeated }
        do {
            let released = try ready.privatizer.privatize(text)
            return .released(
                Release(
                    text: released.text, epsilon: released.cost.epsilon, worstCase: released.cost.worstCase,
                    source: ready.bundle.info.hash, day: day))
        } catch {
            draws.forget(noted)
            throw error
        }
    }

    /// Closes bundle and budget; the next text opens them again.
    func close() { ready = nil }

    private func prepare(epoch: UInt64) throws -> Ready {
        if let ready, ready.epoch == epoch { return ready }
        let bundle = try openBundle()
        try makePrivateDirectory(storage.directory)
        let privatizer = try Privatizer(
            bundle: bundle,
            options: PrivatizerOptions(
                memoization: Memoization(deviceKey: storage.deviceKey(), epoch: epoch),
                budget: Budget(url: storage.budget, limits: BudgetLimits(tokensPerDay: Self.wordsPerDay))))
        let made = Ready(bundle: bundle, privatizer: privatizer, epoch: epoch)
        ready = made
        return made
    }
}

/// Days since 1970-01-01 UTC.
func currentDay() -> UInt64 { UInt64(max(0, Date().timeIntervalSince1970 / 86_400)) }
