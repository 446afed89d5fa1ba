import Core

extension ByteStream {
    /// Decides the connection of a socket that is not connected yet.
    func connect(to address: DialAddress, by deadline: Instant) async throws(StreamError) {
        while true {
            if isClosed { throw .closed }
            switch descriptor.connect(to: address) {
            case .connected: return try open()
            case .failed(let error): throw .lost(error)
            case .busy: try await pause(.milliseconds(10), by: deadline)
            case .underWay:
                try open()
                // Only the kernel's ring tells that it is decided: a socket that is still connecting shows no error either.
                switch try await wait(for: writeBell, by: deadline) {
                case .rung: break
                case .due: throw .timedOut
                case .cancelled: throw isClosed ? .closed : .cancelled
                }
                if isClosed { throw .closed }
                let code = descriptor.pendingError()
                if code != 0 { throw .lost(TransportError(errno: code, doing: address.doing)) }
                if let failure { throw .lost(TransportError(name: failure.name, doing: address.doing)) }
                return
            }
        }
    }

    private func pause(_ duration: Duration, by deadline: Instant) async throws(StreamError) {
        let now = Clocks.monotonic()
        if now >= deadline { throw .timedOut }
        let outcome = await writeBell.wait(until: min(deadline, now + duration), heedingCancellation: heedsCancellation)
        if case .cancelled = outcome { throw .cancelled }
    }
}
