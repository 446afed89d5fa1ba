import Core
import Strongbox

/// What became of a refresh token that was offered.
enum RefreshOutcome: ~Copyable {
    /// The server rotated: these are the new tokens.
    case rotated(TokenAnswer)
    /// The server certainly did not rotate, so the token may be offered again. `ours`: the request itself was at fault.
    case notRotated(Problem, ours: Bool, retryAfter: Duration?)
    /// Nobody knows; the code says what came instead of an answer that can be used.
    case unknown(ErrorCode)
    /// The grant is gone.
    case revoked(ErrorCode)

    init(_ failure: SendFailure) {
        let problem = failure.problem
        self = failure.bytesMayHaveLeft ? .unknown(problem.code) : .notRotated(problem, ours: false, retryAfter: nil)
    }

    init(_ response: InboundResponse, of grant: StoredGrant, now: UnixTime) {
        if response.status.isSuccess {
            self = Self.reading(response.body, of: grant)
            return
        }
        let refusal = Refusal(response, now: now)
        if let code = refusal.code {
            let passing = refusal.status.code >= 500 || refusal.status.code == 429
            self =
                Wire.Code.revoked.contains(code)
                ? .revoked(code) : .notRotated(refusal.problem, ours: !passing, retryAfter: refusal.retryAfter)
        } else if Wire.plainTextRefusals.contains(refusal.status.code) {
            self = .notRotated(refusal.problem, ours: true, retryAfter: refusal.retryAfter)
        } else {
            self = .unknown(refusal.problem.code)
        }
    }

    /// A 2xx that cannot be used has most likely rotated all the same.
    private static func reading(_ body: [UInt8], of grant: StoredGrant) -> RefreshOutcome {
        do {
            let answer = try TokenAnswer(reading: body)
            if let id = answer.grantID, id != grant.grantID { return .unknown(.malformedResponse) }
            if let print = answer.fingerprint, print != grant.approvalKey.fingerprint.sha256 {
                return .unknown(.fingerprintMismatch)
            }
            return .rotated(answer)
        } catch {
            return .unknown(error.code)
        }
    }
}
