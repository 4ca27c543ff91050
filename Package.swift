// swift-tools-version:5.9
// The Swift package, at the root because SwiftPM looks nowhere else; its parts are under ios/, the core under native/.
import PackageDescription

let package = Package(
    name: "Hushbit",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "Hushbit", targets: ["Hushbit"]),
        // The built-in English words, 4 MB, for HushbitBundle() without an argument.
        .library(name: "HushbitEnglish", targets: ["HushbitEnglish"]),
    ],
    targets: [
        // The C++ core behind its C header, without the seeded randomness of tests.
        .target(
            name: "CHushbit",
            path: "native",
            exclude: [
                "bench", "fuzz", "install.cmake", "tests", "toolchains",
                "src/api/testing.cpp", "src/mechanism/text_crowd_sizes.inc", "src/search/kernels/tile_kernel.inc",
                "src/text/emoji_table.inc", "src/text/unicode_tables.inc",
            ],
            sources: ["src"],
            publicHeadersPath: "module",
            cxxSettings: [.headerSearchPath("include"), .headerSearchPath("src")],
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
        ),
        .target(
            name: "Hushbit",
            dependencies: ["CHushbit"],
            path: "ios/Sources/Hushbit",
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .target(
            name: "HushbitEnglish",
            dependencies: ["Hushbit"],
            path: "ios/Sources/HushbitEnglish",
            // Through a link to the folder: a link to a file would be copied as a link.
            exclude: ["words/README.md"],
            resources: [.copy("words/english.hushbit"), .copy("words/LICENSE-PDDL.txt")]
        ),
        .testTarget(
            name: "HushbitEnglishTests",
            dependencies: ["HushbitEnglish"],
            path: "ios/Tests/HushbitEnglishTests"
        ),
        // Seeded randomness, for the golden vectors alone: no product holds it.
        .target(
            name: "CHushbitTesting",
            dependencies: ["CHushbit"],
            path: "ios/Tests/CHushbitTesting",
            cxxSettings: [.headerSearchPath("../../../native/include"), .headerSearchPath("../../../native/src")]
        ),
        .testTarget(
            name: "HushbitTests",
            dependencies: ["Hushbit", "CHushbitTesting"],
            path: "ios/Tests/HushbitTests"
        ),
        // What the sample keyboard decides and keeps, without UIKit, so that it is tested everywhere. No product.
        .target(name: "KeyboardLogic", dependencies: ["Hushbit"], path: "ios/KeyboardSample/Logic"),
        .testTarget(
            name: "KeyboardLogicTests",
            dependencies: ["KeyboardLogic"],
            path: "ios/Tests/KeyboardLogicTests"
        ),
    ],
    cxxLanguageStandard: .cxx20
)
