import Glibc

/// A file descriptor that is closed when its owner lets go of it.
struct Descriptor: ~Copyable, Sendable {
    /// -1 once closed.
    private(set) var number: Int32

    init(owning number: Int32) { self.number = number }

    mutating func close() {
        guard number >= 0 else { return }
        _ = Glibc.close(number)
        number = -1
    }

    deinit {
        if number >= 0 { _ = Glibc.close(number) }
    }
}

extension Descriptor {
    /// A stream socket that does not block and is not inherited by child processes.
    static func streamSocket(family: Int32, doing: String) throws(TransportError) -> Descriptor {
        let number = socket(family, Int32(SOCK_STREAM.rawValue) | flagsOfNewSockets, 0)
        guard number >= 0 else { throw TransportError(errno: errno, doing: doing) }
        return Descriptor(owning: number)
    }

    static var flagsOfNewSockets: Int32 { Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue) }

    func setOption(_ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Small writes go out at once (TCP only; elsewhere it does nothing).
    func disableDelay() { setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
}
