import Core
import Transport

/// The listeners of a server and the connections that came in by them.
actor ServerDoors {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    private var listeners: [Listener] = []
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    /// Connections that are only told that there are too many.
    private var refused: [ObjectIdentifier: HTTPConnection] = [:]
    private var refusedUsers = RefusedUsers()
    private var isClosing = false
    /// Rings when the last connection has gone.
    private let empty: Bell

    /// After everything was closed, how long a responder may take to see that it is cancelled.
    private static let patience = Duration.seconds(1)

    init(_ service: Service, on loop: EventLoop) {
        self.service = service
        self.loop = loop
        empty = Bell(on: loop)
    }

    func listen(_ address: ListenAddress) async throws(TransportError) -> ListenAddress {
        let log = service.log
        let listener = try await Listener.listen(
            address, on: loop,
            refused: { peer in self.assumeIsolated { $0.note(refused: peer) } },
            exhausted: { error in
                log(LogEvent(.error, "accepting rests: no descriptors left", [("cause", .string(error.name))]))
            },
            accept: { stream, peer in self.assumeIsolated { $0.admit(stream, peer) } })
        if isClosing { await listener.close() } else { listeners.append(listener) }
        return listener.address
    }

    private func note(refused peer: Peer) {
        if let line = refusedUsers.note(peer, at: service.time.now()) { service.log(line) }
    }

    private func admit(_ stream: ByteStream, _ peer: Peer) {
        let connection = HTTPConnection(stream, peer: peer, service: service)
        let id = ObjectIdentifier(connection)
        let isFull = connections.count >= service.limits.connections(for: peer.door)
        if isClosing || (isFull && refused.count >= service.limits.refusals) {
            stream.assumeIsolated { $0.reset() }
        } else if isFull {
            refused[id] = connection
            Task.immediate(executorPreference: loop) {
                await connection.refuse(.tooManyConnections)
                self.forget(id)
            }
        } else {
            connections[id] = connection
            Task.immediate(executorPreference: loop) {
                await connection.run()
                self.forget(id)
            }
        }
    }

    private func forget(_ id: ObjectIdentifier) {
        connections[id] = nil
        refused[id] = nil
        if connections.isEmpty && refused.isEmpty { empty.ring() }
    }

    func shutDown(grace: Duration) async {
        let isSecondCall = isClosing
        isClosing = true
        for listener in listeners { await listener.close() }
        listeners = []
        if isSecondCall {
            await closeAll()
            return
        }
        for connection in connections.values { await connection.finishUp() }
        await untilEmpty(for: grace)
        await closeAll()
        await untilEmpty(for: ServerDoors.patience)
        empty.close()
    }

    private func closeAll() async {
        for connection in connections.values { await connection.abandon() }
        for connection in refused.values { await connection.abandon() }
    }

    private func untilEmpty(for duration: Duration) async {
        let deadline = service.time.now() + duration
        while !(connections.isEmpty && refused.isEmpty), service.time.now() < deadline {
            if case .cancelled = await empty.wait(until: deadline, heedingCancellation: true) { return }
        }
    }
}
