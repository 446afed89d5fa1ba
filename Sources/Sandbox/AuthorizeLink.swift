import Core
import Strongbox

/// What `mimikey://authorize?…`, and the app's own calls about it, say: unchecked.
struct AuthorizeParameters: Hashable, Sendable {
    var clientID: String?
    var redirectURI: String?
    var state: String?
    var codeChallenge: String?
    var codeChallengeMethod: String?
    var approvalKey: String?
    var sealKey: String?

    /// A parameter that is there twice is none.
    init(_ query: QueryString) {
        clientID = query.value("client_id")
        redirectURI = query.value("redirect_uri")
        state = query.value("state")
        codeChallenge = query.value("code_challenge")
        codeChallengeMethod = query.value("code_challenge_method")
        approvalKey = query.value("approval_key")
        sealKey = query.value("seal_key")
    }

    init(_ body: JSONValue) throws(Refusal) {
        clientID = try body.text("client_id", orRefuse: .wrongStructure)
        redirectURI = try body.text("redirect_uri", orRefuse: .wrongStructure)
        state = try body.text("state", orRefuse: .wrongStructure)
        codeChallenge = try body.text("code_challenge", orRefuse: .wrongStructure)
        codeChallengeMethod = try body.text("code_challenge_method", orRefuse: .wrongStructure)
        approvalKey = try body.text("approval_key", orRefuse: .wrongStructure)
        sealKey = try body.text("seal_key", orRefuse: .wrongStructure)
    }
}

/// The same, checked as the app and its service check it.
struct AuthorizeLink: Hashable, Sendable {
    let clientID: String
    let redirectURI: String
    let state: String?
    /// A confidential client may do without.
    let codeChallenge: String?
    /// Ed25519, 32 bytes.
    let approvalKey: [UInt8]
    /// X25519, 32 bytes that can be sealed to.
    let sealKey: [UInt8]

    /// In the order of the documents' table, once the client was found.
    init(_ given: AuthorizeParameters, of client: Client) throws(Refusal) {
        guard client.standing == .active else { throw .clientDisabled }
        guard let redirectURI = given.redirectURI, client.redirectURIs.contains(redirectURI) else {
            throw .redirectURIMismatch
        }
        guard let approvalKey = given.approvalKey.flatMap(Wire.key) else { throw .invalidApprovalKey }
        sealKey = try AuthorizeLink.sealKey(given, of: client)
        codeChallenge = try AuthorizeLink.challenge(given, of: client)
        clientID = client.id
        self.redirectURI = redirectURI
        state = given.state
        self.approvalKey = approvalKey
    }

    /// A confidential client may have registered one.
    private static func sealKey(_ given: AuthorizeParameters, of client: Client) throws(Refusal) -> [UInt8] {
        guard let text = given.sealKey else {
            guard case .confidential = client.kind, let registered = client.sealKey else { throw .sealKeyRequired }
            return registered
        }
        guard let key = Wire.key(text),
            (try? SealedBox.seal([], to: key, info: Wire.resultInfo, aad: [])) != nil
        else { throw .invalidPublicKey }
        return key
    }

    private static func challenge(_ given: AuthorizeParameters, of client: Client) throws(Refusal) -> String? {
        guard let challenge = given.codeChallenge else {
            guard case .confidential = client.kind else { throw .codeChallengeRequired }
            return nil
        }
        guard given.codeChallengeMethod == "S256", Wire.challengeLengths.contains(challenge.utf8.count),
            challenge.utf8.allSatisfy(\.isBase64URLCharacter)
        else { throw .invalidCodeChallenge }
        return challenge
    }
}
