package import Core

extension ByteStream {
    /// Returns when the last byte was handed to the kernel. One writer at a time. `more`: something follows at once, so
    /// a small packet is held back. `pace`: how slowly the peer may take what the kernel holds for it while we wait.
    package func write(
        _ outgoing: Outgoing, more: Bool = false, by deadline: Instant?, pace: Pace? = nil
    ) async throws(StreamError) {
        let count = outgoing.count
        var offset = 0
        var pace = pace
        var takenBefore: Int?
        while offset < count {
            if isClosed { throw .closed }
            switch outgoing.send(from: offset, to: descriptor.number, more: more) {
            case .count(let sent):
                offset += sent
                bytesSent += sent
            case .failed(let error): throw .lost(error)
            case .wouldBlock:
                let now = Clocks.monotonic()
                let taken = takenBefore ?? bytesTaken
                try await wait(for: writeBell, by: earlier(deadline, pace?.deadline(from: now)))
                takenBefore = bytesTaken
                pace?.add(bytesTaken - taken, waited: Clocks.monotonic() - now)
            }
        }
    }

    /// Bytes that have left the kernel's buffer on our side.
    private var bytesTaken: Int { bytesSent - descriptor.untakenCount() }

    private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
