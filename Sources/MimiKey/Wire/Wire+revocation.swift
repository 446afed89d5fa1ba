import Core
import Strongbox

extension Wire {
    /// The body that revokes a grant. [D] `client_secret` of a confidential client, in place of the signature; [A] the other
    /// names.
    static func revocationBody(clientID: String, token: borrowing Secret, secret: ClientSecret?) -> [UInt8] {
        JSON.object(
            [.init("client_id", .string(clientID)), .init("token", text(token))] + members(of: secret)
        ).encoded()
    }

    /// [D] `{"ok":true}`.
    static func saysOK(_ body: [UInt8]) -> Bool { (try? document(body))?["ok"]?.bool == true }
}

extension Wire.Path {
    /// [D]
    static let revoke = "/api/oauth/revoke"
}

extension Wire.Code {
    /// The grant is gone already, so that there is nothing to revoke. [D] the codes. A secret or a client that is not
    /// accepted says nothing of the grant.
    static let gone: Set<ErrorCode> = revoked.subtracting([
        ErrorCode("invalid_client"), ErrorCode("invalid_client_secret"),
    ])
}
