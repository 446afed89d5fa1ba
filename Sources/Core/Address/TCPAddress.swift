/// An IP address and a port, written `127.0.0.1:7447` or `[::1]:7447`.
package struct TCPAddress: Hashable, Sendable {
    package let ip: IPAddress
    package let port: UInt16

    package init(ip: IPAddress, port: UInt16) {
        self.ip = ip
        self.port = port
    }
}

extension TCPAddress: CustomStringConvertible {
    /// `127.0.0.1:7447` or `[::1]:7447`. Port 0 means any free one.
    package init?(_ text: String) {
        guard let authority = Authority(text.utf8), let ip = IPAddress(authority.host), let port = authority.port else {
            return nil
        }
        self.init(ip: ip, port: port)
    }

    package var description: String {
        switch ip {
        case .v4: "\(ip):\(port)"
        case .v6: "[\(ip)]:\(port)"
        }
    }
}
