import Core
import Testing

@testable import MimiKey

/// What follows a refused call.
struct CallAttemptsTests {
    private func refusal(_ status: Int, _ code: String?) -> Refusal {
        Refusal(status: HTTPStatus(code: status), code: code.map(ErrorCode.init))
    }

    private func steps(_ refusals: (Int, String?)...) -> [CallAttempts.Step] {
        var attempts = CallAttempts()
        return refusals.map { attempts.step(after: refusal($0.0, $0.1)) }
    }

    @Test func `TK-19 an access token that is refused is refreshed once`() {
        #expect(steps((401, "token_expired"), (401, "token_expired")) == [.refresh, .fail])
    }

    @Test func `TK-19 an access token that is unknown after a refresh is a revoked grant`() {
        #expect(steps((401, "invalid_token"), (401, "invalid_token")) == [.refresh, .revoked])
        #expect(steps((401, "token_expired"), (401, "invalid_token")) == [.refresh, .revoked])
    }

    @Test func `TK-19 a 403 never triggers a refresh, nor does a 401 without a code`() {
        #expect(steps((403, "token_expired"), (403, "invalid_token"), (401, nil)) == [.fail, .fail, .fail])
    }

    @Test func `SG-10 a nonce that was seen is answered with a new one, once`() {
        #expect(steps((401, "nonce_replayed"), (401, "nonce_replayed")) == [.signAnew, .fail])
    }

    @Test func `SG-07 the server's time is learnt once, then it is clock skew`() {
        #expect(
            steps((401, "timestamp_out_of_window"), (401, "timestamp_out_of_window")) == [.learnTime, .clockSkew])
    }

    @Test func `each remedy is counted by itself`() {
        #expect(
            steps((401, "nonce_replayed"), (401, "token_expired"), (401, "timestamp_out_of_window"), (500, nil))
                == [.signAnew, .refresh, .learnTime, .fail])
    }

    @Test(arguments: [
        "grant_revoked", "client_disabled", "refresh_token_reused", "invalid_refresh_token", "refresh_expired",
        "invalid_client", "invalid_client_secret",
    ])
    func `TK-11 the codes of a revoked grant are so with any status`(_ code: String) {
        #expect(steps((401, code)) == [.revoked])
        #expect(steps((403, code)) == [.revoked])
    }

    @Test(arguments: [
        "vault_not_granted", "signature_invalid", "invalid_grant", "signature_required", "database_error",
    ])
    func `other codes are handed on`(_ code: String) {
        #expect(steps((400, code)) == [.fail])
    }
}

/// What a poll without an answer means for the wait.
struct PollVerdictTests {
    private func verdict(_ status: Int, _ code: String?, age: Int64 = 60) -> PollVerdict {
        PollVerdict(
            on: .refused(Refusal(status: HTTPStatus(code: status), code: code.map(ErrorCode.init))), age: .seconds(age))
    }

    private func isFinal(_ verdict: PollVerdict) -> Bool { if case .final = verdict { true } else { false } }

    @Test func `AP-18 a 404 is final only from 10 s on`() {
        #expect(verdict(404, "request_not_found", age: 9) == .answered(retryAfter: nil))
        #expect(verdict(404, nil, age: 9) == .answered(retryAfter: nil))
        #expect(isFinal(verdict(404, "request_not_found", age: 10)))
    }

    @Test func `AP-03 deleted requests and refusals end the wait`() {
        #expect(isFinal(verdict(410, nil)))
        #expect(isFinal(verdict(403, "vault_not_granted")))
    }

    @Test func `SG-10 two nonces that were seen end the wait`() {
        #expect(isFinal(verdict(401, "nonce_replayed")))
        #expect(!isFinal(verdict(401, "token_expired")))
    }

    @Test func `AP-18 AP-03 what is gone is final at once`() {
        #expect(isFinal(verdict(410, "request_not_found", age: 0)))
    }

    @Test(arguments: [500, 502, 503, 429, 401, 301])
    func `what may pass does not end the wait`(_ status: Int) {
        #expect(verdict(status, nil) == .answered(retryAfter: nil))
    }

    @Test func `only transport failures count as failures`() {
        #expect(PollVerdict(on: .transport(.resetAfterSending), age: .zero) == .failed)
        #expect(PollVerdict(on: .ours(Problem(.upstreamUnreachable, "")), age: .zero) == .failed)
        // As when the access token has to be renewed while the certificate is bad.
        for fault in TLSFault.allCases {
            let failure = SendFailure(.tls(fault), bytesMayHaveLeft: false)
            #expect(PollVerdict(on: .transport(failure), age: .zero) == .failed)
            #expect(PollVerdict(on: .ours(failure.problem), age: .zero) == .failed, "\(fault)")
        }
        #expect(PollVerdict(on: .ours(Problem(.malformedResponse, "")), age: .zero) == .answered(retryAfter: nil))
        #expect(isFinal(PollVerdict(on: .ours(Problem(.revoked, "")), age: .zero)))
        #expect(isFinal(PollVerdict(on: .ours(Problem(.refreshUnknown, "")), age: .zero)))
        #expect(isFinal(PollVerdict(on: .transport(SendFailure(.cancelled, bytesMayHaveLeft: true)), age: .zero)))
    }
}

/// What a failure of the connection is called outside.
struct TransportProblemTests {
    @Test(arguments: [
        (TLSFault.expired, ErrorCode.upstreamCertificate), (.notYetValid, .upstreamCertificate),
        (.wrongName, .upstreamCertificate), (.unknownIssuer, .upstreamCertificate),
        (.badCertificate, .upstreamCertificate), (.noAuthorities, .upstreamCertificate),
        (.protocolVersion, .upstreamTLS), (.notTLS, .upstreamTLS), (.other, .upstreamTLS),
        (.timedOut, .upstreamUnreachable),
    ])
    func `a fault of TLS is 502, a handshake that takes too long is 504`(_ fault: TLSFault, _ code: ErrorCode) {
        let problem = SendFailure(.tls(fault), bytesMayHaveLeft: false).problem
        #expect(problem.code == code)
        #expect(problem.status == (fault == .timedOut ? 504 : 502))
    }
}
