import Core
import Strongbox

extension Wire {
    /// The `mimikey://authorize` deep link. [D] `code_challenge`, `approval_key`, `seal_key` and S256; [A] the other
    /// names, which follow OAuth; [A] keys in base64url.
    static func authorizeURL(
        clientID: String, redirectURI: String, state: String, challenge: String, approvalKey: [UInt8], sealKey: [UInt8]
    ) -> String {
        var query = QueryString()
        query.append("client_id", clientID)
        query.append("redirect_uri", redirectURI)
        query.append("state", state)
        query.append("code_challenge", challenge)
        query.append("code_challenge_method", "S256")
        query.append("approval_key", Base64URL.encode(approvalKey))
        query.append("seal_key", Base64URL.encode(sealKey))
        return "mimikey://authorize?" + query.encoded
    }

    /// The members of a callback's query. [D]
    enum Callback {
        static let state = "state"
        static let code = "code"
        static let error = "error"

        /// [D] The person said no on the consent card.
        static let accessDenied = ErrorCode("access_denied")
        /// [ours] Longer codes are refused.
        static let longestCode = 2048
    }

    /// The body that spends a code. [D] names and layout.
    static func exchangeBody(
        clientID: String, code: String, redirectURI: String, verifier: borrowing Secret, secret: ClientSecret?
    ) -> [UInt8] {
        JSON.object(
            [
                .init("grant_type", "authorization_code"),
                .init("client_id", .string(clientID)),
                .init("code", .string(code)),
                .init("redirect_uri", .string(redirectURI)),
                .init("code_verifier", text(verifier)),
            ] + members(of: secret)
        ).encoded()
    }

    /// The body that spends a refresh token. [D] names, [A] layout.
    static func refreshBody(clientID: String, refreshToken: borrowing Secret, secret: ClientSecret?) -> [UInt8] {
        JSON.object(
            [
                .init("grant_type", "refresh_token"),
                .init("client_id", .string(clientID)),
                .init("refresh_token", text(refreshToken)),
            ] + members(of: secret)
        ).encoded()
    }

    /// [D] The name; [D] a public client that sends one is refused.
    static func members(of secret: ClientSecret?) -> [JSON.Member] {
        guard let secret else { return [] }
        return [.init("client_secret", text(secret.secret))]
    }

    static func text(_ secret: borrowing Secret) -> JSON {
        .string(String(decoding: secret.exposed(), as: UTF8.self))
    }
}
