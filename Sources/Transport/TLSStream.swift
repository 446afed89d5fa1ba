package import Core

/// Why a handshake came to nothing.
package enum HandshakeFailure: Error, Hashable, Sendable {
    case fault(TLSFault)
    /// The connection below it ended, or was ended.
    case stream(StreamError)
}

/// TLS over a `ByteStream`, which it owns.
///
/// An end of the connection that the peer did not announce (`close_notify`) is a loss, not an end: anybody on the way
/// could have cut it.
package actor TLSStream: Connection {
    private nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let stream: ByteStream
    private let session: TLSSession

    /// Plaintext that was handed to TLS so far: it may have left.
    package private(set) var bytesSent = 0

    /// Plaintext that is encrypted in one go.
    private static let pieceSize = 32 * 1024

    private init(over stream: ByteStream, with context: TLSContext) throws(TLSFault) {
        loop = stream.loop
        self.stream = stream
        session = try TLSSession(context, at: Clocks.monotonic())
    }

    /// Shakes hands over a connection, which is closed when that fails.
    package static func open(
        over stream: ByteStream, with context: TLSContext, by deadline: Instant
    ) async throws(HandshakeFailure) -> TLSStream {
        let secured: TLSStream
        do throws(TLSFault) { secured = try TLSStream(over: stream, with: context) } catch {
            await stream.close()
            throw .fault(error)
        }
        do throws(HandshakeFailure) { try await secured.shakeHands(by: deadline) } catch {
            await stream.close()
            throw error
        }
        return secured
    }

    private func shakeHands(by deadline: Instant) async throws(HandshakeFailure) {
        while true {
            let isOver: Bool
            do throws(TLSFault) { isOver = try session.shakeHands() } catch {
                // The alert that tells the peer why; whether it leaves is not worth a wait.
                try? await flush(by: Clocks.monotonic())
                throw .fault(error)
            }
            do throws(StreamError) {
                try await flush(by: deadline)
                if isOver { return }
                guard let bytes = try await stream.read(by: deadline) else { throw StreamError.lost(TLSStream.cut) }
                session.receive(bytes)
            } catch {
                throw error == .timedOut ? .fault(.timedOut) : .stream(error)
            }
        }
    }

    // MARK: Reading

    package func read(by deadline: Instant?) async throws(StreamError) -> [UInt8]? {
        while true {
            switch session.read() {
            case .bytes(let bytes): return bytes
            case .ended: return nil
            case .failed: throw .lost(TLSStream.damaged)
            case .wantsMore: break
            }
            // TLS may have something to say itself: new keys, acknowledged.
            try await flush(by: deadline)
            guard let bytes = try await stream.read(by: deadline) else { throw .lost(TLSStream.cut) }
            session.receive(bytes)
        }
    }

    /// What concerns TLS alone, such as a ticket for another handshake, does not count.
    package func isQuiet() async -> Bool {
        guard session.hasNothingToRead() else { return false }
        if await stream.isQuiet() { return true }
        guard let bytes = await stream.takeArrived() else { return false }
        session.receive(bytes)
        guard session.hasNothingToRead() else { return false }
        return await stream.isQuiet()
    }

    // MARK: Writing

    package func write(_ outgoing: Outgoing, more: Bool, by deadline: Instant?) async throws(StreamError) {
        let count = outgoing.count
        var offset = 0
        while offset < count {
            let piece = offset..<min(offset + TLSStream.pieceSize, count)
            guard outgoing.encrypt(piece, in: session) else { throw .lost(TLSStream.damaged) }
            bytesSent += piece.count
            offset = piece.upperBound
            try await flush(more: more || offset < count, by: deadline)
        }
    }

    private func flush(more: Bool = false, by deadline: Instant?) async throws(StreamError) {
        let bytes = session.takeOutput()
        if !bytes.isEmpty { try await stream.write(.bytes(bytes), more: more, by: deadline) }
    }

    // MARK: Ending

    /// Announces the end, if the kernel takes that at once, and ends the connection both ways.
    package func close() async {
        session.end()
        try? await flush(by: Clocks.monotonic())
        await stream.close()
    }

    private static let cut = TransportError(name: "ECONNRESET", doing: "reading a TLS connection that was cut")
    private static let damaged = TransportError(name: "EPROTO", doing: "using a TLS connection")
}

extension Outgoing {
    /// `false` when it could not be, or what was to be encrypted was wiped meanwhile.
    fileprivate func encrypt(_ range: Range<Int>, in session: TLSSession) -> Bool {
        switch self {
        case .bytes(let bytes): session.write(bytes.span.bytes.extracting(range))
        case .sensitive(let bytes):
            bytes.withBytes { span in
                range.upperBound <= span.byteCount && session.write(span.extracting(range))
            }
        }
    }
}
