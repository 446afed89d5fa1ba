/// Where a server listens.
package enum ListenAddress: Hashable, Sendable {
    case tcp(TCPAddress)
    case unix(UnixAddress)

    /// A Unix socket that lets in whoever its mode lets in.
    package static func unix(path: String, mode: UInt16) -> ListenAddress { .unix(UnixAddress(path: path, mode: mode)) }
}

/// Who the kernel says is at the other end of a Unix socket (`SO_PEERCRED`, at connect time).
package struct PeerCredentials: Hashable, Sendable {
    /// 65534 when the user has none in our user namespace.
    package let uid: UInt32
    /// For display only: pids are reused. 0 when the process is in another pid namespace.
    package let pid: Int32

    package init(uid: UInt32, pid: Int32) {
        self.uid = uid
        self.pid = pid
    }
}

/// The other end of a connection, and the door it came in by.
package struct Peer: Hashable, Sendable {
    /// The listener's address, with the port that was really bound.
    package let door: ListenAddress
    /// `nil` on TCP.
    package let credentials: PeerCredentials?

    package init(door: ListenAddress, credentials: PeerCredentials? = nil) {
        self.door = door
        self.credentials = credentials
    }
}
