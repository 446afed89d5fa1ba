/// What the matchers of a rule look at: of a call before its card, or of the chosen item at release.
struct RuleFacts: Hashable, Sendable {
    enum Fact: Hashable, Sendable {
        case known(String)
        /// It will be known at release, where it is decided: until then it matches.
        case unknown
        /// There is none, or it would have to be known by now: it matches nothing that is named.
        case none
    }

    enum Site: Hashable, Sendable {
        case known(HostName)
        /// As `Fact.unknown`.
        case unknown
        /// The item has no URL, or none with a host.
        case none
        /// The ask could have said it, and did not.
        case missing
        /// The ask says something that is no URL with a host.
        case unreadable
    }

    let vault: Fact
    let item: Fact
    let kind: Fact
    let site: Site

    /// Before the card. Reads and picks are decided again at release, so what is not known yet passes. A new item is in no
    /// list of items; and of an update nothing comes back that could be looked at later.
    init(asking call: Call) {
        vault = Fact(call.vaultID, else: .unknown)
        switch call.op {
        case .pickItem:
            item = .unknown
            kind = Fact(call.hint.kind, else: .unknown)
            site = Site(asked: call.hint.url)
        case .getItem:
            item = Fact(call.itemID, else: .none)
            kind = .unknown
            site = .unknown
        case .createItem:
            item = .none
            kind = Fact(call.kind, else: .none)
            site = Site(asked: call.prefill.url)
        case .updateItem:
            item = Fact(call.itemID, else: .none)
            kind = .none
            site = .none
        }
    }

    /// At release. What the item does not say itself is what was asked for, and nothing is unknown any more.
    init(releasing facts: ItemFacts, for call: Call) {
        vault = Fact(facts.vaultID ?? call.vaultID, else: .none)
        item = Fact(facts.itemID, else: .none)
        kind = Fact(facts.kind ?? call.kind, else: .none)
        site = facts.url.flatMap { HostName(ofURL: $0) }.map(Site.known) ?? .none
    }
}

extension RuleFacts.Fact {
    fileprivate init(_ value: String?, else other: Self) { self = value.map(Self.known) ?? other }

    func matches(_ names: Set<String>?) -> Bool {
        guard let names else { return true }
        switch self {
        case .known(let name): return names.contains(name)
        case .unknown: return !names.isEmpty
        case .none: return false
        }
    }
}

extension RuleFacts.Site {
    fileprivate init(asked url: String?) {
        self = url.map { HostName(ofURL: $0).map(Self.known) ?? .unreadable } ?? .missing
    }
}

/// Why a rule does not match, in the order in which its matchers are looked at: a later reason came nearer to a match.
enum Mismatch: Int, Hashable, Sendable {
    case vault, item, kind, host, unreadableURL, missingURL
}

extension Rule {
    /// `nil` when all of its matchers match; `ops` is not looked at.
    func mismatch(_ facts: RuleFacts, granted: [Vault]) -> Mismatch? {
        if !facts.vault.matches(vaultIDs(among: granted)) { return .vault }
        if !facts.item.matches(items) { return .item }
        if !facts.kind.matches(kinds) { return .kind }
        guard let hosts else { return nil }
        switch facts.site {
        case .known(let host): return hosts.contains { $0.matches(host) } ? nil : .host
        case .unknown: return nil
        case .none: return .host
        case .missing: return .missingURL
        case .unreadable: return .unreadableURL
        }
    }
}
