import Core
import Strongbox
import Synchronization
import TestSupport

/// A MimiKey in this process, behind a `Send` closure. It reads the wire by itself: it builds the canonical string, checks
/// signatures, nonces, time window and tokens, rotates refresh tokens and revokes the grant when one comes back.
final class FakeMimiKey: Sendable {
    /// What happens to the next request of a path.
    enum Fault: Sendable {
        /// It never arrives.
        case lost(SendFailure)
        /// It is carried out, its answer never arrives.
        case answerLost(SendFailure)
        /// It is not carried out; this comes back.
        case answer(InboundResponse)
        /// It arrives once the gate opens.
        case held(Gate)
        /// So much time passes, then it arrives.
        case late(Duration)
        /// So much time passes, and it never arrives.
        case lostLate(Duration, SendFailure)
    }

    struct Request: Sendable {
        let id: String
        let body: String
        var status = "pending"
        var expiresAt: UnixTime
        var result: String?
        var denyReason: String?
        var patch: String?
    }

    struct State: Sendable {
        var faults: [String: [Fault]] = [:]
        var received: [OutboundRequest] = []
        var codes: [String: (challenge: String, approval: [UInt8], seal: [UInt8])] = [:]
        var grantID = "gr_1"
        var approvalKey: [UInt8] = []
        var sealKey: [UInt8] = []
        var access: [String: UnixTime] = [:]
        var refresh: String?
        var spentRefresh: Set<String> = []
        var isRevoked = false
        var nonces: Set<String> = []
        var requests: [String: Request] = [:]
        /// The account's; what was sealed to it opens with this one.
        var identity = SealKey()
        /// Shown in the place of its public half.
        var shownIdentity: JSON?
        var count = 0
        // What tests turn.
        var clientSecret: String?
        var lifetime: JSON? = 3600
        var validity = Duration.seconds(3600)
        var clockAhead = Duration.zero
        var sendsDate = true
        var fingerprint: String?
        var vaults: JSON? = [["id": "v_1", "name": "Personal", "mode": 1, "policy": "ask"]]
        var keepsRefreshToken = false
        var omitsRefreshToken = false
        var wrapsRequests = false
        var onRefresh: (@Sendable () async -> Void)?
        var onSigned: (@Sendable (String) async -> Void)?
    }

    let state = Mutex(State())
    let clock: ManualClock

    init(clock: ManualClock) { self.clock = clock }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// For the next requests to `path`, one each.
    func faults(_ path: String, _ faults: Fault...) {
        state.withLock { $0.faults[path, default: []] += faults }
    }

    func received(_ path: String) -> [OutboundRequest] { state.withLock { $0.received.filter { $0.target == path } } }

    /// How often a token endpoint was asked for that grant type.
    func exchanges(_ type: String) -> Int {
        received("/api/oauth/token").count { String(decoding: $0.body, as: UTF8.self).contains("\"\(type)\"") }
    }

    var refreshes: Int { exchanges("refresh_token") }

    var now: UnixTime { clock.wall + state.withLock { $0.clockAhead } }

    var send: Send {
        { (request) async throws(SendFailure) -> InboundResponse in try await self.answer(request) }
    }

    private func answer(_ request: OutboundRequest) async throws(SendFailure) -> InboundResponse {
        let fault = state.withLock { state -> Fault? in
            state.received.append(request)
            guard let first = state.faults[request.target]?.first else { return nil }
            state.faults[request.target]?.removeFirst()
            return first
        }
        switch fault {
        case .lost(let failure): throw failure
        case .answer(let response): return response
        case .held(let gate): await gate.pass()
        case .late(let duration): clock.advance(by: duration)
        case .lostLate(let duration, let failure):
            clock.advance(by: duration)
            throw failure
        case .answerLost, nil: break
        }
        let response = await dated(process(request))
        if case .answerLost(let failure) = fault { throw failure }
        return response
    }

    private func dated(_ response: InboundResponse) -> InboundResponse {
        guard state.withLock({ $0.sendsDate }) else { return response }
        var fields = response.fields
        fields.append("date", HTTPDate.format(now))
        return InboundResponse(status: response.status, fields: fields, body: response.body)
    }

    private func process(_ request: OutboundRequest) async -> InboundResponse {
        if request.target == "/api/oauth/token" { return await token(request) }
        if request.target == "/api/oauth/revoke" { return revoke(request) }
        if let refusal = await check(request) { return refusal }
        return carryOut(request)
    }

    static func error(_ status: Int, _ code: String) -> InboundResponse {
        InboundResponse(status: HTTPStatus(code: status), body: JSON.object([.init("error", .string(code))]).encoded())
    }

    static func json(_ json: JSON) -> InboundResponse { InboundResponse(status: 200, body: json.encoded()) }
}
