import Core

/// The paths of the API.
enum Route: Hashable, Sendable {
    case clients
    case client(id: String)
    case authorizeInfo
    case authorize
    case token
    case revoke
    case account
    case vaults
    case requests
    case request(id: String)
    case cancel(id: String)
    case patch(id: String)

    /// `nil` for a path that is none of ours. Ids are percent-decoded once.
    init?(path: String) {
        let prefix = "/api/oauth/"
        guard path.hasPrefix(prefix) else { return nil }
        let parts = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("clients", 1): self = .clients
        case ("clients", 2):
            guard let id = Route.decoded(parts[1]), !id.isEmpty else { return nil }
            self = .client(id: id)
        case ("authorize", 1): self = .authorize
        case ("authorize", 2) where parts[1] == "info": self = .authorizeInfo
        case ("token", 1): self = .token
        case ("revoke", 1): self = .revoke
        case ("account", 1): self = .account
        case ("vaults", 1): self = .vaults
        case ("requests", 1): self = .requests
        case ("requests", 2...3):
            guard let id = Route.decoded(parts[1]), !id.isEmpty else { return nil }
            switch parts.dropFirst(2).first {
            case nil: self = .request(id: id)
            case "cancel": self = .cancel(id: id)
            case "patch": self = .patch(id: id)
            case .some: return nil
            }
        default: return nil
        }
    }

    var method: HTTPMethod {
        switch self {
        case .clients, .authorize, .token, .revoke, .requests, .cancel: .post
        case .authorizeInfo, .account, .vaults, .request: .get
        case .client: .delete
        case .patch: .put
        }
    }

    /// The path with `{id}` in the place of an id.
    var pattern: String {
        switch self {
        case .clients: "/api/oauth/clients"
        case .client: "/api/oauth/clients/{id}"
        case .authorizeInfo: "/api/oauth/authorize/info"
        case .authorize: "/api/oauth/authorize"
        case .token: "/api/oauth/token"
        case .revoke: "/api/oauth/revoke"
        case .account: "/api/oauth/account"
        case .vaults: "/api/oauth/vaults"
        case .requests: "/api/oauth/requests"
        case .request: "/api/oauth/requests/{id}"
        case .cancel: "/api/oauth/requests/{id}/cancel"
        case .patch: "/api/oauth/requests/{id}/patch"
        }
    }

    /// Signed with the approval key.
    var isSigned: Bool {
        switch self {
        case .account, .vaults, .requests, .request, .cancel, .patch, .revoke: true
        case .clients, .client, .authorizeInfo, .authorize, .token: false
        }
    }

    /// Its answer is a request.
    var answersRequest: Bool {
        switch self {
        case .requests, .request, .cancel, .patch: true
        case .clients, .client, .authorizeInfo, .authorize, .token, .revoke, .account, .vaults: false
        }
    }

    /// The person's own calls: a page of the service may make them.
    var isOfUser: Bool {
        switch self {
        case .clients, .client, .authorizeInfo, .authorize: true
        case .token, .revoke, .account, .vaults, .requests, .request, .cancel, .patch: false
        }
    }

    private static func decoded(_ part: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
