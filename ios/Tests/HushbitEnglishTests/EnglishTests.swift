import Hushbit
import HushbitEnglish
import XCTest

final class EnglishTests: XCTestCase {
    func testTheWordsOpenWithoutAnArgument() throws {
        let bundle = try HushbitBundle()
        try bundle.verify()
        XCTAssertGreaterThan(bundle.info.words, 10_000)
        let released = try Privatizer(bundle: bundle).privatize("meet me at the station").text
        XCTAssertEqual(5, released.split(separator: " ").count)
    }

    func testTheyAreMappedInTheBackgroundToo() async throws {
        let bundle = try await HushbitBundle.open(url: HushbitBundle.english)
        XCTAssertEqual(try HushbitBundle().info.hash, bundle.info.hash)
    }

    func testTheirLicenseIsBesideThem() {
        let license = HushbitBundle.english.deletingLastPathComponent().appendingPathComponent("LICENSE-PDDL.txt")
        XCTAssertTrue(FileManager.default.fileExists(atPath: license.path))
    }
}
