package import Core

/// A Unix socket to listen on. Whoever comes in by it is one caller, and needs no token.
package struct CallerSocket: Hashable, Sendable {
    package let path: String
    package let caller: CallerName
    /// The users that are let in; `nil`: the gateway's own. Root is let in like any other: when it is listed.
    package let users: Set<UInt32>?
    package let mode: UInt16
    package let group: UInt32?

    /// For a gateway that runs as `owner`.
    package func address(owner: UInt32) -> UnixAddress {
        UnixAddress(path: path, mode: mode, group: group, users: users ?? [owner])
    }
}

extension Configuration {
    /// The operator's socket, for a gateway that runs as `owner`.
    func operatorAddress(owner: UInt32) -> UnixAddress {
        UnixAddress(path: adminSocket, mode: 0o600, users: [owner, 0], hasReserve: true)
    }
}
