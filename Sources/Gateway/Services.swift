import Core
import MimiKey
import Strongbox

/// What the routes work with.
struct Services: Sendable {
    let configuration: Configuration
    let callers: CallerDirectory
    let store: Store
    let client: MimiKeyClient
    let asks: AskBook
    let links: AuthorizationLinks
    let upstream: UpstreamHealth
    let time: TimeSource
    let warnings: [ConfigurationWarning]

    /// The other side is a sandbox: only one can be reached by plain `http`.
    var isSandbox: Bool { configuration.mimiKey.client.origin.scheme == .http }
}
