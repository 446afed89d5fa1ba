package import Core
package import MimiKey
package import Strongbox
package import Transport

/// The configuration file, read and checked.
package struct Configuration: Sendable {
    package var listeners: [Listener]
    package var sockets: [CallerSocket]
    /// The path of the operator's Unix socket.
    package var adminSocket: String
    package var state: StoreLocation
    /// The path of the master key; `nil` only with a state in memory.
    package var keyFile: String?
    package var mimiKey: MimiKeySettings
    package var callers: [CallerName: CallerSettings]
    package var limits: GatewayLimits
    /// Event loops, each a thread, between which the connections are shared out.
    package var loops = EventLoop.usualCount
}

/// A TCP address to listen on.
package struct Listener: Hashable, Sendable {
    /// A loopback address.
    package let address: TCPAddress
    /// Values of `Host` that are allowed besides the address's own, in lower case, such as `countersign:7447`.
    package let hosts: Set<String>
}

package struct MimiKeySettings: Sendable {
    package var client: MimiKeyConfiguration
    /// The program, with its arguments, that opens a `mimikey://` URL; empty: none.
    package var open: [String]
    /// Where the person gets MimiKey from, shown when the opener fails.
    package var downloadURL: String?
    /// The authorities by which MimiKey is believed; `nil`: this machine's.
    package var authorities: TLSAuthorities?
}

package struct CallerSettings: Sendable {
    package let name: CallerName
    /// SHA-256 of each token's bytes, 32 bytes each. Empty for a caller that has sockets alone.
    package let tokenHashes: [[UInt8]]
    package let policy: Policy
    package let limits: CallerLimits
}

package struct CallerLimits: Hashable, Sendable {
    /// Unfinished asks at once.
    package var open = 3
    /// Requests that are answered at one time.
    package var connections = 64
    /// The longest `Prefer: wait` that is honoured.
    package var longestWait: Duration = .seconds(300)
}

/// Limits of the whole gateway.
package struct GatewayLimits: Hashable, Sendable {
    /// Unfinished asks at once, of all callers; MimiKey's own limit is 100.
    package var open = 90
    package var connections = 512
}
