import Glibc

/// What came of an attempt to receive.
enum Received {
    case bytes([UInt8])
    /// The peer has ended its side.
    case end
    case wouldBlock
    case failed(TransportError)
}

/// What came of an attempt to send.
enum Sent {
    /// So many bytes, at least 1, were handed to the kernel.
    case count(Int)
    case wouldBlock
    case failed(TransportError)
}

/// The memory into which a loop receives. What was received is copied out and zeroed here at once, so no secret stays.
final class ReceiveBuffer {
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ReceiveBuffer.size, alignment: 16)
    /// The most bytes of one read.
    static let size = 64 * 1024

    deinit { memory.deallocate() }

    func receive(from descriptor: borrowing Descriptor) -> Received {
        while true {
            let count = recv(descriptor.number, memory.baseAddress, memory.count, 0)
            if count > 0 {
                let used = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
                defer { used.initializeMemory(as: UInt8.self, repeating: 0) }
                return .bytes(Array(used))
            }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let code: return .failed(TransportError(errno: code, doing: "reading from a connection"))
            }
        }
    }
}

extension Sent {
    /// Sends from the span, which must not be empty. `more`: hold a small packet back, the rest follows at once.
    /// Never raises SIGPIPE.
    static func send(_ bytes: RawSpan, to socket: Int32, more: Bool) -> Sent {
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        while true {
            let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }
            if count > 0 { return .count(count) }
            switch count == 0 ? EAGAIN : errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let code: return .failed(TransportError(errno: code, doing: "writing to a connection"))
            }
        }
    }
}

extension Descriptor {
    /// Ends our side; the peer's bytes can still be read.
    func endWriting() { shutdown(number, Int32(SHUT_WR)) }

    /// Makes `close` reset the connection instead of ending it in order (TCP).
    func resetOnClose() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Bytes that were sent and that the peer's kernel has not taken yet.
    func untakenCount() -> Int {
        var count: Int32 = 0
        return ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// The error that the kernel keeps for the socket, 0 for none; reading clears it.
    func pendingError() -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return errno }
        return code
    }
}
