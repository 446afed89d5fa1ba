import Core
import MimiKey
import Strongbox
import Synchronization

/// MimiKey as a closure: makes requests, answers polls, seals results. It checks no signatures; the sandbox does that.
final class FakeMimiKey: Sendable {
    struct Card {
        let id: String
        let body: JSONDocument
        var status = "pending"
        var denyReason: String?
        var result: String?
    }

    private struct State {
        var cards: [Card] = []
        var calls: [String] = []
        var sent: [OutboundRequest] = []
        /// What the next call to a path that begins so is answered with.
        var next: [(prefix: String, answer: Result<InboundResponse, SendFailure>)] = []
        var held: [CheckedContinuation<Void, Never>] = []
        var holds = false
        var isDown = false
        /// Calls that begin so are never answered.
        var mute: String?
    }

    static let grantID = "gr_test"
    let grant: StoredGrant
    private let state = Mutex(State())

    init(wall: @escaping @Sendable () -> UnixTime, accessLifetime: Duration = .seconds(86_400)) {
        grant = StoredGrant(
            grantID: Self.grantID, clientID: "pmc_test", origin: "http://127.0.0.1:7448", approvalKey: ApprovalKey(),
            sealKey: SealKey(),
            tokens: Tokens(
                access: Secret(copying: Array("canary-access".utf8)),
                refresh: Secret(copying: Array("canary-refresh".utf8)), accessExpiresAt: wall() + accessLifetime),
            vaults: [Vault(id: "v_1", name: "Personal", policy: .ask)])
    }

    var cards: [Card] { state.withLock { $0.cards } }
    var calls: [String] { state.withLock { $0.calls } }
    /// Every request as it came.
    var sent: [OutboundRequest] { state.withLock { $0.sent } }
    func count(_ call: String) -> Int { calls.count { $0 == call } }

    /// The person picks an item.
    func approve(_ index: Int = 0, record: String = FakeMimiKey.record, id: String = "it_1") {
        let requestID = cards[index].id
        let plaintext = """
            {"item":{"id":"\(id)","vault_id":"v_1","revision":7,"kind":"login","record":\(record)}}
            """
        let aad = Array("\(Self.grantID)\n\(requestID)".utf8)
        let box = try? SealedBox.seal(
            Array(plaintext.utf8), to: grant.sealKey.publicKey, info: Array("mimikey/v3/result".utf8), aad: aad)
        state.withLock {
            $0.cards[index].status = "completed"
            $0.cards[index].result = box.map(Base64URL.encode)
        }
    }

    static let record = """
        {"title":"Bank","url":"https://www.bank.example.com/login","username":"kim","password":"canary-password"}
        """

    func end(_ index: Int = 0, _ status: String, denyReason: String? = nil) {
        state.withLock {
            $0.cards[index].status = status
            $0.cards[index].denyReason = denyReason
        }
    }

    /// Gives each the other's box and completes both.
    func swapResults(_ first: Int, _ second: Int) {
        state.withLock { state in
            let result = state.cards[first].result
            state.cards[first].result = state.cards[second].result
            state.cards[second].result = result
            for index in [first, second] { state.cards[index].status = "completed" }
        }
    }

    func answerNext(_ prefix: String, _ answer: Result<InboundResponse, SendFailure>) {
        state.withLock { $0.next.append((prefix, answer)) }
    }

    func refuseNext(_ prefix: String, status: HTTPStatus, _ code: String) {
        answerNext(prefix, .success(InboundResponse(status: status, body: Array("{\"error\":\"\(code)\"}".utf8))))
    }

    /// Whether it can be reached.
    func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

    /// Calls that begin so get no answer from now on; who gives up leaves.
    func mute(_ prefix: String?) { state.withLock { $0.mute = prefix } }

    private func isMute(_ request: OutboundRequest) -> Bool {
        let call = "\(request.method) \(request.target)"
        return state.withLock { state in
            guard let mute = state.mute, call.hasPrefix(mute) else { return false }
            state.calls.append(call)
            return true
        }
    }

    /// From now on nothing is answered until `release`.
    func hold() { state.withLock { $0.holds = true } }

    func release() {
        let held = state.withLock { state in
            state.holds = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    var send: Send {
        { (request) async throws(SendFailure) in
            await withCheckedContinuation { continuation in
                let waits = self.state.withLock { state in
                    if state.holds { state.held.append(continuation) }
                    return state.holds
                }
                if !waits { continuation.resume() }
            }
            if self.isMute(request) {
                // As long as the caller stays.
                try? await Task.sleep(for: .seconds(3600))
                throw SendFailure(.cancelled, bytesMayHaveLeft: true)
            }
            return try self.answer(request)
        }
    }

    private func answer(_ request: OutboundRequest) throws(SendFailure) -> InboundResponse {
        let call = "\(request.method) \(request.target)"
        let scripted = state.withLock { state -> Result<InboundResponse, SendFailure>? in
            state.calls.append(call)
            state.sent.append(request)
            guard let index = state.next.firstIndex(where: { call.hasPrefix($0.prefix) }) else { return nil }
            return state.next.remove(at: index).answer
        }
        if let scripted { return try scripted.get() }
        if state.withLock({ $0.isDown }) { throw SendFailure(.connectFailed, bytesMayHaveLeft: false) }
        let path = request.target.split(separator: "/").map(String.init)
        switch (request.method, path.count) {
        case (.post, 3): return made(request.body)
        case (.get, 4): return shown(path[3])
        case (.post, 5):
            state.withLock { state in
                for index in state.cards.indices where state.cards[index].id == path[3] {
                    if state.cards[index].status == "pending" { state.cards[index].status = "cancelled" }
                }
            }
            return shown(path[3])
        default: return InboundResponse(status: 404, body: Array(#"{"error":"request_not_found"}"#.utf8))
        }
    }

    private func made(_ body: [UInt8]) -> InboundResponse {
        guard let document = try? JSONDocument(body) else { return InboundResponse(status: 400) }
        let id = state.withLock { state in
            let id = "rq_\(state.cards.count + 1)"
            state.cards.append(Card(id: id, body: document))
            return id
        }
        return shown(id)
    }

    private func shown(_ id: String) -> InboundResponse {
        guard let card = cards.first(where: { $0.id == id }) else {
            return InboundResponse(status: 404, body: Array(#"{"error":"request_not_found"}"#.utf8))
        }
        var members: [JSON.Member] = [
            .init("id", .string(id)), .init("op", "pick_item"), .init("status", .string(card.status)),
            .init("created_at", .integer(1_780_000_000)), .init("expires_at", .integer(1_780_000_600)),
            .init("open_url", .string("mimikey://request?request_id=\(id)")),
        ]
        if let result = card.result { members.append(.init("result_enc", .string(result))) }
        if let reason = card.denyReason { members.append(.init("deny_reason", .string(reason))) }
        return InboundResponse(status: 200, body: JSON.object(members).encoded())
    }
}
