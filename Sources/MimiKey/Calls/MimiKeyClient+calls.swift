import Core
import Strongbox

/// A call to be signed.
struct SignedCall: Hashable, Sendable {
    let method: HTTPMethod
    let path: String
    var body: [UInt8] = []
    /// See `OutboundRequest.mayRepeat`.
    let mayRepeat: Bool
    /// See `OutboundRequest.sentPoint`.
    var sentPoint: FaultPoint?
    /// Not made under another grant than that of this epoch: what it is about belongs to it.
    var epoch: Int?
}

extension MimiKeyClient {
    /// Makes a call and gives its 2xx answer. Signs last, over the bytes that go out; each further attempt is signed
    /// anew.
    func call(_ call: SignedCall) async throws(CallFailure) -> InboundResponse {
        try await answer(to: call).response
    }

    /// The same, with the grant that it was made under.
    func answer(to call: SignedCall) async throws(CallFailure) -> (response: InboundResponse, ticket: AccessTicket) {
        var attempts = CallAttempts()
        while true {
            let ticket: AccessTicket
            do throws(Problem) { ticket = try await access() } catch { throw .ours(error) }
            if let epoch = call.epoch, epoch != ticket.epoch { throw .ours(Self.grantReplaced) }
            let response: InboundResponse
            do throws(SendFailure) {
                response = try await send(signed(call, with: ticket.grant))
            } catch {
                throw .transport(error)
            }
            if response.status.isSuccess { return (response, ticket) }
            let refusal = Refusal(response, now: time.wall())
            switch attempts.step(after: refusal) {
            case .refresh:
                rejected(ticket)
            case .learnTime:
                guard learnTime(from: response) else { throw .ours(clockSkew(response)) }
            case .signAnew:
                log(LogEvent(.warning, "MimiKey has seen a nonce before; the call is signed anew"))
            case .revoked:
                await lose(ticket.epoch, because: refusal.code ?? Wire.Code.invalidToken)
                throw .ours(Self.revoked)
            case .clockSkew:
                throw .ours(clockSkew(response))
            case .fail:
                if refusal.code == Wire.Code.nonceReplayed {
                    log(LogEvent(.error, "MimiKey says of two new nonces that it has seen them; the call is given up"))
                }
                throw .refused(refusal)
            }
        }
    }

    func signed(_ call: SignedCall, with grant: StoredGrant) -> OutboundRequest {
        var fields = HTTPFields()
        fields.append(Wire.Field.accept, Wire.json)
        if !call.body.isEmpty { fields.append(Wire.Field.contentType, Wire.json) }
        fields.append(Wire.bearer(grant.tokens.access))
        sign(call, with: grant.approvalKey, into: &fields)
        return OutboundRequest(
            method: call.method, target: call.path, fields: fields, body: call.body, mayRepeat: call.mayRepeat,
            wantsNewConnection: !call.mayRepeat, sentPoint: call.sentPoint)
    }

    func sign(_ call: SignedCall, with key: ApprovalKey, into fields: inout HTTPFields) {
        let timestamp = Wire.timestamp(serverTime)
        let nonce = Wire.makeNonce()
        let canonical = Wire.canonicalString(
            method: call.method, target: call.path, body: call.body, timestamp: timestamp, nonce: nonce)
        fields.append(Wire.Field.timestamp, String(timestamp))
        fields.append(Wire.Field.nonce, nonce)
        fields.append(Wire.Field.signature, Wire.signature(of: canonical, with: key))
    }

    static let grantReplaced = Problem(
        .grantReplaced, "Another grant was stored meanwhile; what belonged to the old one is not carried on.")

    /// Only from an answer that nobody on the way can have made up: over TLS, or from this machine.
    func learnTime(from response: InboundResponse) -> Bool {
        guard configuration.origin.scheme == .https || configuration.origin.isLoopbackLiteral,
            let clock = ServerClock(date: response.fields, at: time.now())
        else { return false }
        serverClock = clock
        let seconds = (clock.time(at: time.now()) - time.wall()).components.seconds
        log(
            LogEvent(
                .warning, "this machine's clock is off by so many seconds; calls are signed with MimiKey's time",
                [(.seconds, .integer(seconds))]))
        return true
    }

    func clockSkew(_ response: InboundResponse) -> Problem {
        let ours = RFC3339.format(time.wall())
        let theirs = ServerClock(date: response.fields, at: time.now())?.time(at: time.now())
        let shown = theirs.map { "it shows \(RFC3339.format($0))" } ?? "it does not say what it shows"
        return Problem(
            .clockSkew, "This machine's clock shows \(ours) and MimiKey's is too far from it: \(shown).")
    }
}
