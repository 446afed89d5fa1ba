import Foundation

/// How the sandbox of a stage behaves. Rude is what a test gets that does not ask for quiet: a gateway has to live with it.
struct SandboxManners: Sendable {
    /// `nil`: polite.
    let seed: UInt64?

    /// For a test that counts, or that sets its own faults.
    static let polite = SandboxManners(seed: nil)

    /// As usual, with short delays. The seed is printed; `RUDE_SEED` brings the same day again.
    static var rude: SandboxManners {
        let given = ProcessInfo.processInfo.environment["RUDE_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 0..<1_000_000)
        print("a rude sandbox, with the seed \(seed)")
        return SandboxManners(seed: seed)
    }

    var options: [String] { seed.map { ["--rude=\($0)", "--rude-delay-scale", "0.01"] } ?? [] }
}
