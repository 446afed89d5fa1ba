import Core

/// Why a call has no usable answer. It becomes a `Problem` at the door of the client.
enum CallFailure: Error {
    /// No complete answer.
    case transport(SendFailure)
    /// An answer that is not 2xx.
    case refused(Refusal)
    /// We did not get as far as calling, or what came back settles more than this call.
    case ours(Problem)
}

/// A non-2xx answer, as far as it is acted upon.
struct Refusal: Hashable, Sendable {
    let status: HTTPStatus
    /// `nil` when the body was no JSON error.
    let code: ErrorCode?
    let retryAfter: Duration?

    init(status: HTTPStatus, code: ErrorCode?, retryAfter: Duration? = nil) {
        self.status = status
        self.code = code
        self.retryAfter = retryAfter
    }

    init(_ response: InboundResponse, now: UnixTime) {
        self.init(
            status: response.status, code: Wire.errorCode(of: response.body),
            retryAfter: Wire.retryAfter(response.fields, now: now))
    }

    var problem: Problem {
        guard let code else { return withoutCode }
        guard let known = ErrorCatalogue.entries[code] else { return withUnknownCode(code) }
        return Problem(code, "MimiKey refused the call: \(known.title.lowercased()).", retryAfter: retryAfter)
    }

    /// A newer MimiKey's: the status says how it is meant.
    private func withUnknownCode(_ code: ErrorCode) -> Problem {
        let mayRepeat = status.code == 429
        return Problem(
            code, "MimiKey refused the call with a code that this version does not know.",
            status: [400, 403, 404, 409, 429].contains(status.code) ? status : 502, retryable: mayRepeat,
            nextAction: mayRepeat ? .retry : .stop, retryAfter: retryAfter)
    }

    /// `http_<status>`, as the documents name an answer without a JSON error.
    private var withoutCode: Problem {
        let passing = status.code == 429 || status.code >= 500
        return Problem(
            ErrorCode("http_\(status.code)"), "MimiKey answered with status \(status.code) and no error code.",
            status: 502, retryable: passing, nextAction: passing ? .retry : .stop, retryAfter: retryAfter)
    }
}

extension CallFailure {
    var problem: Problem {
        switch self {
        case .transport(let failure): failure.problem
        case .refused(let refusal): refusal.problem
        case .ours(let problem): problem
        }
    }
}

extension SendFailure {
    /// What a fault point plays: an answer that was lost.
    static let injected = SendFailure(.closed, bytesMayHaveLeft: true)

    var problem: Problem {
        switch reason {
        case .nameNotFound, .connectFailed, .closed:
            Problem(.upstreamUnreachable, "MimiKey could not be reached.")
        case .tls(.timedOut):
            Problem(.upstreamUnreachable, "MimiKey took the connection, but no TLS handshake came of it in time.")
        case .tls(let fault) where fault.isDistrust:
            Problem(.upstreamCertificate, "What answered could not prove that it is MimiKey: \(fault.sentence).")
        case .tls(let fault):
            Problem(.upstreamTLS, "No TLS connection to MimiKey can be agreed upon: \(fault.sentence).")
        case .timedOut:
            Problem(.upstreamTimeout, "MimiKey did not answer in time.")
        case .malformed, .answerTooLarge:
            Problem(.malformedResponse, "MimiKey's answer is not HTTP as it is accepted here.")
        case .cancelled:
            Problem(.cancelled, "The call was cancelled.")
        }
    }
}

extension TLSFault {
    /// For people, without capital and full stop.
    fileprivate var sentence: String {
        switch self {
        case .expired: "a certificate has expired"
        case .notYetValid: "a certificate is not valid yet, or this machine's clock is wrong"
        case .wrongName: "the certificate is for another name"
        case .unknownIssuer: "the certificate comes from nobody who is trusted here"
        case .badCertificate: "the certificate is not one for such a service"
        case .noAuthorities: "there are no certificate authorities on this machine to check it against"
        case .protocolVersion: "it speaks no version from TLS 1.2 on"
        case .notTLS: "what answered speaks no TLS"
        case .timedOut: "it took too long"
        case .other: "what it says makes no sense here"
        }
    }
}
