import Core
import Upstream

/// Talks to a running gateway: over the operator's socket, or as a caller over TCP or a socket.
struct GatewayClient: Sendable {
    /// A complete answer that is no error.
    struct Answer: Sendable {
        let status: HTTPStatus
        let fields: HTTPFields
        let body: [UInt8]
        let value: JSONValue
    }

    private let client: UpstreamClient
    private let token: String?
    private let place: Place

    fileprivate enum Place: Hashable, Sendable {
        case operatorSocket(String)
        case callerSocket(String)
        case origin(Origin)
    }

    /// As the operator.
    init(adminSocket path: String) throws(Failure) {
        try self.init(.unix(path: path), .operatorSocket(path), token: nil)
    }

    /// As the caller whom a socket is for.
    init(callerSocket path: String) throws(Failure) {
        try self.init(.unix(path: path), .callerSocket(path), token: nil)
    }

    /// As a caller.
    init(_ origin: Origin, token: String? = nil) throws(Failure) {
        try self.init(.origin(origin), .origin(origin), token: token)
    }

    private init(_ endpoint: Endpoint, _ place: Place, token: String?) throws(Failure) {
        do {
            client = try UpstreamClient(endpoint)
        } catch let refused as UpstreamClient.Refused {
            throw Failure(.failure, refused.reason)
        } catch {
            throw Failure(.failure, "no connection can be made: the kernel refuses what it takes")
        }
        self.token = token
        self.place = place
    }

    /// For what makes the gateway call MimiKey before it answers.
    static let patienceForMimiKey = Duration.seconds(75)

    func close() async { await client.close() }

    /// - Parameters:
    ///   - body: JSON.
    ///   - wait: `Prefer: wait`, in whole seconds.
    ///   - tag: an `ETag` that was seen; 304 is an answer then.
    ///   - accepted: a status that is an answer here, though it is none of success.
    ///   - patience: how long the answer may take, beside `wait`.
    ///   - start: how long to wait for a gateway that nobody hears yet, because it was started a moment ago.
    func send(
        _ method: HTTPMethod, _ target: String, body: [UInt8]? = nil, wait: Int64? = nil, unless tag: String? = nil,
        alsoAccepting accepted: HTTPStatus? = nil, patience: Duration = .seconds(15),
        awaitingStart start: Duration = .zero
    ) async throws(Failure) -> Answer {
        let response = try await exchange(
            method, target, body: body, wait: wait, unless: tag, patience: patience, awaitingStart: start)
        guard response.status.isSuccess || response.status == accepted || (tag != nil && response.status == 304) else {
            if GatewayVersion.isOther(target, response.status) { throw place.unknownPath }
            throw Failure(response)
        }
        do throws(JSONError) {
            let body = response.body.isEmpty ? Array("null".utf8) : response.body
            let value = try JSONDocument(body).root
            return Answer(status: response.status, fields: response.fields, body: response.body, value: value)
        } catch {
            throw Failure(.failure, "what answered is no Countersign: it speaks no JSON")
        }
    }

    func send(
        _ method: HTTPMethod, _ target: String, json: JSON, wait: Int64? = nil, patience: Duration = .seconds(15),
        awaitingStart start: Duration = .zero
    ) async throws(Failure) -> Answer {
        try await send(
            method, target, body: json.encoded(), wait: wait, patience: patience, awaitingStart: start)
    }

    /// One request and whatever the answer is; `receive` takes the body instead, piece by piece, when it is a success.
    func exchange(
        _ method: HTTPMethod, _ target: String, body: [UInt8]? = nil, wait: Int64? = nil, unless tag: String? = nil,
        accept: String? = nil, patience: Duration = .seconds(15), awaitingStart start: Duration = .zero,
        receive: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(Failure) -> InboundResponse {
        var fields = HTTPFields()
        if let token { fields.append("authorization", "Bearer \(token)") }
        if body != nil { fields.append("content-type", "application/json") }
        if let wait { fields.append("prefer", "wait=\(wait)") }
        if let tag { fields.append("if-none-match", tag) }
        if let accept { fields.append("accept", accept) }
        let patience = patience + .seconds(wait ?? 0)
        let request = OutboundRequest(
            method: method, target: target, fields: fields, body: body ?? [], mayRepeat: method == .get,
            limits: ExchangeLimits(
                connect: .seconds(5), firstByte: patience, total: patience + .seconds(15), body: 1 << 20),
            receive: receive)
        return try await send(request, until: .now + start)
    }

    private func send(
        _ request: OutboundRequest, until latest: ContinuousClock.Instant
    ) async throws(Failure) -> InboundResponse {
        while true {
            do throws(SendFailure) {
                return try await client.send(request)
            } catch {
                guard error.reason == .connectFailed, !error.bytesMayHaveLeft, .now < latest else {
                    throw failure(error)
                }
                do { try await Task.sleep(for: .milliseconds(50)) } catch { throw .interrupted }
            }
        }
    }

    private func failure(_ error: SendFailure) -> Failure {
        switch error.reason {
        case .cancelled: return .interrupted
        case .nameNotFound, .connectFailed: return notReached
        case .closed:
            return Failure(
                .failure, "the gateway closed the connection before it had answered",
                hint: place.isCallerSocket ? "the socket lets in the users of its `allow_uids` alone" : nil)
        case .timedOut: return Failure(.failure, "the gateway did not answer in time")
        case .tls, .malformed, .answerTooLarge: return Failure(.failure, "what answered is no Countersign")
        }
    }

    private var notReached: Failure {
        switch place {
        case .origin(let origin):
            return Failure(.failure, "nothing listens on \(origin)", hint: "`countersign serve` starts the gateway")
        case .operatorSocket(let path), .callerSocket(let path):
            if Files.exists(path), !Files.mayWrite(path) {
                let name = place.isCallerSocket ? "the socket" : "the operator's socket"
                return Failure(
                    .failure, "\(name) \(path.shownOnTerminal) is not ours to use",
                    hint: place.isCallerSocket
                        ? "`mode`, `group` and `allow_uids` of the socket say who may use it"
                        : "run this as the user who runs the gateway")
            }
            return Failure(
                .failure, "the gateway is not running: nothing listens on \(path.shownOnTerminal)",
                hint: "`countersign serve` starts it")
        }
    }
}

extension GatewayClient.Place {
    /// There is no such path where there should be one.
    fileprivate var unknownPath: Failure {
        isCallerSocket
            ? Failure(
                .failure, "what answers on this socket takes no asks: it is the operator's, or another version's",
                hint: "a caller's socket is one with `caller` below `listen` in the configuration")
            : .otherVersion
    }

    fileprivate var isCallerSocket: Bool {
        switch self {
        case .callerSocket: true
        case .operatorSocket, .origin: false
        }
    }
}
