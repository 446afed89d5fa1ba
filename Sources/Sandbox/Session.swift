import Core

/// Somebody who is signed in on a device of theirs, as the MimiKey apps are; or an operator of the platform.
struct Session: Sendable {
    enum Device: Sendable {
        case current
        /// Revoked, or its key was changed.
        case revokedOrRotated
    }

    let accountID: String
    let expiresAt: UnixTime
    var device = Device.current

    static let userField: HTTPFieldName = "x-sandbox-session"
    static let operatorField: HTTPFieldName = "x-sandbox-operator"

    /// Whose vaults the sandbox shows.
    static let account = "acc_sandbox"
    /// Somebody else, for what is not theirs.
    static let otherAccount = "acc_other"
}

extension World {
    /// The account of who is signed in: of a page of ours or of a program, with a session, on a device that still counts.
    func signedIn(_ call: APICall, at now: UnixTime) throws(Refusal) -> String {
        guard !Door.isForeignPage(call.fields) else { throw .untrustedOrigin }
        guard let token = call.fields.text(Session.userField), let session = sessions[token], now < session.expiresAt
        else { throw .locked }
        switch session.device {
        case .current: return session.accountID
        case .revokedOrRotated: throw .deviceRevokedOrRotated
        }
    }

    func checkOperator(_ call: APICall, at now: UnixTime) throws(Refusal) {
        guard let token = call.fields.text(Session.operatorField), let session = operators[token],
            now < session.expiresAt
        else { throw .adminLocked }
    }

    /// `{"account"?,"lifetime_seconds"?}`: signs somebody in.
    mutating func makeSession(_ call: APICall, at now: UnixTime) throws(Refusal) -> Session {
        let body = call.body.isEmpty ? nil : try call.signedBody()
        let account = try body?.text("account", orRefuse: .invalidInput) ?? Session.account
        let lifetime = body?["lifetime_seconds"].map { $0.integer ?? -1 } ?? 3600
        guard account == Session.account || account == Session.otherAccount, (0...86_400).contains(lifetime) else {
            throw .invalidInput
        }
        return Session(accountID: account, expiresAt: now + .seconds(lifetime))
    }
}
