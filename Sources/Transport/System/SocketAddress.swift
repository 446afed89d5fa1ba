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

    /// The port that a socket is bound to.
    static func boundPort(of descriptor: borrowing Descriptor) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer -> UInt16? in
            let raw = UnsafeMutableRawPointer(pointer)
            guard getsockname(descriptor.number, raw.assumingMemoryBound(to: sockaddr.self), &size) == 0 else {
                return nil
            }
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET: return UInt16(bigEndian: raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port)
            case AF_INET6: return UInt16(bigEndian: raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_port)
            default: return nil
            }
        }
    }
}
