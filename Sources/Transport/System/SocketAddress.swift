import Core
import Glibc

/// Addresses as the kernel takes and gives them.
enum SocketAddress {
    /// The longest path that fits, in bytes.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    static func family(of address: TCPAddress) -> Int32 {
        switch address.ip {
        case .v4: AF_INET
        case .v6: AF_INET6
        }
    }

    static func lend<Result>(
        _ address: TCPAddress, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch address.ip {
        case .v4(let bytes):
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = address.port.bigEndian
            withUnsafeMutableBytes(of: &raw.sin_addr) { $0.copyBytes(from: bytes.prefix(4)) }
            return lend(&raw, to: body)
        case .v6(let bytes):
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = address.port.bigEndian
            withUnsafeMutableBytes(of: &raw.sin6_addr) { $0.copyBytes(from: bytes.prefix(16)) }
            return lend(&raw, to: body)
        }
    }

    /// `nil` when the path is too long or holds a NUL.
    static func lend<Result>(
        path: String, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= longestPath, !bytes.contains(0) else { return nil }
        var raw = sockaddr_un()
        raw.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &raw.sun_path) { $0.copyBytes(from: bytes) }
        return lend(&raw, to: body)
    }

    private static func lend<Raw, Result>(
        _ raw: inout Raw, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &raw) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Raw>.size))
            }
        }
    }

    /// `nil` for another family.
    static func ip(_ address: UnsafePointer<sockaddr>) -> IPAddress? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return withUnsafeBytes(of: raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr) {
                .v4(Array($0))
            }
        case AF_INET6:
            return withUnsafeBytes(of: raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr) {
                .v6(Array($0))
            }
        default: return nil
        }
    }

    /// Where a socket is bound; `nil` for an address of another family, and for a Unix socket without a path.
    static func bound(of descriptor: Int32) -> PassedSocket.Place? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer -> PassedSocket.Place? in
            let raw = UnsafeMutableRawPointer(pointer)
            guard getsockname(descriptor, raw.assumingMemoryBound(to: sockaddr.self), &size) == 0 else { return nil }
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                let address = raw.assumingMemoryBound(to: sockaddr_in.self).pointee
                let ip = withUnsafeBytes(of: address.sin_addr) { IPAddress.v4(Array($0)) }
                return .tcp(TCPAddress(ip: ip, port: UInt16(bigEndian: address.sin_port)))
            case AF_INET6:
                let address = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee
                let ip = withUnsafeBytes(of: address.sin6_addr) { IPAddress.v6(Array($0)) }
                return .tcp(TCPAddress(ip: ip, port: UInt16(bigEndian: address.sin6_port)))
            case AF_UNIX:
                let address = raw.assumingMemoryBound(to: sockaddr_un.self).pointee
                let path = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
                return path.isEmpty ? nil : .unix(path: String(decoding: path, as: UTF8.self))
            default: return nil
            }
        }
    }
}
