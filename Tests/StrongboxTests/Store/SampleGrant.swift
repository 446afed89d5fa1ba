import Core
import Strongbox

/// Grants and asks to store.
enum Sample {
    static let accessCanary = "canary-access-5d0c9a"
    static let refreshCanary = "canary-refresh-8e21bb"
    static let seed = Array("canary-approval-seed-32-bytes-ab".utf8)
    static let sealPrivate = Array("canary-seal-private-32-bytes-abc".utf8)

    static func tokens(_ suffix: String = "") -> Tokens {
        Tokens(
            access: Secret(copying: Array((accessCanary + suffix).utf8)),
            refresh: Secret(copying: Array((refreshCanary + suffix).utf8)),
            accessExpiresAt: UnixTime(seconds: 1_780_003_600))
    }

    static func grant(_ id: String = "gr_1", refreshState: RefreshState = .idle) throws -> StoredGrant {
        StoredGrant(
            grantID: id, clientID: "pmc_sandbox", origin: "http://127.0.0.1:7448", approvalKey: try .from(seed),
            sealKey: try .from(sealPrivate), tokens: tokens(),
            vaults: [
                Vault(id: "v_1", name: "Personal", policy: .ask), Vault(id: "v_2", name: "Geschäft", policy: .trust),
            ], refreshState: refreshState)
    }

    static func ask(_ byte: UInt8, state: AskState = .pending) throws -> Ask {
        guard let caller = CallerName("reconcile-bot") else { throw NotAKey() }
        return Ask(
            id: AskID(randomBytes: [UInt8](repeating: byte, count: 16)), call: Call(caller: caller, op: .pickItem),
            createdAt: UnixTime(seconds: 1_780_000_000), state: state, callbackState: "state-\(byte)")
    }
}

extension StoredGrant {
    /// Everything in it, as text, to compare.
    var contents: [String] {
        [
            grantID, clientID, origin, Base64URL.encode(approvalKey.publicKey), Base64URL.encode(sealKey.publicKey),
            String(decoding: tokens.access.exposed(), as: UTF8.self),
            String(decoding: tokens.refresh.exposed(), as: UTF8.self), "\(tokens.accessExpiresAt)", "\(vaults)",
            refreshState.rawValue,
        ]
    }
}
