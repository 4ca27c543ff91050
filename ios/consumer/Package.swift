// swift-tools-version:5.9
// What an app sees: a package of its own that depends on Hushbit by its path.
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.iOS(.v15), .macOS(.v12)],
    dependencies: [.package(name: "Hushbit", path: "../..")],
    targets: [
        .executableTarget(
            name: "consumer",
            dependencies: [
                .product(name: "Hushbit", package: "Hushbit"), .product(name: "HushbitEnglish", package: "Hushbit"),
            ])
    ]
)
