package import Core

extension ByteStream {
    /// Connects. The seam for what speaks over a connection: TLS will hand out a stream of its own here.
    ///
    /// Throws `lost` when the kernel or the peer refuses, `timedOut` at the deadline, `cancelled` with the task.
    package static func dial(
        _ address: DialAddress, on loop: EventLoop, by deadline: Instant
    ) async throws(StreamError) -> ByteStream {
        let descriptor: Descriptor
        do { descriptor = try Descriptor.forConnecting(to: address) } catch { throw .lost(error) }
        let stream = ByteStream(descriptor, on: loop, heedsCancellation: true)
        do {
            try await stream.connect(to: address, by: deadline)
            return stream
        } catch {
            await stream.close()
            throw error
        }
    }
}
