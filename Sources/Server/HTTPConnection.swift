import Core
import Transport

/// One connection of a server: reads a request, has it answered, writes the answer, and again.
///
/// Requests that were sent ahead wait, unread, until the one before them is answered.
actor HTTPConnection {
    nonisolated let stream: ByteStream
    nonisolated var unownedExecutor: UnownedSerialExecutor { stream.unownedExecutor }

    let service: Service
    let peer: Peer
    let activity: Activity
    /// All places are taken: one short request is read, and answered if it is one that is answered even so.
    private(set) var isInPorch = false
    /// How long it may be idle after the last answer, where that is shorter than our limit.
    var mischievousIdle: Duration?
    var decoder: HTTP1RequestDecoder
    /// The request that is being answered.
    var exchange: Exchange?
    private var exchangeCount = 0
    /// Nothing of a next request has come.
    var isIdle = true
    private var isFinishing = false
    private var hasHungUp = false
    /// Cancels the responder, or the one who streams an answer.
    private var cancelWork: (@Sendable () -> Void)?

    init(_ stream: ByteStream, peer: Peer, service: Service, activity: Activity) {
        self.stream = stream
        self.peer = peer
        self.activity = activity
        self.service = service
        decoder = HTTP1RequestDecoder(limits: service.limits.codec)
    }

    /// How a connection ends.
    enum Ending: Error {
        /// Nobody is there any more, or nothing can be said.
        case silent
        /// With an answer that says what was wrong.
        case refusal(HTTP1DecodeError)
        /// An answer was cut: the peer must not take it for whole.
        case cut
        /// After a last whole answer. `abrupt`: the client asked for the end and will send nothing more.
        case last(abrupt: Bool)
    }

    /// Serves the connection to its end.
    func run(inPorch isInPorch: Bool = false) async {
        self.isInPorch = isInPorch
        do { try await stream.openAccepted() } catch { return }
        await stream.onHangUp { self.assumeIsolated { $0.peerHasHungUp() } }
        var isFirst = true
        while true {
            do throws(Ending) {
                guard let (head, framing) = try await nextHead(isFirst: isFirst) else { break }
                isFirst = false
                try await answer(head, framing)
                // The end came while an answer was written that did not announce it.
                if isFinishing, !decoder.isMidMessage, await stream.isQuiet() { break }
            } catch {
                await end(error)
                break
            }
        }
        await stream.close()
    }

    private func end(_ ending: Ending) async {
        switch ending {
        case .silent: break
        case .cut: await stream.reset()
        case .last(let abrupt):
            if abrupt, await stream.isQuiet() { break }
            await linger()
        case .refusal(let error):
            service.log(
                LogEvent(
                    .info, "request refused by the server",
                    [(.error, .code(error.code)), (.status, .integer(Int64(error.status.code)))]))
            var response = service.problem(error)
            if error.status == 503, !response.fields.contains("retry-after") {
                response.fields.append("retry-after", "1")
            }
            do throws(Ending) {
                try await write(response, to: exchange?.head, closes: true)
            } catch {
                if case .last = error { await linger() }
            }
        }
    }

    // MARK: Answering

    private func answer(_ head: RequestHead, _ framing: BodyFraming) async throws(Ending) {
        exchangeCount += 1
        let number = exchangeCount
        exchange = Exchange(number: number, head: head, framing: framing, pace: service.limits.pace)
        guard activity.become(.busy) else { throw .silent }
        if isInPorch, !service.answersWhenFull(head) { throw .refusal(.tooManyConnections) }
        if case .none = framing { try takeEndOfMessage() }

        let body = RequestBody(framing: framing) { () async throws(RequestBodyError) -> [UInt8]? in
            try await self.nextPiece(of: number)
        }
        let request = HTTPRequest(head: head, body: body, peer: peer)
        let responder = service.responder
        let response = await cancellable { await responder.respond(to: request) }
        if let failure = exchange?.failure {
            response.isOver(complete: false)
            throw .refusal(failure)
        }
        await settleBody(before: response)
        let isLast = exchangeCount >= service.limits.requestsPerConnection || isFinishing || isInPorch
        let closes = isLast || !head.keepsAlive || exchange?.isOver != true
        try await write(response, to: head, closes: closes, abrupt: !head.keepsAlive && exchange?.isOver == true)
        exchange = nil
    }

    /// Runs what the peer's going cancels.
    func cancellable<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result {
        let task = Task.immediate(executorPreference: stream.loop) { await work() }
        cancelWork = { task.cancel() }
        if hasHungUp { task.cancel() }
        defer { cancelWork = nil }
        return await task.value
    }

    private func peerHasHungUp() {
        hasHungUp = true
        cancelWork?()
    }

    // MARK: The server's end

    /// The answer that is being made is the last one; an idle connection ends now.
    func finishUp() async {
        isFinishing = true
        // A request that has come already is still answered.
        if isIdle, await stream.isQuiet() { await stream.close() }
    }

    /// Ends now, whatever is going on.
    func abandon() async {
        cancelWork?()
        await stream.close()
    }

    /// Reads on for a while after the last answer: closing with bytes unread would make the kernel send a reset, which
    /// can destroy the answer on its way to the peer's program.
    func linger() async {
        activity.become(.idle(since: service.time.now()))
        await stream.endWriting()
        let deadline = service.time.now() + service.limits.linger
        var budget = service.limits.lingerBytes
        while budget > 0 {
            do {
                guard let bytes = try await stream.read(by: deadline) else { return }
                budget -= bytes.count
            } catch { return }
        }
    }
}
