package import Core

/// What a client speaks through: the bytes of a socket as they are, or TLS over them. One task at a time uses it.
package protocol Connection: Actor {
    /// Bytes of ours that may have left.
    var bytesSent: Int { get }
    /// Something that came; `nil` once the peer has ended its side in order.
    func read(by deadline: Instant?) async throws(StreamError) -> [UInt8]?
    /// Returns when the last byte was handed to the kernel. `more`: something follows at once.
    func write(_ outgoing: Outgoing, more: Bool, by deadline: Instant?) async throws(StreamError)
    /// Nothing has come, nothing has gone wrong, and the peer has not ended its side.
    func isQuiet() async -> Bool
    func close() async
}

extension ByteStream: Connection {
    package func write(_ outgoing: Outgoing, more: Bool, by deadline: Instant?) async throws(StreamError) {
        try await write(outgoing, more: more, by: deadline, pace: nil)
    }
}
