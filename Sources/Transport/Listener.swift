package import Core

/// Accepts connections at one address and hands each on with who is at its other end.
package actor Listener {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// With the port that was really bound.
    package nonisolated let address: ListenAddress

    /// Who is at the other end, and the way to take the connection: it belongs to that loop for life, and is to be opened
    /// there. One that is not taken is reset.
    package typealias Accept = @Sendable (_ peer: Peer, _ take: (EventLoop) -> ByteStream) -> Void

    private var descriptor: Descriptor
    private let file: UnixSocketFile?
    private var poll: UVPoll?
    private var retry: UVTimer?
    private let accept: Accept
    private let refused: @Sendable (Peer) -> Void
    private let exhausted: @Sendable (TransportError) -> Void

    /// Connections accepted in one go, so that a flood of them does not keep the others from their turn.
    private static let acceptsPerTurn = 64
    /// When descriptors have run out, accepting rests so long instead of spinning.
    private static let rest = Duration.milliseconds(100)

    /// Binds and begins to accept.
    /// - Parameters:
    ///   - passed: a socket that was found to be this address and is used as it is, instead of binding one.
    ///   - accept: called on the loop; who takes the stream must see to it that it is closed in the end.
    ///   - refused: called on the loop with whoever was hung up on, because the address does not let them in.
    ///   - exhausted: called on the loop when accepting rests because descriptors or memory have run out.
    package static func listen(
        _ address: ListenAddress, passed: PassedSocket? = nil, on loop: EventLoop,
        refused: @escaping @Sendable (Peer) -> Void,
        exhausted: @escaping @Sendable (TransportError) -> Void, accept: @escaping Accept
    ) async throws(TransportError) -> Listener {
        let socket =
            switch (passed, address) {
            case (let passed?, _): try ListeningSocket.passed(passed, as: address)
            case (nil, .tcp(let tcp)): try ListeningSocket.tcp(tcp)
            case (nil, .unix(let unix)): try ListeningSocket.unix(unix)
            }
        let listener = Listener(socket, on: loop, refused: refused, exhausted: exhausted, accept: accept)
        do { try await listener.open() } catch {
            await listener.close()
            throw error
        }
        return listener
    }

    private init(
        _ socket: consuming ListeningSocket, on loop: EventLoop, refused: @escaping @Sendable (Peer) -> Void,
        exhausted: @escaping @Sendable (TransportError) -> Void, accept: @escaping Accept
    ) {
        self.loop = loop
        address = socket.address
        file = socket.file
        descriptor = socket.descriptor
        self.refused = refused
        self.exhausted = exhausted
        self.accept = accept
    }

    private func open() throws(TransportError) {
        poll = UVPoll(on: loop.uv, descriptor: descriptor.number) { report in self.happened(report) }
        guard let poll else { throw .loopStopped("listening") }
        retry = UVTimer(on: loop.uv) { self.poll?.watch(.readable) }
        poll.watch(.readable)
    }

    /// Stops accepting; a Unix socket's file is removed. May be called more than once.
    package func close() {
        poll?.close()
        poll = nil
        retry?.close()
        retry = nil
        guard descriptor.number >= 0 else { return }
        // The file goes first: whoever dials in between is refused, and never reaches a successor's socket.
        file?.remove()
        descriptor.close()
    }

    private func happened(_ report: UVPoll.Report) {
        switch report {
        case .ready: acceptSome()
        case .broken, .loopStopping: close()
        }
    }

    private func acceptSome() {
        for _ in 0..<Listener.acceptsPerTurn {
            guard poll != nil else { return }
            switch descriptor.accept() {
            case .none: return
            case .skipped: continue
            case .exhausted(let error):
                poll?.watch([])
                retry?.set(after: Listener.rest)
                exhausted(error)
                return
            case .connection(let connection): admit(connection)
            }
        }
    }

    private func admit(_ connection: consuming Descriptor) {
        let peer: Peer
        switch address {
        case .tcp:
            connection.disableDelay()
            peer = Peer(door: address)
        case .unix(let unix):
            peer = Peer(door: address, credentials: connection.peerCredentials())
            // It is closed as it was accepted: nothing of it was read.
            guard unix.admits(peer.credentials) else { return refused(peer) }
        }
        var arrival: Descriptor? = consume connection
        accept(peer) { loop in
            guard let taken = arrival.take() else { preconditionFailure("a connection was taken twice") }
            return ByteStream(taken, on: loop, heedsCancellation: false)
        }
        if let refused = arrival.take() { refused.resetOnClose() }
    }
}
