import Foundation
import Synchronization

/// Ports of 127.0.0.1 that nobody listens on, each given out once. They lie below the range from which the kernel takes
/// the ports of outgoing connections, so that none of those takes one before it is listened on.
package enum Ports {
    private static let range = 20_000..<32_000
    private static let next = Mutex(range.lowerBound + Int(getpid()) * 64 % range.count)

    package static func free() throws -> UInt16 {
        for _ in range {
            let port = next.withLock { next -> UInt16 in
                defer { next = next + 1 < range.upperBound ? next + 1 : range.lowerBound }
                return UInt16(next)
            }
            if canBeBound(port) { return port }
        }
        throw CocoaError(.fileReadUnknown)
    }

    private static func canBeBound(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
