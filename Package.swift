// swift-tools-version: 6.2
// The manifest is the drawing: which target may import which is said here and in `.ci/imports`.

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func library(
    _ name: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings + more)
}

func cLibrary(_ name: String, _ pkgConfig: String, _ debian: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "countersign",
    products: [.executable(name: "countersign", targets: ["CLI"])],
    targets: [
        cLibrary("CUV", "libuv", "libuv1-dev"),
        cLibrary("CSodium", "libsodium", "libsodium-dev"),
        cLibrary("CCrypto", "libcrypto", "libssl-dev"),
        cLibrary("CTLS", "libssl", "libssl-dev"),
        cLibrary("CSQLite", "sqlite3", "libsqlite3-dev"),
        cLibrary("CYAML", "yaml-0.1", "libyaml-dev"),
        cLibrary("CPSL", "libpsl", "libpsl-dev"),
        cLibrary("CQREncode", "libqrencode", "libqrencode-dev"),
        // What Swift cannot say: it is linked into the executable alone.
        .target(name: "CHardening", path: "Sources/CLibraries/CHardening"),

        library("Core", [], [.strictMemorySafety()]),
        library("Transport", ["Core", "CUV", "CTLS"]),
        library("Server", ["Core", "Transport"]),
        library("Upstream", ["Core", "Transport"]),
        library("Strongbox", ["Core", "CSodium", "CCrypto", "CSQLite"]),
        library("MimiKey", ["Core", "Upstream", "Strongbox"]),
        library(
            "Gateway", ["Core", "Transport", "Server", "Upstream", "Strongbox", "MimiKey", "CYAML"],
            resources: [.embedInCode("Contract/openapi.yaml")]),
        library("Domains", ["CPSL"]),
        library("Sandbox", ["Core", "Server", "Strongbox", "Domains"]),
        .executableTarget(
            name: "CLI", dependencies: ["Core", "Upstream", "Gateway", "Sandbox", "CHardening", "CQREncode"],
            swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["Core"], path: "Tests/TestSupport", swiftSettings: settings),
        .executableTarget(
            name: "EchoServer", dependencies: ["Core", "Server"], path: "Tests/EchoServer", swiftSettings: settings),
        tests("CoreTests", ["Core"], resources: [.copy("Vectors")]),
        tests("ServerTests", ["Core", "Transport", "Server"]),
        tests("UpstreamTests", ["Core", "Transport", "Server", "Upstream"], resources: [.copy("Servers")]),
        tests("StrongboxTests", ["Core", "Strongbox"], resources: [.copy("Vectors")]),
        tests("MimiKeyTests", ["Core", "Upstream", "Strongbox", "MimiKey"], resources: [.copy("Vectors")]),
        tests("DomainsTests", ["Domains"]),
        tests("SandboxTests", ["Core", "Server", "Strongbox", "Sandbox"], resources: [.copy("Vectors")]),
        tests("GatewayTests", ["Core", "Transport", "Server", "Upstream", "Strongbox", "MimiKey", "Gateway"]),
        tests(
            "EndToEndTests", ["CLI", "Core", "Upstream", "Strongbox"],
            resources: [.copy("BadInput"), .copy("Browser"), .copy("DiskFaults")]),
    ]
)
