package import Core

/// What the client needs to know of MimiKey and of us.
package struct MimiKeyConfiguration: Sendable {
    package var origin: Origin
    package var clientID: String
    package var redirectURI: String
    package var pollInterval: Duration
    package var authorizeTimeout: Duration

    package init(
        origin: Origin, clientID: String, redirectURI: String, pollInterval: Duration = .seconds(2),
        authorizeTimeout: Duration = .seconds(600)
    ) {
        self.origin = origin
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.pollInterval = pollInterval
        self.authorizeTimeout = authorizeTimeout
    }
}
