import Core
import Strongbox

/// What `mimikey://authorize?…` asks for, checked as the app and its service check it.
struct AuthorizeLink: Hashable, Sendable {
    let clientID: String
    let redirectURI: String
    let state: String
    let codeChallenge: String
    /// Ed25519, 32 bytes.
    let approvalKey: [UInt8]
    /// X25519, 32 bytes that can be sealed to.
    let sealKey: [UInt8]

    /// `nil` when something is missing, there twice, or not what it should be.
    init?(_ query: QueryString) {
        guard let clientID = query.value("client_id"), let redirectURI = query.value("redirect_uri"),
            let state = query.value("state"), !state.isEmpty,
            query.value("code_challenge_method") == "S256",
            let challenge = query.value("code_challenge"), Wire.challengeLengths.contains(challenge.utf8.count),
            challenge.utf8.allSatisfy(\.isBase64URLCharacter),
            let approvalKey = query.value("approval_key").flatMap(Wire.key),
            let sealKey = query.value("seal_key").flatMap(Wire.key),
            (try? SealedBox.seal([], to: sealKey, info: Wire.resultInfo, aad: [])) != nil
        else { return nil }
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.state = state
        codeChallenge = challenge
        self.approvalKey = approvalKey
        self.sealKey = sealKey
    }
}
