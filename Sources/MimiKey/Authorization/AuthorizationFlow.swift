import Core
import Strongbox

/// One authorization, from the deep link to its end.
struct AuthorizationFlow: Sendable {
    enum Phase: Sendable {
        /// For the callback. Goes on to `exchanging` or `finished`.
        case waiting(AuthorizationSecrets)
        /// The code is being spent. Goes on to `storing` or `finished`.
        case exchanging(Task<Void, Never>)
        /// The new grant is being written down: it cannot be cancelled any more.
        case storing
        case finished
    }

    var status: AuthorizationStatus
    var phase: Phase
    let deadline: Instant
    /// The `state` that its callback carries.
    let state: [UInt8]
    /// Who waits for its end.
    var watchers: [Wakeup] = []

    /// The callback came too late. One that came in time may still be exchanged after the deadline.
    func isOverdue(at now: Instant) -> Bool {
        if case .waiting = phase { now >= deadline } else { false }
    }

    var canBeCancelled: Bool {
        switch phase {
        case .waiting, .exchanging: true
        case .storing, .finished: false
        }
    }

    mutating func finish(_ state: AuthorizationStatus.State, _ error: ErrorCode?) {
        status.state = state
        status.error = error
        phase = .finished
        for watcher in watchers { watcher.signal() }
        watchers = []
    }
}

/// The keys and the PKCE verifier of one authorization. They are new for each, and go when it ends without a grant.
final class AuthorizationSecrets: Sendable, Redacted {
    let approvalKey = ApprovalKey()
    let sealKey = SealKey()
    let verifier = PKCE.makeVerifier()
}
