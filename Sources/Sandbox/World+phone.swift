import Core

/// The phone: what happens when a `mimikey://` URL is opened on it.
extension World {
    /// The redirect URL that the app returns to; `nil` while there is nothing to return with.
    /// Throws `invalid_input` for what is no URL of ours.
    mutating func open(_ url: String, at now: UnixTime) throws(Refusal) -> String? {
        guard url.utf8.count <= 8192 else { throw .invalidInput }
        if let query = World.query(of: url, after: "mimikey://authorize?") { return consent(query, at: now) }
        if let query = World.query(of: url, after: "mimikey://request?") { return card(query, at: now) }
        throw .invalidInput
    }

    /// Shows the consent card. The person decides at once, whatever delay the script has for requests; the one who waits
    /// for the control door has consented by opening the link through it; the one who never taps gives no answer.
    private mutating func consent(_ query: QueryString, at now: UnixTime) -> String? {
        let redirectURI = query.value("redirect_uri")
        let state = query.value("state")
        let client = query.value("client_id").flatMap { clients[$0] }
        guard let (_, link) = try? checkedLink(AuthorizeParameters(query)), let state, !state.isEmpty else {
            let isRegistered = client.map { client in redirectURI.map(client.redirectURIs.contains) ?? false } ?? false
            guard let redirectURI, isRegistered || World.isLoopback(redirectURI) else { return nil }
            return World.callback(redirectURI, [("error", "invalid_request"), ("state", state)])
        }
        switch consents() {
        case .allows:
            let code = newCode(for: link, vaults: SampleVault.samples, accountID: Session.account, at: now)
            return World.callback(link.redirectURI, [("code", code), ("state", state)])
        case .denies: return World.callback(link.redirectURI, [("error", "access_denied"), ("state", state)])
        case .isSignedOut: return World.callback(link.redirectURI, [("error", "not_signed_in"), ("state", state)])
        case .ignores: return nil
        }
    }

    private enum Answer {
        case allows
        case denies
        case ignores
        case isSignedOut
    }

    private func consents() -> Answer {
        switch (person.taps, person.consent) {
        case (.notSignedIn, _): .isSignedOut
        case (_, .allow), (.approve, .asCards), (.conflict, .asCards), (.manual, .asCards): .allows
        case (_, .deny), (.deny, .asCards): .denies
        case (.expire, .asCards): .ignores
        }
    }

    /// Shows the card of a request, and has the device carry out a read that needs no tap.
    private mutating func card(_ query: QueryString, at now: UnixTime) -> String? {
        let state = query.value("state")
        guard let id = query.value("request_id"), let grantID = requests[id]?.grantID, let grant = grants[grantID]
        else {
            guard let redirectURI = query.value("client_id").flatMap({ clients[$0]?.redirectURIs.first }) else {
                return nil
            }
            return World.callback(
                redirectURI,
                [("request_id", query.value("request_id")), ("state", state), ("error", "request_not_found")])
        }
        settle(grantID, at: now)
        if person.taps == .notSignedIn, requests[id]?.state.isFinal == false {
            return World.callback(
                grant.redirectURI, [("request_id", id), ("state", state), ("error", "not_signed_in")])
        }
        requests.update(id) { $0.wasShown = true }
        if requests[id]?.state == .approved {
            try? tap(.approve(itemID: nil, savesOutside: false), on: id, at: now)
        }
        guard let request = requests[id], request.state.isFinal else { return nil }
        return World.callback(
            grant.redirectURI, [("request_id", id), ("state", state), ("status", request.state.name)])
    }

    private static func query(of url: String, after prefix: String) -> QueryString? {
        guard url.hasPrefix(prefix) else { return nil }
        return QueryString(parsing: String(url.dropFirst(prefix.count)))
    }

    private static func callback(_ redirectURI: String, _ pairs: [(String, String?)]) -> String {
        var query = QueryString()
        for (name, value) in pairs {
            if let value { query.append(name, value) }
        }
        return redirectURI + (redirectURI.contains("?") ? "&" : "?") + query.encoded
    }

    /// An error may go back to a URL that is not registered only when it stays on this machine.
    private static func isLoopback(_ redirectURI: String) -> Bool {
        ["http://127.0.0.1:", "http://127.0.0.1/", "http://[::1]:", "http://[::1]/"]
            .contains { redirectURI.hasPrefix($0) }
    }
}
