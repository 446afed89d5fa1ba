import Core

/// What makes two asks one wish: the same caller and user, operation, vault, and what the operation is about. Not the
/// reason, and not what is wanted.
struct JoinKey: Hashable, Sendable {
    private let caller: CallerName
    /// The card names the user, so another user's wish is another one.
    private let uid: UInt32?
    private let wish: Wish

    private enum Wish: Hashable {
        case pick(vault: String?, url: String?, title: String?, kind: String?)
        case get(vault: String?, item: String?)
        /// MimiKey itself joins new items for one vault and host, whatever else is said of them.
        case create(Place)
        /// Without a host it joins nothing.
        case createAnywhere(vault: String?, kind: String?, prefill: Prefill)
        case update(vault: String?, item: String?, patch: String?)
    }

    private struct Place: Hashable {
        let vault: String?
        let host: HostName
    }

    init(_ call: Call) {
        caller = call.caller
        uid = call.uid
        wish =
            switch call.op {
            case .pickItem:
                .pick(
                    vault: call.vaultID, url: call.hint.url.map(Self.normalised),
                    title: call.hint.title.map(Self.normalisedTitle), kind: call.hint.kind)
            case .getItem: .get(vault: call.vaultID, item: call.itemID)
            case .createItem: Self.creation(call)
            case .updateItem: .update(vault: call.vaultID, item: call.itemID, patch: call.patch?.fingerprint)
            }
    }

    /// Would MimiKey show somebody the card of somebody else for this?
    func meets(_ other: JoinKey) -> Bool {
        switch (wish, other.wish) {
        case (.create(let place), .create(let otherPlace)): place == otherPlace && self != other
        case (.create, _), (.createAnywhere, _), (.pick, _), (.get, _), (.update, _): false
        }
    }

    private static func creation(_ call: Call) -> Wish {
        if let host = call.prefill.url.flatMap({ HostName(ofURL: $0) }) {
            return .create(Place(vault: call.vaultID, host: host))
        }
        return .createAnywhere(
            vault: call.vaultID, kind: call.kind,
            prefill: Prefill(
                title: call.prefill.title.map(normalisedTitle), url: call.prefill.url.map(normalised),
                usernameHint: call.prefill.usernameHint))
    }

    /// Host in lower case, port and path; without scheme, query, fragment and closing slash.
    private static func normalised(_ url: String) -> String {
        var rest = Substring(url)
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        while rest.last == "/" { rest = rest.dropLast() }
        let authority = rest.prefix { $0 != "/" }
        return authority.lowercased() + rest[authority.endIndex...]
    }

    private static func normalisedTitle(_ title: String) -> String {
        title.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
