package import Core
import Strongbox

extension MimiKeyClient {
    /// Makes new keys, verifier and state, and the deep link that shows the consent card. A second one cancels the
    /// first. The grant in use stays in use until a new one is stored.
    package func beginAuthorization() throws(Problem) -> AuthorizationStatus {
        expireOverdue()
        for index in flows.indices where flows[index].canBeCancelled { flows[index].finish(.cancelled, nil) }
        let secrets = AuthorizationSecrets()
        guard let challenge = PKCE.challenge(for: secrets.verifier.exposed()) else {
            throw Problem(.internalError, "The PKCE verifier is none.")
        }
        let state = Base64URL.encode(Randomness.bytes(16))
        let url = Wire.authorizeURL(
            clientID: configuration.clientID, redirectURI: configuration.redirectURI, state: state,
            challenge: challenge, approvalKey: secrets.approvalKey.publicKey, sealKey: secrets.sealKey.publicKey)
        let status = AuthorizationStatus(
            id: "auth_" + Base64URL.encode(Randomness.bytes(16)), url: url,
            expiresAt: time.wall() + configuration.authorizeTimeout, state: .waiting)
        flows.append(
            AuthorizationFlow(
                status: status, phase: .waiting(secrets), deadline: time.now() + configuration.authorizeTimeout,
                state: Array(state.utf8)))
        if flows.count > Self.remembered { flows.removeFirst() }
        return status
    }

    /// [ours] Authorizations that can still be looked up.
    private static let remembered = 16

    package func authorization(_ id: String) -> AuthorizationStatus? {
        expireOverdue()
        return flows.first { $0.status.id == id }?.status
    }

    /// Is it the person who is waited for?
    package func awaitsCallback(_ id: String) -> Bool {
        expireOverdue()
        guard let index = index(of: id), case .waiting = flows[index].phase else { return false }
        return true
    }

    /// Returns when it is no longer waiting, at the latest at `until`.
    package func waitForAuthorization(_ id: String, until: Instant) async -> AuthorizationStatus? {
        while let status = authorization(id), status.state == .waiting, time.now() < until, !Task.isCancelled {
            guard let index = index(of: id) else { return nil }
            let wakeup = Wakeup()
            flows[index].watchers.append(wakeup)
            var limit = until
            if case .waiting = flows[index].phase { limit = min(limit, flows[index].deadline) }
            _ = await wakeup.wait(until: limit, on: time)
            if let index = self.index(of: id) { flows[index].watchers.removeAll { $0 === wakeup } }
        }
        return authorization(id)
    }

    /// Gives the state it is in afterwards: one that has ended, or whose grant is being stored, stays as it is.
    package func cancelAuthorization(_ id: String) -> AuthorizationStatus? {
        expireOverdue()
        guard let index = index(of: id) else { return nil }
        if flows[index].canBeCancelled { flows[index].finish(.cancelled, nil) }
        return flows[index].status
    }

    func index(of id: String) -> Int? { flows.firstIndex { $0.status.id == id } }

    func expireOverdue() {
        let now = time.now()
        for index in flows.indices where flows[index].isOverdue(at: now) { flows[index].finish(.expired, .expired) }
    }

    func finish(_ id: String, _ state: AuthorizationStatus.State, _ error: ErrorCode? = nil) {
        guard let index = index(of: id) else { return }
        flows[index].finish(state, error)
        log(
            LogEvent(
                state == .failed ? .warning : .info, "an authorization ended",
                [(.status, .string(state.rawValue)), (.code, .code(error))]))
    }
}
