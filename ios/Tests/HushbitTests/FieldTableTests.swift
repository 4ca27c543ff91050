import Foundation
import XCTest

@testable import Hushbit

/// The same fields on the web, on Android and on iOS (tests/vectors/fields.json), and what a history remembers.
final class FieldTableTests: XCTestCase {
    private struct Table: Decodable {
        let fields: [Row]
        let secret_names, plain_names: [String]
    }

    private struct Row: Decodable {
        let field: String
        let ios: Field?
    }

    private struct Field: Decodable {
        let decision: String
        let contentType, was: String?
        let isSecure, hasPasswordRules: Bool?
        let keyboardType, returnKeyType, autocorrection, spellChecking: Int?
        let names: [String]?

        var traits: FieldTraits {
            FieldTraits(
                isSecure: isSecure ?? false, contentType: contentType, keyboardType: keyboardType ?? 0,
                returnKeyType: returnKeyType ?? 0, autocorrection: autocorrection ?? 0,
                spellChecking: spellChecking ?? 0, hasPasswordRules: hasPasswordRules ?? false, names: names ?? [])
        }
    }

    private let plain = FieldTraits(
        isSecure: false, contentType: nil, keyboardType: 0, returnKeyType: 0, autocorrection: 0, spellChecking: 0)

    private var password: FieldTraits {
        var traits = plain
        traits.contentType = "password"
        return traits
    }

    private func table() throws -> Table {
        try JSONDecoder().decode(Table.self, from: Data(contentsOf: vector("fields.json")))
    }

    func testNamesOfSecretsInManyLanguages() throws {
        let table = try table()
        for (names, decision) in [(table.secret_names, FieldPolicy.Decision.password), (table.plain_names, .allowed)] {
            XCTAssertGreaterThan(names.count, 10)
            for name in names {
                for called in [name, "(\(name))", name.uppercased()] {
                    var traits = plain
                    traits.names = [called]
                    XCTAssertEqual(decision, FieldPolicy.evaluate(traits), called)
                }
            }
        }
    }

    func testEveryFieldOfTheTable() throws {
        let table = try table()
        let fields = table.fields.filter { $0.ios != nil }
        XCTAssertGreaterThan(fields.count, 30)
        for row in fields {
            let field = try XCTUnwrap(row.ios)
            var history = FieldHistory()
            let identity = UUID()
            if field.was == "password" { _ = history.evaluate(password, identity: identity) }
            let found = history.evaluate(field.traits, identity: identity)
            XCTAssertEqual(field.decision.replacingOccurrences(of: "-", with: ""), "\(found)".lowercased(), row.field)
        }
    }

    func testAPasswordStaysOneAndNoOtherFieldBecomesOne() {
        var history = FieldHistory()
        let (field, another) = (UUID(), UUID())
        XCTAssertEqual(.allowed, history.evaluate(plain, identity: field))
        XCTAssertEqual(.password, history.evaluate(password, identity: field))
        XCTAssertEqual(.password, history.evaluate(plain, identity: field))
        XCTAssertEqual(.allowed, history.evaluate(plain, identity: another))
        XCTAssertEqual(.allowed, history.evaluate(plain, identity: nil))
        var email = plain
        email.contentType = "email"
        XCTAssertEqual(.email, history.evaluate(email, identity: field))
    }

    func testFieldsWithoutAnIdentityCannotBeToldApartOnceOneWasAPassword() {
        var history = FieldHistory()
        XCTAssertEqual(.allowed, history.evaluate(plain, identity: nil))
        XCTAssertEqual(.password, history.evaluate(password, identity: nil))
        XCTAssertEqual(.unknown, history.evaluate(plain, identity: nil))
        XCTAssertEqual(.allowed, history.evaluate(plain, identity: UUID()))
    }
}
