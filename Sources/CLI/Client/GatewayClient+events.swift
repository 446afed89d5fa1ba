import Core

extension GatewayClient {
    /// Follows a stream of events until the gateway ends it.
    func events(
        _ target: String, awaitingStart start: Duration, _ take: (EventStream.Event) throws(Failure) -> Void
    ) async throws(Failure) {
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        async let ended = outcome(of: target, awaitingStart: start, continuation)
        var stream = EventStream()
        for await piece in pieces {
            for event in stream.take(piece) { try take(event) }
        }
        let response = try await ended.get()
        guard response.status.isSuccess else {
            throw GatewayVersion.isOther(target, response.status) ? .otherVersion : Failure(response)
        }
    }

    private func outcome(
        of target: String, awaitingStart start: Duration, _ continuation: AsyncStream<[UInt8]>.Continuation
    ) async -> Result<InboundResponse, Failure> {
        defer { continuation.finish() }
        do throws(Failure) {
            return .success(
                try await exchange(
                    .get, target, accept: "text/event-stream", patience: Self.longestStream, awaitingStart: start,
                    receive: { continuation.yield($0) }))
        } catch { return .failure(error) }
    }

    /// Then it is begun anew.
    private static let longestStream = Duration.seconds(3600)
}
