import Core

/// Decides what follows a refused call: each remedy is tried once, and only for the code that asks for it.
struct CallAttempts: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Get another access token, then sign and send again.
        case refresh
        /// Learn the server's time from this answer, then sign and send again.
        case learnTime
        /// Sign and send again, with a new nonce.
        case signAnew
        /// The grant is gone.
        case revoked
        /// The clock was corrected and is refused again.
        case clockSkew
        /// Nothing to be done here.
        case fail
    }

    private var refreshed = false
    private var learntTime = false
    private var signedAnew = false

    mutating func step(after refusal: Refusal) -> Step {
        guard let code = refusal.code else { return .fail }
        if Wire.Code.revoked.contains(code) { return .revoked }
        switch code {
        case Wire.Code.tokenExpired where refusal.status == 401:
            return Self.once(&refreshed, .refresh, else: .fail)
        case Wire.Code.invalidToken where refusal.status == 401:
            return Self.once(&refreshed, .refresh, else: .revoked)
        case Wire.Code.timestampOutOfWindow:
            return Self.once(&learntTime, .learnTime, else: .clockSkew)
        case Wire.Code.nonceReplayed:
            return Self.once(&signedAnew, .signAnew, else: .fail)
        default:
            return .fail
        }
    }

    private static func once(_ used: inout Bool, _ step: Step, else other: Step) -> Step {
        if used { return other }
        used = true
        return step
    }
}
