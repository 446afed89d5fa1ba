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
