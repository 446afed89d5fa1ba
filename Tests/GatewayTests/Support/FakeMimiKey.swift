import Core
import MimiKey
import Strongbox
import Synchronization

@testable import Gateway

/// MimiKey as a closure: makes requests, answers polls, seals results. It checks no signatures; the sandbox does that.
final class FakeMimiKey: Sendable {
    struct Card {
        let id: String
        let body: JSONDocument
        var status = "pending"
        var denyReason: String?
        var result: String?
        var patch: String?
        var updatedItem: JSON?
        var isSavedOutOfScope = false

        var op: String { body.root["op"]?.string ?? "" }
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
        var firstStatus: String?
    }

    static let grantID = "gr_test"
    let grant: StoredGrant
    /// The account's identity key.
    private let identityKey = SealKey()
    private let state = Mutex(State())

    /// Of a grant with all that a test of policy needs: the first one is what most tests know of.
    static let vaults = [
        Vault(id: "v_1", name: "Personal", policy: .ask), Vault(id: "v_2", name: "Work", policy: .ask),
        Vault(id: "v_3", name: "Open", policy: .trust),
    ]

    init(
        wall: @escaping @Sendable () -> UnixTime, accessLifetime: Duration = .seconds(86_400),
        vaults: [Vault] = FakeMimiKey.vaults
    ) {
        grant = StoredGrant(
            grantID: Self.grantID, clientID: "pmc_test", origin: "http://127.0.0.1:7448", approvalKey: ApprovalKey(),
            sealKey: SealKey(),
            tokens: Tokens(
                access: Secret(copying: Array("canary-access".utf8)),
                refresh: Secret(copying: Array("canary-refresh".utf8)), accessExpiresAt: wall() + accessLifetime),
            vaults: vaults)
    }

    var cards: [Card] { state.withLock { $0.cards } }
    var calls: [String] { state.withLock { $0.calls } }
    /// Every request as it came.
    var sent: [OutboundRequest] { state.withLock { $0.sent } }
    func count(_ call: String) -> Int { calls.count { $0 == call } }

    /// What the next request that is made is at once, such as `approved`.
    func makeNext(_ status: String) { state.withLock { $0.firstStatus = status } }

    /// A draft that another process has left behind.
    func leaveDraft(_ status: String = "draft") -> String {
        state.withLock { state in
            let id = "rq_\(state.cards.count + 1)"
            guard let body = try? JSONDocument(Array(#"{"op":"update_item"}"#.utf8)) else { return id }
            state.cards.append(Card(id: id, body: body, status: status))
            return id
        }
    }

    /// The person lets the item be changed; `nil`: MimiKey does not say what was written.
    func update(_ index: Int = 0, item: JSON? = ["item_id": "it_1", "revision": 8]) {
        state.withLock {
            $0.cards[index].status = "completed"
            $0.cards[index].updatedItem = item
        }
    }

    /// The person saves the new item where the grant does not reach.
    func saveElsewhere(_ index: Int = 0) {
        state.withLock {
            $0.cards[index].status = "completed"
            $0.cards[index].isSavedOutOfScope = true
        }
    }

    /// What was uploaded for a card, opened with the account's key.
    func openedPatch(_ index: Int = 0) -> String? {
        let card = cards[index]
        guard let box = card.patch.flatMap({ Base64URL.decode($0) }) else { return nil }
        let aad = Array("\(Self.grantID)\n\(card.id)".utf8)
        return try? identityKey.open(box, info: Array("mimikey/v3/patch".utf8), aad: aad).withBytes { bytes in
            String(
                decoding: (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) },
                as: UTF8.self)
        }
    }

    /// The person picks an item.
    func approve(
        _ index: Int = 0, record: String = FakeMimiKey.record, id: String = "it_1", vaultID: String = "v_1",
        kind: String = "login"
    ) {
        let requestID = cards[index].id
        let plaintext = """
            {"item":{"id":"\(id)","vault_id":"\(vaultID)","revision":7,"kind":"\(kind)","record":\(record)}}
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
        case (.get, 3) where path[2] == "account": return InboundResponse(status: 200, body: account.encoded())
        case (.get, 4): return shown(path[3])
        case (.put, 5): return uploaded(request.body, to: path[3])
        case (.post, 5):
            state.withLock { state in
                for index in state.cards.indices where state.cards[index].id == path[3] {
                    if ["draft", "pending", "approved"].contains(state.cards[index].status) {
                        state.cards[index].status = "cancelled"
                    }
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
            let usual = document.root["op"]?.string == "update_item" ? "draft" : "pending"
            state.cards.append(Card(id: id, body: document, status: state.firstStatus ?? usual))
            state.firstStatus = nil
            return id
        }
        return shown(id)
    }

    private func uploaded(_ body: [UInt8], to id: String) -> InboundResponse {
        let wasDraft = state.withLock { state in
            guard let index = state.cards.firstIndex(where: { $0.id == id }), state.cards[index].status == "draft"
            else {
                return false
            }
            state.cards[index].status = "pending"
            state.cards[index].patch = (try? JSONDocument(body))?.root["patch_enc"]?.string
            return true
        }
        return wasDraft ? shown(id) : InboundResponse(status: 409, body: Array(#"{"error":"request_not_draft"}"#.utf8))
    }

    private var account: JSON {
        [
            "account_id": "ac_1", "identity_public_key": .string(Base64URL.encode(identityKey.publicKey)),
            "grant_id": .string(Self.grantID), "vaults": .array(grant.vaults.map(\.json)),
        ]
    }

    private func shown(_ id: String) -> InboundResponse {
        guard let card = cards.first(where: { $0.id == id }) else {
            return InboundResponse(status: 404, body: Array(#"{"error":"request_not_found"}"#.utf8))
        }
        var members: [JSON.Member] = [
            .init("id", .string(id)), .init("op", .string(card.op)), .init("status", .string(card.status)),
            .init("created_at", .integer(1_780_000_000)),
            .init("expires_at", .integer(card.status == "draft" ? 1_780_000_060 : 1_780_000_600)),
            .init("open_url", .string("mimikey://request?request_id=\(id)")),
        ]
        if let item = card.updatedItem { members.append(.init("updated_item", item)) }
        if card.isSavedOutOfScope { members.append(.init("saved_out_of_scope", true)) }
        if let result = card.result { members.append(.init("result_enc", .string(result))) }
        if let reason = card.denyReason { members.append(.init("deny_reason", .string(reason))) }
        return InboundResponse(status: 200, body: JSON.object(members).encoded())
    }
}
