import Core

/// The checks that come before everything else: is this request from a program on this machine that means us, and not
/// from a web page, another name for our address, or a proxy?
///
/// They look at the head alone, in this order, and know nothing of routes, tokens or bodies.
struct Door: Sendable {
    private let listeners: [Listener]

    init(listeners: [Listener]) { self.listeners = listeners }

    /// - Parameter isCallback: the path is one that a browser may come to from another site.
    func admit(_ head: RequestHead, peer: Peer, isCallback: Bool) throws(Problem) {
        let host = try checkHost(head.fields, peer.door)
        try checkOrigin(head.fields, host, peer.door)
        try checkFetchMetadata(head.fields, isCallback: isCallback)
        try checkForwarded(head.fields)
    }

    /// Gives the `Host` in lower case.
    private func checkHost(_ fields: HTTPFields, _ door: ListenAddress) throws(Problem) -> String {
        let value = fields.values("host")
        guard value.count == 1, let host = String(validating: value[0].map(\.asciiLowercased), as: UTF8.self) else {
            throw Self.hostNotAllowed
        }
        switch door {
        case .unix:
            // curl says `localhost`, others nothing or `_`.
            guard host.isEmpty || host == "localhost" || host == "_" else { throw Self.hostNotAllowed }
        case .tcp(let address):
            guard isOwn(host, of: address) else { throw Self.hostNotAllowed }
        }
        return host
    }

    /// The loopback names with the listener's port, its literal address, and what the configuration adds.
    private func isOwn(_ host: String, of address: TCPAddress) -> Bool {
        if extraHosts(of: address).contains(host) { return true }
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...] == String(address.port) else {
            return false
        }
        let name = host[..<colon]
        if name == "127.0.0.1" || name == "[::1]" || name == "localhost" { return true }
        return !address.ip.isUnspecified && host == address.description
    }

    /// A listener that is configured with port 0 is known by its address alone: the bound port is a chosen one.
    private func extraHosts(of bound: TCPAddress) -> Set<String> {
        listeners.first { $0.address == bound || ($0.address.port == 0 && $0.address.ip == bound.ip) }?.hosts ?? []
    }

    /// A page of ours has the listener's own origin; no other page has anything to ask here.
    private func checkOrigin(_ fields: HTTPFields, _ host: String, _ door: ListenAddress) throws(Problem) {
        let origins = fields.values("origin")
        guard !origins.isEmpty else { return }
        guard case .tcp = door, origins.count == 1, origins[0] == Array("http://\(host)".utf8) else {
            throw Self.originNotAllowed
        }
    }

    private func checkFetchMetadata(_ fields: HTTPFields, isCallback: Bool) throws(Problem) {
        guard fields.contains("sec-fetch-site") else { return }
        switch fields.text("sec-fetch-site") {
        case "none", "same-origin": return
        case "cross-site", "same-site":
            guard isCallback else { throw Self.originNotAllowed }
            let hasNeither = !fields.contains("sec-fetch-mode") && !fields.contains("sec-fetch-dest")
            let isNavigation =
                fields.text("sec-fetch-mode") == "navigate" && fields.text("sec-fetch-dest") == "document"
            guard hasNeither || isNavigation else { throw Self.originNotAllowed }
        default: throw Self.originNotAllowed
        }
    }

    private func checkForwarded(_ fields: HTTPFields) throws(Problem) {
        let isForwarded = fields.lines.contains { line in
            switch line.name.canonical {
            case "forwarded", "via", "x-real-ip": true
            case let name: name.hasPrefix("x-forwarded-")
            }
        }
        guard !isForwarded else {
            throw Problem(.forwarded, "The request came through a proxy; callers talk to the gateway directly.")
        }
    }

    private static let hostNotAllowed = Problem(
        .hostNotAllowed,
        "The Host field does not name this listener; use the address that it listens on, or add the name to `hosts`.")
    private static let originNotAllowed = Problem(
        .originNotAllowed,
        "A page of another origin may not ask here; let a program ask, which sends no Origin and no Sec-Fetch field.")
}
