import CHushbit
import Foundation

/// A ledger of what was spent, in a small file, and caps. Used through ``PrivatizerOptions/budget``.
///
/// Caps are exact even if several threads and processes spend at once. Keep the file out of backups: restoring an old
/// ledger would undo what was spent.
public final class Budget: Sendable {
    let handle: Handle

    /// Opens the ledger at a URL, or creates an empty one. `NAME.lock` and, for short times, `NAME.new` are written
    /// next to it. The caps belong to this object; the file contains only what was spent.
    ///
    /// - Throws: ``HushbitError/invalidArgument(_:)`` for a cap that is negative or NaN,
    ///   ``HushbitError/corruptBudget(_:)`` for a damaged file, ``HushbitError/unsupportedBudget(_:)`` for a file of a
    ///   newer version, ``HushbitError/storageFailed(_:)`` if it cannot be read, locked or written.
    public init(url: URL, limits: BudgetLimits = BudgetLimits()) throws {
        var caps = sized(hushbit_budget_limits.self)
        hushbit_budget_limits_init(&caps, nil)
        caps.worst_case_per_day = limits.worstCasePerDay
        caps.worst_case_lifetime = limits.worstCaseLifetime
        caps.tokens_per_day = limits.tokensPerDay ?? UInt64.max
        caps.tokens_lifetime = limits.tokensLifetime ?? UInt64.max
        handle = try url.withPath { path in
            try make(release: { hushbit_budget_close($0) }) { hushbit_budget_open(path, &caps, $0, $1) }
        }
    }

    /// What has been spent so far.
    public func state() throws -> BudgetState {
        var state = sized(hushbit_budget_state.self)
        try handle.use { budget in try check { hushbit_budget_get_state(budget, &state, $0) } }
        return BudgetState(state)
    }

    /// Spends a cost of the app's own, and returns when the ledger is on the disk. What is created with this budget
    /// spends its own costs. After an error nothing may be released.
    ///
    /// - Parameters:
    ///   - worstCase: in units of ``Cost/worstCase``, 0 or more; infinity is allowed only if there is no cap on costs.
    ///   - tokens: how many released tokens it is for.
    /// - Throws: ``HushbitError/budgetExhausted(_:)`` if a cap does not allow it; nothing was spent.
    public func spend(worstCase: Double, tokens: UInt64 = 0) throws {
        try handle.use { budget in try check { hushbit_budget_spend(budget, worstCase, tokens, $0) } }
    }

    /// The same for releases of whole texts, which cost `worstCase` together: each counts as a token and as a text.
    public func spendTexts(worstCase: Double, texts: UInt32) throws {
        try handle.use { budget in try check { hushbit_budget_spend_texts(budget, worstCase, texts, $0) } }
    }

    /// Replaces the ledger at a URL, damaged or not, with an empty one. Its caps no longer bound what was released
    /// before.
    public static func reset(url: URL) throws {
        try url.withPath { path in try check { hushbit_budget_reset(path, $0) } }
    }
}

/// Caps on what is spent in one day (UTC) and in total. A release that would exceed one of them is refused.
public struct BudgetLimits: Hashable, Sendable {
    /// The cap of a day in units of ``Cost/worstCase``, 0 or more; infinity means no cap.
    public var worstCasePerDay: Double
    /// The same in total.
    public var worstCaseLifetime: Double
    /// Released tokens with a replacement; nil means no cap.
    public var tokensPerDay: UInt64?
    /// The same in total.
    public var tokensLifetime: UInt64?

    public init(
        worstCasePerDay: Double = .infinity, worstCaseLifetime: Double = .infinity, tokensPerDay: UInt64? = nil,
        tokensLifetime: UInt64? = nil
    ) {
        self.worstCasePerDay = worstCasePerDay
        self.worstCaseLifetime = worstCaseLifetime
        self.tokensPerDay = tokensPerDay
        self.tokensLifetime = tokensLifetime
    }
}

/// What was spent.
public struct BudgetState: Hashable, Sendable {
    /// Days since 1970-01-01 UTC; never goes back, even if the clock is set back.
    public let day: UInt64
    /// On that day.
    public let worstCaseToday: Double
    /// Since the file was created or reset.
    public let worstCaseLifetime: Double
    /// On that day.
    public let tokensToday: UInt64
    /// Since the file was created or reset.
    public let tokensLifetime: UInt64
    /// Releases of whole texts (embeddings, reports) on that day; each is a token, too.
    public let textsToday: UInt64
    /// Since the file was created or reset.
    public let textsLifetime: UInt64

    init(_ state: hushbit_budget_state) {
        day = state.day
        worstCaseToday = state.worst_case_today
        worstCaseLifetime = state.worst_case_lifetime
        tokensToday = state.tokens_today
        tokensLifetime = state.tokens_lifetime
        textsToday = state.texts_today
        textsLifetime = state.texts_lifetime
    }
}
