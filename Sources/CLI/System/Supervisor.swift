import Glibc

/// Who started us may want to know how it goes: the protocol of `sd_notify(3)`, one datagram to the socket in
/// `$NOTIFY_SOCKET`. Without that variable nobody wants to.
enum Supervisor {
    /// A supervisor that does not listen is no reason to fail.
    static func tell(_ state: String) {
        guard let path = Process.environment("NOTIFY_SOCKET") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        // A path, or a name in the abstract name space, which is written with `@` for its first byte, zero.
        guard bytes.count < room, let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else {
            return
        }
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: bytes)
            if first == UInt8(ascii: "@") { place[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
        let message = Array(state.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
