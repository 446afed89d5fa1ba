package import Core

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
