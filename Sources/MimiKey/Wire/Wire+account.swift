import Core
import Strongbox

extension Wire {
    /// [ours] A key to which anybody could open what is sealed is none.
    private static func identityKey(_ value: JSONValue?) -> [UInt8]? {
        guard let key = value?.string.flatMap({ Base64URL.decode($0) }), SealedBox.isRecipient(key) else { return nil }
        return key
    }

    /// What `GET /api/oauth/account` answers. [A] all member names; `vaults` may be absent [ours].
    struct AccountAnswer {
        let id: String
        let identityKey: [UInt8]
        /// The grant that was asked with. May be absent [ours].
        let grantID: String?
        let vaults: [Vault]?

        /// Throws `malformed_response`.
        init(reading body: [UInt8]) throws(Problem) {
            let root = try Wire.document(body)
            guard let id = root["account_id"]?.string, Wire.isIdentifier(id),
                let key = Wire.identityKey(root["identity_public_key"])
            else { throw Wire.malformed }
            self.id = id
            identityKey = key
            grantID = try Wire.optionalIdentifier(root["grant_id"])
            vaults = try Wire.vaults(of: root)
        }
    }

    /// What `GET /api/oauth/vaults` answers. [A] `{"vaults":[…]}`, with the members of a grant's. Throws `malformed_response`.
    static func vaults(reading body: [UInt8]) throws(Problem) -> [Vault] {
        guard let vaults = try vaults(of: document(body)) else { throw malformed }
        return vaults
    }
}
