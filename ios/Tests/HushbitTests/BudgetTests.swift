import Foundation
import XCTest

@testable import Hushbit

final class BudgetTests: XCTestCase {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var url: URL { directory.appendingPathComponent("budget") }

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: directory) }

    func testACapOnTokens() throws {
        let budget = try Budget(url: url, limits: BudgetLimits(tokensPerDay: 5))
        let privatizer = try Privatizer(bundle: words(), options: PrivatizerOptions(budget: budget))
        let spent = try privatizer.privatize("the men were").cost.worstCase
        assertThrows(try privatizer.privatize("the men were")) {
            if case .budgetExhausted = $0 { return true } else { return false }
        }
        XCTAssertEqual(3, try budget.state().tokensLifetime)
        XCTAssertEqual(spent, try budget.state().worstCaseLifetime, accuracy: 1e-5)  // in millionths, rounded up
        _ = try privatizer.privatize("the cat")
        XCTAssertEqual(5, try budget.state().tokensToday)
        try Budget.reset(url: url)
        XCTAssertEqual(0, try Budget(url: url).state().tokensLifetime)
    }

    func testAnAppSpendsCostsOfItsOwn() throws {
        let budget = try Budget(url: url, limits: BudgetLimits(worstCasePerDay: 3, tokensLifetime: 10))
        try budget.spend(worstCase: 2.5, tokens: 4)
        for (cost, tokens) in [(0.75, UInt64(0)), (0, 7)] {
            assertThrows(try budget.spend(worstCase: cost, tokens: tokens)) {
                if case .budgetExhausted = $0 { return true } else { return false }
            }
        }
        try budget.spendTexts(worstCase: 0.5, texts: 6)
        XCTAssertEqual(6, try budget.state().textsLifetime)
        XCTAssertEqual(3, try budget.state().worstCaseToday)
        XCTAssertEqual(10, try budget.state().tokensLifetime)
        assertThrows(try budget.spend(worstCase: -1)) {
            if case .invalidArgument = $0 { return true } else { return false }
        }
    }

    func testBadCapsAndDamage() throws {
        for limits in [BudgetLimits(worstCasePerDay: -1), BudgetLimits(worstCaseLifetime: .nan)] {
            assertThrows(try Budget(url: url, limits: limits)) {
                if case .invalidArgument = $0 { return true } else { return false }
            }
        }
        assertThrows(try Budget(url: URL(fileURLWithPath: "/nowhere/at/all"))) {
            if case .storageFailed = $0 { return true } else { return false }
        }
        _ = try Budget(url: url)
        var content = try Data(contentsOf: url)
        content[20] ^= 1
        try content.write(to: url)
        assertThrows(try Budget(url: url).state()) { if case .corruptBudget = $0 { return true } else { return false } }
    }

    func testTheAuditLogCountsAndNeverQuotes() throws {
        let log = directory.appendingPathComponent("audit.jsonl")
        let privatizer = try Privatizer(bundle: words(), options: PrivatizerOptions(auditLog: log))
        _ = try privatizer.privatize("elephant qzxv")
        let text = try String(contentsOf: log, encoding: .utf8)
        XCTAssertTrue(text.hasPrefix("{") && text.split(separator: "\n").count == 1)
        XCTAssertFalse(text.contains("elephant") || text.contains("qzxv"))
    }
}
