package import Core
import Glibc

/// The addresses of a name, by the machine's own means: its hosts file, DNS.
package enum HostLookup {
    /// In the order of preference (RFC 6724); none when the name is not found. Blocks, for seconds when nobody answers.
    package static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = SocketAddress.ip(entry.pointee.ai_addr) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
