/// What each code means to a caller, in one table: status, short name, whether the same request may be sent again, and
/// what to do next. `docs/errors.md` says the same for people.
package enum ErrorCatalogue {
    package struct Entry: Hashable, Sendable {
        package let status: HTTPStatus
        package let title: String
        package let retryable: Bool
        package let nextAction: NextAction
    }

    /// Codes that are not in the table (a newer MimiKey's) are a refusal that nobody should repeat blindly.
    package static func entry(for code: ErrorCode) -> Entry {
        entries[code] ?? Entry(status: 502, title: "MimiKey refused", retryable: false, nextAction: .stop)
    }

    package static let entries: [ErrorCode: Entry] = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0.entry) })

    /// Is it a code of this product, which MimiKey does not say?
    package static func isOurs(_ code: ErrorCode) -> Bool { ourCodes.contains(code) }

    private static let ourCodes = Set(ours.map(\.code))

    private static func row(
        _ code: ErrorCode, _ status: HTTPStatus, _ title: String, _ next: NextAction, retryable: Bool = false
    ) -> (code: ErrorCode, entry: Entry) {
        (code, Entry(status: status, title: title, retryable: retryable, nextAction: next))
    }

    private static func row(
        _ code: String, _ status: HTTPStatus, _ title: String, _ next: NextAction, retryable: Bool = false
    ) -> (code: ErrorCode, entry: Entry) {
        row(ErrorCode(code), status, title, next, retryable: retryable)
    }

    private static let rows = ours + mimiKeys

    private static let ours: [(code: ErrorCode, entry: Entry)] = [
        row(.invalidRequest, 400, "Not a request we can read", .fixRequest),
        row(.invalidJSON, 400, "Not JSON", .fixRequest),
        row(.jsonLimit, 400, "JSON beyond a limit", .fixRequest),
        row(.unknownMember, 400, "Unknown member", .fixRequest),
        row(.invalidMember, 400, "Member of the wrong form", .fixRequest),
        row(.missingMember, 400, "Missing member", .fixRequest),
        row(.emptyPatch, 400, "Patch without members", .fixRequest),
        row(.invalidPreference, 400, "Prefer field of the wrong form", .fixRequest),
        row(.unsupportedOperation, 400, "Operation not supported", .fixRequest),
        row(.unsupportedMediaType, 415, "Not a JSON content type", .fixRequest),
        row(.contentTooLarge, 413, "Body too large", .fixRequest),
        row(.uriTooLong, 414, "Request line too long", .fixRequest),
        row(.headersTooLarge, 431, "Header block too large", .fixRequest),
        row(.requestTimeout, 408, "Request not in time", .retry, retryable: true),
        row(.expectationFailed, 417, "Expectation not met", .fixRequest),
        row(.notImplemented, 501, "Not implemented", .fixRequest),
        row(.versionNotSupported, 505, "HTTP version not supported", .fixRequest),
        row(.unauthorized, 401, "Unknown caller", .stop),
        row(.hostNotAllowed, 403, "Host not allowed", .stop),
        row(.originNotAllowed, 403, "Origin not allowed", .stop),
        row(.forwarded, 400, "Forwarded request", .stop),
        row(.notFound, 404, "Not found", .stop),
        row(.methodNotAllowed, 405, "Method not allowed", .fixRequest),
        row(.policyDenied, 403, "Not allowed by policy", .stop),
        row(.policyDeniedOnItem, 403, "Chosen item not allowed by policy", .stop),
        row(.trustNotAllowed, 403, "Vault without a card not allowed by policy", .stop),
        row(.askInProgress, 409, "Open for another caller", .retry, retryable: true),
        row(.coolingDown, 429, "Cooling down after refusals", .askUser, retryable: true),
        row(.tooSoon, 429, "Too soon", .retry, retryable: true),
        row(.tooManyPending, 429, "Too many open asks", .retry, retryable: true),
        row(.tooManyConnections, 503, "Too many connections", .retry, retryable: true),
        row(.notAuthorized, 409, "No grant", .authorize),
        row(.revoked, 409, "Grant revoked", .authorize),
        row(.refreshUnknown, 409, "Token refresh with unknown outcome", .authorize),
        row(.revokeUnconfirmed, 504, "Revocation not confirmed", .retry, retryable: true),
        row(.nothingPending, 409, "Nothing to reopen", .stop),
        row(.noGrantedVault, 409, "No vault granted", .authorize),
        row(.identityKeyChanged, 409, "Account key changed", .askUser),
        row(.invalidCallback, 400, "Callback without a code", .authorize),
        row(.staleCallback, 400, "Callback that nothing waits for", .authorize),
        row(.fingerprintMismatch, 502, "Approval key fingerprint differs", .authorize),
        row(.outcomeUnknown, 502, "Outcome unknown", .askUser),
        row(.grantReplaced, 409, "Grant replaced", .retry),
        row(.denied, 200, "Denied by the person", .stop),
        row(.conflict, 200, "Item changed elsewhere", .readAgain),
        row(.expired, 200, "Not answered in time", .askUser),
        row(.cancelled, 200, "Cancelled", .stop),
        row(.draftLost, 503, "Draft lost", .retry, retryable: true),
        row(.updatedItemMissing, 502, "Completed without saying what was written", .stop),
        row(.resultMissing, 502, "Completed without a result", .stop),
        row(.resultOpenFailed, 502, "Result could not be opened", .stop),
        row(.resultMalformed, 502, "Result of an unknown form", .stop),
        row(.notInstalled, 200, "MimiKey could not be opened", .askUser),
        row(.upstreamUnreachable, 504, "MimiKey out of reach", .retry, retryable: true),
        row(.upstreamTimeout, 504, "MimiKey did not answer in time", .retry, retryable: true),
        row(.upstreamCertificate, 502, "MimiKey's certificate not believed", .stop),
        row(.upstreamTLS, 502, "No TLS connection to MimiKey", .stop),
        row(.malformedResponse, 502, "Malformed answer of MimiKey", .stop),
        row(.clockSkew, 503, "Clock off", .askUser, retryable: true),
        row(.storage, 503, "Storage failed", .retry, retryable: true),
        row(.shuttingDown, 503, "Shutting down", .retry, retryable: true),
        row(.internalError, 500, "Fault of ours", .stop),
    ]

    /// MimiKey's codes that a gateway can meet (its errors page), with the status that our caller sees.
    private static let mimiKeys: [(code: ErrorCode, entry: Entry)] = [
        row("invalid_token", 409, "Access token not accepted", .authorize),
        row("token_expired", 409, "Access token expired", .retry),
        row("grant_revoked", 409, "Grant revoked", .authorize),
        row("client_disabled", 409, "Client disabled", .stop),
        row("signature_required", 502, "Signature missing", .stop),
        row("signature_invalid", 502, "Signature not accepted", .stop),
        row("timestamp_out_of_window", 503, "Clock off", .askUser, retryable: true),
        row("nonce_replayed", 502, "Nonce already used", .retry, retryable: true),
        row("unsupported_grant_type", 502, "Grant type not supported", .stop),
        row("invalid_client", 409, "Client not accepted", .authorize),
        row("invalid_client_secret", 409, "Client secret not accepted", .authorize),
        row("invalid_code", 400, "Authorization code not accepted", .authorize),
        row("code_expired", 400, "Authorization code expired", .authorize),
        row("code_client_mismatch", 400, "Authorization code of another client", .authorize),
        row("redirect_uri_mismatch", 400, "Redirect URI not registered", .authorize),
        row("invalid_grant", 400, "PKCE check failed", .authorize),
        row("invalid_refresh_token", 409, "Refresh token not accepted", .authorize),
        row("refresh_expired", 409, "Refresh token expired", .authorize),
        row("refresh_token_reused", 409, "Refresh token reused", .authorize),
        row("invalid_input", 400, "Input not accepted", .fixRequest),
        row("invalid_op", 400, "Operation not known to MimiKey", .fixRequest),
        row("item_id_required", 400, "Item id missing", .fixRequest),
        row("unsupported_kind", 400, "Kind not supported", .fixRequest),
        row("fields_required", 400, "Fields missing", .fixRequest),
        row("invalid_fields", 400, "Fields not accepted", .fixRequest),
        row("invalid_patch", 400, "Patch not accepted", .fixRequest),
        row("vault_not_granted", 403, "Vault not granted", .askUser),
        row("mode_not_granted", 403, "Mode not granted", .askUser),
        row("request_not_found", 404, "Request not found", .stop),
        row("request_not_draft", 409, "Request is no draft", .readAgain),
        row("request_not_pending", 409, "Request already finished", .wait),
        row("too_many_requests", 429, "Too many unfinished requests", .retry, retryable: true),
        row("database_error", 503, "MimiKey's storage failed", .retry, retryable: true),
        row("access_denied", 200, "Consent denied by the person", .stop),
        row("not_signed_in", 200, "MimiKey has no account signed in", .askUser),
    ]
}
