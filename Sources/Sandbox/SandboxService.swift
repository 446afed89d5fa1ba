package import Core

/// How the scripted person behaves.
package enum PersonScript: Hashable, Sendable {
    /// Taps *use this item* (or *allow*) that long after the card appeared.
    case approve(after: Duration)
    case deny(after: Duration)
    /// Never taps; the request runs out.
    case expire
    /// Waits for the control door.
    case manual

    /// `after=2s`, `approve`, `deny`, `expire`, `none`.
    package init?(_ text: String) { fatalError() }
}

package struct SandboxOptions: Sendable {
    package var listen: TCPAddress
    package var person: PersonScript
    /// A public client with this id and these redirect URIs is registered at the start.
    package var clientID: String
    package var redirectURIs: [String]
    package var accessTokenLifetime: Duration = .seconds(3600)
    package var requestLifetime: Duration = .seconds(600)

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

/// MimiKey as a server on loopback, with a scriptable person. It keeps nothing.
package final class SandboxService: Sendable {
    package init(_ options: SandboxOptions, time: TimeSource, log: @escaping LogSink = { _ in }) throws { fatalError() }

    /// Starts to listen; gives the origin that was really bound, such as `http://127.0.0.1:7448`.
    package func start() async throws -> Origin { fatalError() }
    package func stop() async { fatalError() }
}
