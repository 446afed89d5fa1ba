/// A Unix socket to listen on, and who may come in by it.
package struct UnixAddress: Hashable, Sendable {
    /// Absolute.
    package let path: String
    /// Such as `0o600`.
    package let mode: UInt16
    /// The group that the file is given to; `nil`: the one that it gets by itself.
    package let group: UInt32?
    /// The users that are let in: the connection of any other is closed before a byte of it is read. `nil`: whoever the
    /// mode lets in.
    package let users: Set<UInt32>?
    /// It may take the connections that are kept in reserve, when all others are in use.
    package let hasReserve: Bool

    package init(
        path: String, mode: UInt16, group: UInt32? = nil, users: Set<UInt32>? = nil, hasReserve: Bool = false
    ) {
        self.path = path
        self.mode = mode
        self.group = group
        self.users = users
        self.hasReserve = hasReserve
    }

    /// May they come in? Whoever the kernel does not name may not, where users are named.
    package func admits(_ credentials: PeerCredentials?) -> Bool {
        guard let users else { return true }
        guard let credentials else { return false }
        return users.contains(credentials.uid)
    }
}
