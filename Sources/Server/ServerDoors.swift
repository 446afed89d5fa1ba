import Core
import Transport

/// The listeners of a server and the connections that came in by them.
///
/// It lives on the first loop, which accepts; each connection lives on one of the loops.
actor ServerDoors {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    private let loops: [EventLoop]
    /// How many connections each loop has.
    private var loads: [Int]
    private var listeners: [Listener] = []
    private var roster: ConnectionRoster
    private var connections: [Int: HTTPConnection] = [:]
    private var refusedUsers = RefusedUsers()
    private var isClosing = false
    /// Rings when the last connection has gone.
    private let empty: Bell

    /// After everything was closed, how long a responder may take to see that it is cancelled.
    private static let patience = Duration.seconds(1)
    /// When descriptors have run out, so many connections make room, if they wait for a request.
    private static let madeRoomAtOnce = 16

    init(_ service: Service, on loops: [EventLoop]) {
        precondition(!loops.isEmpty, "a server needs a loop")
        self.service = service
        self.loops = loops
        loop = loops[0]
        loads = loops.map { _ in 0 }
        roster = ConnectionRoster(limits: service.limits)
        empty = Bell(on: loop)
    }

    func listen(_ address: ListenAddress, passed: PassedSocket?) async throws(TransportError) -> ListenAddress {
        let listener = try await Listener.listen(
            address, passed: passed, on: loop,
            refused: { peer in self.assumeIsolated { $0.note(refused: peer) } },
            exhausted: { error in self.assumeIsolated { $0.haveRunOut(error) } },
            accept: { peer, take in
                guard let seat = self.assumeIsolated({ $0.seat(peer) }) else { return }
                let stream = take(seat.loop)
                self.assumeIsolated { $0.serve(stream, from: peer, at: seat) }
            })
        if isClosing { await listener.close() } else { listeners.append(listener) }
        return listener.address
    }

    private func note(refused peer: Peer) {
        if let line = refusedUsers.note(peer, at: service.time.now()) { service.log(line) }
    }

    // MARK: Arriving

    /// A place in the roster, and the loop on which the connection will live.
    private struct Seat: Sendable {
        let admission: ConnectionRoster.Admission
        let activity: Activity
        let home: Int
        let loop: EventLoop
    }

    private func seat(_ peer: Peer) -> Seat? {
        let activity = Activity()
        guard !isClosing, let admission = roster.admit(ConnectionRoster.Party(of: peer), activity) else { return nil }
        if let leaving = admission.leaving { seeOff(leaving) }
        let home = leastBusyLoop()
        return Seat(admission: admission, activity: activity, home: home, loop: loops[home])
    }

    private func serve(_ stream: ByteStream, from peer: Peer, at seat: Seat) {
        let (number, isInPorch) = (seat.admission.number, seat.admission.place == .porch)
        let connection = HTTPConnection(stream, peer: peer, service: service, activity: seat.activity)
        connections[number] = connection
        loads[seat.home] += 1
        Task(executorPreference: seat.loop) {
            await connection.run(inPorch: isInPorch)
            await self.forget(number, home: seat.home)
        }
    }

    /// The first of those with the fewest connections: a lone caller is served where the gateway's own work runs.
    private func leastBusyLoop() -> Int {
        loads.indices.min { loads[$0] < loads[$1] } ?? 0
    }

    private func seeOff(_ number: Int) {
        guard let connection = connections[number] else { return }
        Task(executorPreference: connection.stream.loop) { await connection.abandon() }
    }

    private func haveRunOut(_ error: TransportError) {
        service.log(LogEvent(.error, "accepting rests: no descriptors left", [(.cause, .string(error.name))]))
        for _ in 0..<Self.madeRoomAtOnce {
            guard let leaving = roster.makeRoom() else { return }
            seeOff(leaving)
        }
    }

    private func forget(_ number: Int, home: Int) {
        connections[number] = nil
        roster.forget(number)
        loads[home] -= 1
        if connections.isEmpty { empty.ring() }
    }

    // MARK: The server's end

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
    }

    private func untilEmpty(for duration: Duration) async {
        let deadline = service.time.now() + duration
        while !connections.isEmpty, service.time.now() < deadline {
            if case .cancelled = await empty.wait(until: deadline, heedingCancellation: true) { return }
        }
    }
}
