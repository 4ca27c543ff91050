import XCTest

@testable import Hushbit

final class FieldPolicyTests: XCTestCase {
    private let plain = FieldTraits(
        isSecure: false, contentType: nil, keyboardType: 0, returnKeyType: 0, autocorrection: 0, spellChecking: 0)

    private func decide(_ change: (inout FieldTraits) -> Void) -> FieldPolicy.Decision {
        var traits = plain
        change(&traits)
        return FieldPolicy.evaluate(traits)
    }

    /// Every value from below the known ones to far beyond them: what is not listed must be unknown.
    private func assertTable(
        _ trait: WritableKeyPath<FieldTraits, Int?>, _ table: [Int: FieldPolicy.Decision], line: UInt = #line
    ) {
        for value in Array(-2...64) + [Int.max, Int.min] {
            XCTAssertEqual(
                table[value] ?? .unknown, decide { $0[keyPath: trait] = value }, "value \(value)", line: line)
        }
        XCTAssertEqual(.unknown, decide { $0[keyPath: trait] = nil }, line: line)
    }

    func testRunningTextIsAllowed() {
        XCTAssertEqual(.allowed, FieldPolicy.evaluate(plain))
        XCTAssertEqual(.allowed, decide { $0.contentType = "" })
        XCTAssertEqual([.allowed], FieldPolicy.Decision.allCases.filter(\.isAllowed))
    }

    func testKeyboards() {
        assertTable(
            \.keyboardType,
            [
                0: .allowed, 1: .notText, 2: .notText, 3: .url, 4: .notText, 5: .notText, 6: .personal, 7: .email,
                8: .notText, 9: .allowed, 10: .query, 11: .notText,
            ])
    }

    func testReturnKeys() {
        assertTable(
            \.returnKeyType,
            [
                0: .allowed, 1: .query, 2: .query, 3: .query, 4: .allowed, 5: .query, 6: .query, 7: .allowed,
                8: .query, 9: .allowed, 10: .query, 11: .allowed,
            ])
    }

    func testCorrection() {
        for trait in [\FieldTraits.autocorrection, \.spellChecking] {
            assertTable(trait, [0: .allowed, 1: .noSuggestions, 2: .allowed])
        }
    }

    func testNoContentTypeIsAllowed() {
        let table: [FieldPolicy.Decision: [String]] = [
            .password: ["password", "new-password", "one-time-code", "cc-number", "cc-csc", "credit-card-number"],
            .email: ["email"],
            .url: ["url"],
            .notText: ["tel", "date-time", "flight-number", "shipment-tracking-number"],
            .personal: [
                "name", "name-prefix", "given-name", "middle-name", "family-name", "name-suffix", "nickname",
                "username", "organization", "organization-title", "location", "street-address", "address-line1",
                "address-level1+2", "country-name", "postal-code", "bday", "bday-year",
            ],
            .unknown: ["anything", " ", "Password", "cellular-eid"],
        ]
        for (decision, types) in table {
            for type in types { XCTAssertEqual(decision, decide { $0.contentType = type }, type) }
        }
    }

    func testSecurityComesFirstAndSilenceIsNotConsent() {
        XCTAssertEqual(.unknown, decide { $0.isSecure = nil })
        XCTAssertEqual(
            .password,
            decide {
                $0.isSecure = true
                $0.contentType = "email"
                $0.keyboardType = nil
            })
    }
}
