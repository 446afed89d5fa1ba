package import Core
package import Strongbox

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

/// An authorization that was begun. `url` is the `mimikey://authorize?…` deep link.
package struct AuthorizationStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable { case waiting, completed, denied, cancelled, expired, failed }

    package let id: String
    package let url: String
    package let expiresAt: UnixTime
    package var state: State
    /// With `failed` and `denied`.
    package var error: ErrorCode?
}

/// The grant as it may be shown: never a token.
package struct GrantStatus: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case none, active, revoked
        case refreshUnknown = "refresh_unknown"
    }

    package let state: State
    package let grantID: String?
    package let fingerprint: Fingerprint?
    package let vaults: [Vault]
    package let accessExpiresAt: UnixTime?
}

/// A request as MimiKey sees it.
package struct RequestSnapshot: Hashable, Sendable {
    package let id: String
    /// `draft` … `expired`; never `failed`.
    package let state: AskState
    package let expiresAt: UnixTime?
    package let openURL: String?
    package let denyReason: String?
    /// The sealed box, base64url as it came; `nil` until completed.
    package let sealedResult: String?
}

/// What became of a callback.
package enum CallbackOutcome: Hashable, Sendable {
    /// It ended an authorization: how.
    case authorization(AuthorizationStatus)
    /// It belongs to an ask: look at it now. `error`: what the app reported.
    case ask(AskID, error: ErrorCode?)
    /// Its `state` is nobody's.
    case unknown
    /// No `code` and no `error`.
    case invalid
}

/// Speaks MimiKey v3 for one grant: authorization, tokens, signed calls, requests.
package actor MimiKeyClient {
    package init(
        _ configuration: MimiKeyConfiguration, store: Store, send: @escaping Send, time: TimeSource,
        log: @escaping LogSink = { _ in }
    ) { fatalError() }

    /// Reads the stored grant. Call once, before anything else.
    package func start() async throws(StoreError) { fatalError() }

    // MARK: Authorization

    /// A second one cancels the first.
    package func beginAuthorization() throws(Problem) -> AuthorizationStatus { fatalError() }
    package func authorization(_ id: String) -> AuthorizationStatus? { fatalError() }
    /// Returns when it is no longer waiting, at the latest at `until`.
    package func waitForAuthorization(_ id: String, until: Instant) async -> AuthorizationStatus? { fatalError() }
    package func cancelAuthorization(_ id: String) -> AuthorizationStatus? { fatalError() }
    /// The query of a callback URL. Authorization callbacks exchange their code before this returns.
    package func handleCallback(_ query: QueryString) async -> CallbackOutcome { fatalError() }

    // MARK: The grant

    package func grantStatus() -> GrantStatus { fatalError() }
    /// The difference between MimiKey's clock and ours that is in use, `nil` when none was learnt.
    package var clockOffset: Duration? { fatalError() }

    // MARK: Requests

    /// Makes a request. `reason` is the text for the card.
    package func create(_ call: Call, reason: String?) async throws(Problem) -> RequestSnapshot { fatalError() }
    package func request(_ id: String) async throws(Problem) -> RequestSnapshot { fatalError() }
    /// Cancels; gives the final state.
    package func cancelRequest(_ id: String) async throws(Problem) -> RequestSnapshot { fatalError() }

    /// Polls until the request is finished or given up, on the schedule of protocol §5. `update` is called for each
    /// change; `hints` yields whenever something says that a look is worth it.
    /// Returns the last snapshot; throws `expired`, or what ended the polling.
    package func follow(
        _ id: String, expiresAt: UnixTime, hints: AsyncStream<Void>,
        update: @escaping @Sendable (RequestSnapshot) async -> Void
    ) async throws(Problem) -> RequestSnapshot { fatalError() }

    /// Opens a result. Throws `result_open_failed`.
    package func open(_ sealedResult: String, of requestID: String) throws(Problem) -> SecretBody { fatalError() }
}

extension MimiKeyClient {
    /// `mimikey://request?…` with our `state` appended; only a `mimikey:` URL is taken from the server, else one is built.
    package nonisolated static func openURL(
        of snapshot: RequestSnapshot, clientID: String, state: String
    ) -> String { fatalError() }
}
