import Core
import Upstream

/// Talks to a running gateway: over the operator's socket, or over TCP as a caller.
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

    private enum Place: Hashable, Sendable {
        case socket(String)
        case origin(Origin)
    }

    /// As the operator.
    init(adminSocket path: String) throws(Failure) {
        try self.init(.unix(path: path), .socket(path), token: nil)
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

    func close() async { await client.close() }

    /// - Parameters:
    ///   - wait: `Prefer: wait`, in whole seconds.
    ///   - accepted: a status that is an answer here, though it is none of success.
    ///   - start: how long to wait for a gateway that nobody hears yet, because it was started a moment ago.
    func send(
        _ method: HTTPMethod, _ target: String, json: JSON? = nil, wait: Int64? = nil,
        alsoAccepting accepted: HTTPStatus? = nil, awaitingStart start: Duration = .zero
    ) async throws(Failure) -> Answer {
        var fields = HTTPFields()
        if let token { fields.append("authorization", "Bearer \(token)") }
        if json != nil { fields.append("content-type", "application/json") }
        if let wait { fields.append("prefer", "wait=\(wait)") }
        let patience = Duration.seconds((wait ?? 0) + 15)
        let request = OutboundRequest(
            method: method, target: target, fields: fields, body: json?.encoded() ?? [], mayRepeat: method == .get,
            limits: ExchangeLimits(
                connect: .seconds(5), firstByte: patience, total: patience + .seconds(15), body: 1 << 20))
        let response = try await send(request, until: .now + start)
        guard response.status.isSuccess || response.status == accepted else { throw Failure(response) }
        do throws(JSONError) {
            let body = response.body.isEmpty ? Array("null".utf8) : response.body
            let value = try JSONDocument(body).root
            return Answer(status: response.status, fields: response.fields, body: response.body, value: value)
        } catch {
            throw Failure(.failure, "what answered is no Countersign: it speaks no JSON")
        }
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
        case .closed: return Failure(.failure, "the gateway closed the connection before it had answered")
        case .timedOut: return Failure(.failure, "the gateway did not answer in time")
        case .tls, .malformed, .answerTooLarge: return Failure(.failure, "what answered is no Countersign")
        }
    }

    private var notReached: Failure {
        switch place {
        case .origin(let origin):
            return Failure(.failure, "nothing listens on \(origin)", hint: "`countersign serve` starts the gateway")
        case .socket(let path):
            if Files.exists(path), !Files.mayWrite(path) {
                return Failure(
                    .failure, "the operator's socket \(path.shownOnTerminal) is not ours to use",
                    hint: "run this as the user who runs the gateway")
            }
            return Failure(
                .failure, "the gateway is not running: nothing listens on \(path.shownOnTerminal)",
                hint: "`countersign serve` starts it")
        }
    }
}

extension Failure {
    /// A problem that the gateway answered with.
    init(_ response: InboundResponse) {
        let value = try? JSONDocument(response.body).root
        let code = value?["error"]?.string.map { ErrorCode($0) } ?? .internalError
        let detail = value?["detail"]?.string ?? "the gateway answered \(response.status) without saying why"
        self.init(
            ExitStatus(of: code), "\(detail.asTalk) (\(code.rawValue.shownOnTerminal))",
            hint: value?["next_action"]?.string.flatMap { NextAction(rawValue: $0) }?.hint)
    }
}

extension NextAction {
    /// What it means for who sits before the command line.
    var hint: String? {
        switch self {
        case .authorize: "`countersign authorize` asks the person for a grant"
        case .askUser: "the person has to look at MimiKey"
        case .retry: "try again in a moment"
        case .readAgain: "read the item again, then ask once more"
        case .wait, .fixRequest, .stop: nil
        }
    }
}

extension String {
    /// A sentence of the gateway's as part of ours: without full stop, safe for a terminal.
    var asTalk: String { (hasSuffix(".") ? String(dropLast()) : self).shownOnTerminal }
}
