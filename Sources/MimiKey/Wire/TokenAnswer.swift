import Core
import Strongbox

/// What the token endpoint answers, of an exchange or of a refresh. [A] all member names.
struct TokenAnswer: ~Copyable {
    let access: Secret
    let refresh: Secret
    let lifetime: Duration
    /// Must be there after an exchange; may be absent after a refresh. [A]
    let grantID: String?
    /// SHA-256 of the raw approval public key, lower-case hex. [A]
    let fingerprint: String?
    /// As `grantID`.
    let vaults: [Vault]?

    /// Throws `malformed_response`.
    init(reading body: [UInt8]) throws(Problem) {
        let root = try Wire.document(body)
        guard let access = root["access_token"]?.string, Wire.isBearerToken(access),
            let refresh = root["refresh_token"]?.string, Wire.isRefreshToken(refresh)
        else { throw Wire.malformed }
        // [A] `token_type` may be absent; another one than Bearer is none that we can use.
        if let type = root["token_type"], type.string?.lowercased() != "bearer" { throw Wire.malformed }
        let grantID = try Wire.optionalIdentifier(root["grant_id"])
        let vaults = try Wire.vaults(of: root)
        // Nothing may throw from here on: a struct that cannot be copied is made all at once.
        self.grantID = grantID
        self.vaults = vaults
        self.fingerprint = root["approval_key_fingerprint"]?.string?.lowercased()
        self.lifetime = Wire.lifetime(root["expires_in"])
        self.access = Secret(copying: Array(access.utf8))
        self.refresh = Secret(copying: Array(refresh.utf8))
    }

    consuming func tokens(receivedAt time: UnixTime) -> Tokens {
        let expiry = time + lifetime
        return Tokens(access: access, refresh: refresh, accessExpiresAt: expiry)
    }
}

extension Wire {
    /// [D] An access token lives 3600 s; what counts when `expires_in` is missing or no integer.
    static let usualLifetime = Duration.seconds(3600)
    /// [ours] Whatever the server says, a lifetime is taken as something between these.
    static let shortestLifetime: Int64 = 60
    static let longestLifetime: Int64 = 30 * 86_400

    static func lifetime(_ value: JSONValue?) -> Duration {
        guard let seconds = value?.integer else { return usualLifetime }
        return .seconds(min(max(seconds, shortestLifetime), longestLifetime))
    }

    /// [ours] 1 to 4096 visible ASCII characters: it goes into a field.
    static func isBearerToken(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// [ours] 1 to 4096 bytes.
    static func isRefreshToken(_ text: String) -> Bool { (1...4096).contains(text.utf8.count) }

    /// The vaults of a grant: 1 to 32 without duplicates [D], `mode` 1 only [D], `policy` per vault [A] or once at
    /// the top level for all that have none [A]; where it is in neither place `ask`, the cautious one [ours].
    /// `nil` when there is no such member.
    static func vaults(of root: JSONValue) throws(Problem) -> [Vault]? {
        guard let list = root["vaults"], !list.isNull else { return nil }
        guard list.kind == .array, (1...32).contains(list.elements.count) else { throw malformed }
        let standard = root["policy"]
        var vaults: [Vault] = []
        for element in list.elements {
            guard let id = element["id"]?.string, isIdentifier(id), !vaults.contains(where: { $0.id == id }) else {
                throw malformed
            }
            if let mode = element["mode"], mode.integer != 1 { continue }
            let name = element["name"]?.string ?? id
            guard name.utf8.count <= 512 else { throw malformed }
            vaults.append(Vault(id: id, name: name, policy: try access(element["policy"] ?? standard)))
        }
        if vaults.isEmpty { throw malformed }
        return vaults
    }

    private static func access(_ value: JSONValue?) throws(Problem) -> Vault.Access {
        guard let value else { return .ask }
        guard let text = value.string, let access = Vault.Access(rawValue: text) else { throw malformed }
        return access
    }
}
