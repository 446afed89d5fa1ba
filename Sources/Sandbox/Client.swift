import Strongbox

/// A registered third party.
struct Client: Sendable {
    enum Kind: Sendable {
        /// No secret; proves itself with PKCE and signatures.
        case `public`
        case confidential(secret: String)
    }

    enum Standing: Sendable {
        case active
        case disabledByPlatform
        case disabledByDeveloper
    }

    let id: String
    let kind: Kind
    let redirectURIs: [String]
    var name = "A client"
    /// Who registered it.
    var ownerID = Session.account
    /// X25519, 32 bytes: stands in where a confidential client sends none.
    var sealKey: [UInt8]?
    var standing: Standing = .active

    /// Is the secret that came (or did not) the one this client must send?
    func check(secret: String?) throws(Refusal) {
        switch kind {
        case .public:
            if secret != nil { throw .invalidClient }
        case .confidential(let expected):
            guard let secret, ConstantTime.areEqual(Array(secret.utf8), Array(expected.utf8)) else {
                throw .invalidClientSecret
            }
        }
    }
}
