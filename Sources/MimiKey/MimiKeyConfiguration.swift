package import Core
package import Strongbox

/// What the client needs to know of MimiKey and of us.
package struct MimiKeyConfiguration: Sendable {
    package var origin: Origin
    package var clientID: String
    /// Of a confidential client; `nil`: a public one, which never sends a secret.
    package var clientSecret: ClientSecret?
    package var redirectURI: String
    package var pollInterval: Duration
    package var authorizeTimeout: Duration

    package init(
        origin: Origin, clientID: String, clientSecret: ClientSecret? = nil, redirectURI: String,
        pollInterval: Duration = .seconds(2), authorizeTimeout: Duration = .seconds(600)
    ) {
        self.origin = origin
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
        self.pollInterval = pollInterval
        self.authorizeTimeout = authorizeTimeout
    }
}

/// The secret of a confidential client. It goes to the token endpoint and the revocation, and nowhere else.
package final class ClientSecret: Sendable, Redacted {
    let secret: Secret

    package init(_ secret: consuming Secret) { self.secret = secret }
}
