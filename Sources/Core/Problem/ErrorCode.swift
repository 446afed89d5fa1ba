/// A stable, machine-readable error code: MimiKey's own verbatim, and ours. Callers branch on it.
///
/// What each means for a caller is in `ErrorCatalogue`, and for people in `docs/errors.md`; a test holds both together.
package struct ErrorCode: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    // The request itself
    package static let invalidRequest = ErrorCode("invalid_request")
    package static let invalidJSON = ErrorCode("invalid_json")
    package static let jsonLimit = ErrorCode("json_limit")
    package static let unknownMember = ErrorCode("unknown_member")
    package static let invalidMember = ErrorCode("invalid_member")
    package static let missingMember = ErrorCode("missing_member")
    package static let itemIDRequired = ErrorCode("item_id_required")
    package static let emptyPatch = ErrorCode("empty_patch")
    package static let invalidPatch = ErrorCode("invalid_patch")
    package static let invalidPreference = ErrorCode("invalid_preference")
    package static let unsupportedOperation = ErrorCode("unsupported_operation")
    package static let unsupportedMediaType = ErrorCode("unsupported_media_type")
    package static let contentTooLarge = ErrorCode("content_too_large")
    package static let uriTooLong = ErrorCode("uri_too_long")
    package static let headersTooLarge = ErrorCode("headers_too_large")
    package static let requestTimeout = ErrorCode("request_timeout")
    package static let expectationFailed = ErrorCode("expectation_failed")
    package static let notImplemented = ErrorCode("not_implemented")
    package static let versionNotSupported = ErrorCode("version_not_supported")

    // The door
    package static let unauthorized = ErrorCode("unauthorized")
    package static let hostNotAllowed = ErrorCode("host_not_allowed")
    package static let originNotAllowed = ErrorCode("origin_not_allowed")
    package static let forwarded = ErrorCode("forwarded")
    package static let notFound = ErrorCode("not_found")
    package static let methodNotAllowed = ErrorCode("method_not_allowed")

    // Policy and limits
    package static let policyDenied = ErrorCode("policy_denied")
    package static let policyDeniedOnItem = ErrorCode("policy_denied_on_item")
    package static let trustNotAllowed = ErrorCode("trust_not_allowed")
    package static let askInProgress = ErrorCode("ask_in_progress")
    package static let coolingDown = ErrorCode("cooling_down")
    package static let tooSoon = ErrorCode("too_soon")
    package static let tooManyPending = ErrorCode("too_many_pending")
    package static let tooManyConnections = ErrorCode("too_many_connections")

    // The grant
    package static let notAuthorized = ErrorCode("not_authorized")
    package static let revoked = ErrorCode("revoked")
    package static let refreshUnknown = ErrorCode("refresh_unknown")
    package static let revokeUnconfirmed = ErrorCode("revoke_unconfirmed")
    package static let nothingPending = ErrorCode("nothing_pending")
    package static let noGrantedVault = ErrorCode("no_granted_vault")
    package static let identityKeyChanged = ErrorCode("identity_key_changed")
    package static let invalidCallback = ErrorCode("invalid_callback")
    package static let staleCallback = ErrorCode("stale_callback")
    package static let fingerprintMismatch = ErrorCode("fingerprint_mismatch")
    package static let outcomeUnknown = ErrorCode("outcome_unknown")
    package static let grantReplaced = ErrorCode("grant_replaced")

    // Outcomes of an ask
    package static let denied = ErrorCode("denied")
    package static let conflict = ErrorCode("conflict")
    package static let expired = ErrorCode("expired")
    package static let cancelled = ErrorCode("cancelled")
    package static let draftLost = ErrorCode("draft_lost")
    package static let updatedItemMissing = ErrorCode("updated_item_missing")
    package static let resultMissing = ErrorCode("result_missing")
    package static let resultOpenFailed = ErrorCode("result_open_failed")
    package static let resultMalformed = ErrorCode("result_malformed")
    package static let notInstalled = ErrorCode("not_installed")

    // MimiKey and the way to it
    package static let upstreamUnreachable = ErrorCode("upstream_unreachable")
    package static let upstreamTimeout = ErrorCode("upstream_timeout")
    package static let upstreamCertificate = ErrorCode("upstream_certificate")
    package static let upstreamTLS = ErrorCode("upstream_tls")
    package static let malformedResponse = ErrorCode("malformed_response")
    package static let clockSkew = ErrorCode("clock_skew")

    // The gateway itself
    package static let storage = ErrorCode("storage")
    package static let shuttingDown = ErrorCode("shutting_down")
    package static let internalError = ErrorCode("internal_error")
}
