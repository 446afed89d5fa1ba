/// An IP address literal.
package enum IPAddress: Hashable, Sendable {
    /// Four bytes.
    case v4([UInt8])
    /// Sixteen bytes.
    case v6([UInt8])

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        switch self {
        case .v4(let bytes): bytes[0] == 127
        case .v6(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        }
    }

    /// 0.0.0.0 or ::, which listen everywhere.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes.allSatisfy { $0 == 0 }
        }
    }
}

/// An IP address and a port, written `127.0.0.1:7447` or `[::1]:7447`.
package struct TCPAddress: Hashable, Sendable {
    package let ip: IPAddress
    package let port: UInt16

    package init(ip: IPAddress, port: UInt16) {
        self.ip = ip
        self.port = port
    }
}

extension IPAddress: CustomStringConvertible {
    /// A literal only: four decimal numbers without leading zeros, or an IPv6 literal (RFC 4291) without zone and brackets.
    package init?(_ text: String) { fatalError() }

    /// IPv6 in the form of RFC 5952, without brackets.
    package var description: String { fatalError() }
}

extension TCPAddress: CustomStringConvertible {
    /// `127.0.0.1:7447` or `[::1]:7447`. Port 0 means any free one.
    package init?(_ text: String) { fatalError() }

    package var description: String { fatalError() }
}
