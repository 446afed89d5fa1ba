import Core
import TestSupport

@testable import Gateway

/// An answer as a client sees it.
struct Answer: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    /// `null` for what is no JSON.
    var json: JSONValue {
        guard let document = (try? JSONDocument(body)) ?? (try? JSONDocument(Array("null".utf8))) else {
            preconditionFailure("null is JSON")
        }
        return document.root
    }

    func string(_ name: String) -> String? { json[name]?.string }
    var error: String? { string("error") }
    var state: String? { string("state") }
}

extension TestGateway {
    func send(
        _ method: HTTPMethod, _ target: String, body: String? = nil, token: String? = TestGateway.token,
        fields extra: [HTTPField] = [], host: String? = "127.0.0.1:7447", peer: Peer = Peer(door: .tcp(address)),
        delivered: Bool? = true
    ) async -> Answer {
        var fields = HTTPFields()
        if let host { fields.append("host", host) }
        if let token { fields.append("authorization", "Bearer \(token)") }
        if body != nil, !extra.contains(where: { $0.name == "content-type" }) {
            fields.append("content-type", "application/json")
        }
        for field in extra { fields.append(field) }
        if let wire { return await wire.send(method, target, fields, Array((body ?? "").utf8)) }
        let parts = target.split(separator: "?", maxSplits: 1)
        let head = RequestHead(
            method: method,
            target: .origin(path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil), fields: fields)
        let request = HTTPRequest(head: head, body: RequestBody(whole: Array((body ?? "").utf8)), peer: peer)
        return Answer(await responder.respond(to: request), delivered: delivered)
    }

    /// `POST /v1/requests`; without `wait` it does not hold.
    func ask(
        _ body: String = #"{"op":"pick_item","hint":{"url":"https://bank.example.com"}}"#, wait: Int? = 0,
        token: String = TestGateway.token, delivered: Bool? = true
    ) async -> Answer {
        let prefer = wait.map { [HTTPField("prefer", "wait=\($0)")] } ?? []
        return await send(.post, "/v1/requests", body: body, token: token, fields: prefer, delivered: delivered)
    }

    func look(
        _ id: String, wait: Int? = nil, token: String = TestGateway.token, method: HTTPMethod = .get,
        delivered: Bool? = true
    ) async -> Answer {
        let prefer = wait.map { [HTTPField("prefer", "wait=\($0)")] } ?? []
        return await send(method, "/v1/requests/\(id)", token: token, fields: prefer, delivered: delivered)
    }

    func cancel(_ id: String, token: String = TestGateway.token) async -> Answer {
        await send(.delete, "/v1/requests/\(id)", token: token)
    }

    /// As the operator, on the operator's socket.
    func operate(
        _ method: HTTPMethod, _ target: String, body: String? = nil, host: String = "localhost",
        uid: UInt32 = TestGateway.owner, fields: [HTTPField] = []
    ) async -> Answer {
        await send(
            method, target, body: body, token: nil, fields: fields, host: host,
            peer: Peer(
                door: .unix(path: "/run/countersign-test/admin.sock", mode: 0o600),
                credentials: PeerCredentials(uid: uid, pid: 1)))
    }

    /// By the Unix socket of a caller.
    func comeBySocket(
        _ method: HTTPMethod, _ target: String, body: String? = nil, path: String = "/run/countersign-test/agent.sock",
        uid: UInt32 = 1001, token: String? = nil, fields: [HTTPField] = [], host: String = "localhost"
    ) async -> Answer {
        await send(
            method, target, body: body, token: token, fields: fields, host: host,
            peer: Peer(door: .unix(path: path, mode: 0o660), credentials: PeerCredentials(uid: uid, pid: 1)))
    }

    /// The cadence of the poller; every other sleep is longer.
    private static let cadence = Duration.seconds(2)

    /// Returns once the pollers of that many pending asks sleep, and that many waits are held. Which sleepers there are
    /// is what counts, not how many: a wait for the card and the one that follows it overlap.
    func untilPolling(asks: Int = 1, waits: Int = 0) async {
        await clock.untilSleepers { remaining in
            remaining.count { $0 <= Self.cadence } >= asks && Self.held(remaining) >= waits
        }
    }

    /// Returns once that many tasks sleep for longer than a poller does and shorter than the hourly pruning.
    func untilHolding(_ count: Int) async { await clock.untilSleepers { Self.held($0) >= count } }

    /// How many such tasks there are now.
    func held() async -> Int {
        let count = Shared(0)
        await clock.untilSleepers { remaining in
            count.value = Self.held(remaining)
            return true
        }
        return count.value
    }

    private static func held(_ remaining: [Duration]) -> Int {
        remaining.count { $0 > Self.cadence && $0 < .seconds(3000) }
    }

    /// Lets the poller of a pending ask look once more.
    func poll(waits: Int = 0, asks: Int = 1) async {
        await untilPolling(asks: asks, waits: waits)
        clock.advance(by: Self.cadence)
    }
}

extension Answer {
    /// Reads the answer as the server would: a body is written and wiped, then its end is told.
    fileprivate init(_ response: HTTPResponse, delivered: Bool?) {
        status = response.status.code
        fields = response.fields
        switch response.body {
        case .none, .stream: body = []
        case .bytes(let bytes): body = bytes
        case .sensitive(let secret):
            body = secret.withBytes { bytes in
                (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
            }
            secret.wipe()
        }
        if let delivered { response.delivered?(delivered) }
    }
}

extension RequestBody {
    init(whole bytes: [UInt8]) {
        let rest = Rest(bytes)
        self.init(framing: bytes.isEmpty ? .none : .length(bytes.count)) { () async throws(RequestBodyError) in
            rest.take()
        }
    }

    private final class Rest: @unchecked Sendable {
        // Read by one request at a time.
        private var bytes: [UInt8]?
        init(_ bytes: [UInt8]) { self.bytes = bytes.isEmpty ? nil : bytes }
        func take() -> [UInt8]? {
            defer { bytes = nil }
            return bytes
        }
    }
}
