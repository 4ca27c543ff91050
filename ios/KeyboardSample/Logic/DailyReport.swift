import Foundation
import Hushbit

/// One report a day: about one emoji of the first line of an even day, about one word on an odd day. Whether a line has
/// an emoji at all is not visible in its report.
///
/// A ledger makes it one a day, also after a restart and after the user deleted what was kept.
actor DailyReport {
    /// Of a whole line, and so of a day.
    static let epsilon = 1.0
    /// In the lifetime of an installation: a year.
    static let mostReports = 365

    private let storage: KeyboardStorage
    private let openBundle: @Sendable () throws -> HushbitBundle
    private let today: @Sendable () -> UInt64
    private var lastDay: UInt64?

    init(
        storage: KeyboardStorage, openBundle: @escaping @Sendable () throws -> HushbitBundle,
        today: @escaping @Sendable () -> UInt64 = { currentDay() }
    ) {
        self.storage = storage
        self.openBundle = openBundle
        self.today = today
    }

    /// Draws the report of today from a line, and keeps it. Returns whether there was none before.
    @discardableResult
    func keep(_ line: String) throws -> Bool {
        let day = today()
        guard day != lastDay else { return false }
        do {
            try storage.kept.add(try draw(line, day))
            lastDay = day
            return true
        } catch HushbitError.budgetExhausted {
            lastDay = day
            return false
        }
    }

    private func draw(_ line: String, _ day: UInt64) throws -> Release {
        let about: Release.About = day % 2 == 0 ? .emoji : .word
        try makePrivateDirectory(storage.directory)
        let limits = BudgetLimits(worstCaseLifetime: Self.epsilon * Double(Self.mostReports), tokensPerDay: 1)
        let options = ReporterOptions(
            values: about == .emoji ? .emoji : .words, epsilon: Self.epsilon,
            memoization: Memoization(deviceKey: try storage.deviceKey(), epoch: day / Privacy.daysOfEpoch),
            budget: try Budget(url: storage.reportBudget, limits: limits))
        let report = try Reporter(bundle: openBundle(), options: options).report(line)
        return Release(
            text: report.json, epsilon: report.epsilon, worstCase: report.epsilon, source: report.values, day: day,
            about: about)
    }
}
