import Core
import Strongbox

/// Everything the sandbox knows. A value: its methods decide what a call does and answers, with the time as an
/// argument; nothing in here waits, listens or survives the process.
struct World: Sendable {
    let accessTokenLifetime: Duration
    let requestLifetime: Duration
    let random: @Sendable (Int) -> [UInt8]

    var person: PersonScript
    var clients: [String: Client] = [:]
    var sessions = BoundedMap<Session>(capacity: 100)
    var operators = BoundedMap<Session>(capacity: 100)
    var codes = BoundedMap<AuthorizationCode>(capacity: 1000)
    var grants = BoundedMap<Grant>(capacity: 100)
    /// By grant; apart from it, so that no copy of a grant makes a copy of its nonces.
    var nonces = BoundedMap<NonceMemory>(capacity: 100)
    var accessTokens = BoundedMap<AccessToken>(capacity: 10_000)
    var refreshTokens = BoundedMap<RefreshToken>(capacity: 10_000)
    var requests = BoundedMap<CardRequest>(capacity: 20_000)
    var faults: [Fault] = []
    var manners: Manners
    var shapes = Shapes()
    /// Of the call that is being answered.
    var turn = Turn.polite
    /// Seconds by which the service's own clock is wrong.
    var clockOffset: Int64 = 0
    /// As they came, for `/_sandbox/secrets`.
    var verifiers: [String] = []
    var stats = Stats()
    var items = SampleItem.samples
    /// The key that patches are sealed to.
    var identityKey = SealKey()

    init(_ options: SandboxOptions, random: @escaping @Sendable (Int) -> [UInt8] = Randomness.bytes) {
        accessTokenLifetime = options.accessTokenLifetime
        requestLifetime = options.requestLifetime
        person = options.person
        manners =
            options.rudeSeed.map { .rude(seed: $0, delayScale: options.rudeDelayScale) }
            ?? Manners(delayScale: options.rudeDelayScale)
        self.random = random
        clients[options.clientID] = Client(
            id: options.clientID, kind: .public, redirectURIs: options.redirectURIs)
    }

    /// A random name such as `rq_5045d6a2fe25531d`.
    func newID(_ prefix: String) -> String { prefix + Hex.encode(random(8)) }

    /// A token or code: 32 random bytes.
    func newToken(_ prefix: String) -> String { prefix + Base64URL.encode(random(32)) }
}

extension World {
    /// Answers one call of the API.
    mutating func answer(_ call: APICall, at now: UnixTime) -> Reply {
        do throws(Refusal) {
            return Reply(try decide(call, at: now))
        } catch {
            stats.refused(error.name)
            return Reply(error)
        }
    }

    private mutating func decide(_ call: APICall, at now: UnixTime) throws(Refusal) -> JSON {
        guard call.body.count <= Wire.bodyLimit else { throw .bodyTooLarge }
        guard let route = Route(path: call.path) else { throw .notFound }
        guard call.method == route.method else { throw .methodNotAllowed }
        stats.saw(route, at: now)
        switch route {
        case .clients: return try registerClient(call, at: now)
        case .client(let id): return try disableOwnClient(id, call, at: now)
        case .authorizeInfo: return try consentInfo(call, at: now)
        case .authorize: return try consent(call, at: now)
        case .token: return try token(call, at: now)
        case .revoke: return try revoke(call, at: now)
        case .account: return account(try grant(signing: call, at: now))
        case .vaults: return ["vaults": .array(try grant(signing: call, at: now).vaults.map(\.json))]
        case .requests: return try createRequest(call, by: try grant(signing: call, at: now), at: now)
        case .request(let id): return try showRequest(id, to: try grant(signing: call, at: now), at: now)
        case .cancel(let id): return try cancelRequest(id, call, by: try grant(signing: call, at: now), at: now)
        case .patch(let id): return try uploadPatch(id, call, by: try grant(signing: call, at: now), at: now)
        }
    }

    private func account(_ grant: Grant) -> JSON {
        [
            "account_id": .string(grant.accountID), "identity_public_key": .string(Wire.text(identityKey.publicKey)),
            "grant_id": .string(grant.id), "vaults": .array(grant.vaults.map(\.json)),
        ]
    }
}
