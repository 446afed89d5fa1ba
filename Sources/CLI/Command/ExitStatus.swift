import Core

/// What a script learns from us without reading a word.
enum ExitStatus: Int32, Hashable, Sendable {
    case ok = 0
    /// Any other failure.
    case failure = 1
    case usage = 2
    /// The person said no.
    case denied = 3
    /// Nobody answered in time.
    case expired = 4
    /// There is no grant: `countersign authorize` is needed.
    case notAuthorized = 5
    case limit = 6
    /// The configuration, or what it points to, has to be mended.
    case configuration = 7
    case cancelled = 8
    /// The person has not answered yet; the ask lives on.
    case pending = 9
    /// The gateway's rules do not let this caller do this.
    case policy = 10
    case interrupted = 130

    /// The exit status of an error code: the only place where one becomes the other.
    init(of code: ErrorCode) {
        self =
            switch code.rawValue {
            case "denied", "access_denied": .denied
            case "expired": .expired
            case "not_authorized", "revoked", "refresh_unknown", "grant_revoked", "client_disabled", "invalid_token",
                "token_expired", "invalid_client", "invalid_client_secret", "invalid_refresh_token", "refresh_expired",
                "refresh_token_reused", "no_granted_vault":
                .notAuthorized
            case "too_many_pending", "too_many_requests", "too_many_connections", "cooling_down", "too_soon": .limit
            case "configuration", "admin_socket", "caller_socket", "listen", "origin", "address_in_use", "state_in_use",
                "state_permissions", "state_newer", "state_damaged",
                "key_missing", "key_wrong", "upstream_certificate", "upstream_tls":
                .configuration
            case "cancelled", "grant_replaced": .cancelled
            case "policy_denied", "policy_denied_on_item", "trust_not_allowed", "unauthorized", "host_not_allowed",
                "origin_not_allowed":
                .policy
            default: .failure
            }
    }
}
