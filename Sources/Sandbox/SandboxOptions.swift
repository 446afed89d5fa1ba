package import Core
import Strongbox

/// What a sandbox is started with.
package struct SandboxOptions: Sendable {
    /// A loopback literal; anything else is refused.
    package var listen: TCPAddress
    package var person: PersonScript
    /// A public client with this id and these redirect URIs is registered at the start.
    package var clientID: String
    package var redirectURIs: [String]
    package var accessTokenLifetime: Duration = .seconds(3600)
    package var requestLifetime: Duration = .seconds(600)
    /// Bad manners, decided by this number; polite without one.
    package var rudeSeed: UInt64?
    /// What stretches the delays of bad manners.
    package var rudeDelayScale: Double = 1

    /// One that was never used, at most the largest `Int64`.
    package static func newSeed() -> UInt64 {
        Randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }

    package init(
        listen: TCPAddress, person: PersonScript, clientID: String = "pmc_sandbox",
        redirectURIs: [String] = ["http://127.0.0.1:7447/callback"]
    ) {
        self.listen = listen
        self.person = person
        self.clientID = clientID
        self.redirectURIs = redirectURIs
    }
}
