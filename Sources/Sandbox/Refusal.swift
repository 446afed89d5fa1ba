/// An error answer: a status with a code, or with the framework's plain text where the documents say so.
struct Refusal: Error, Hashable, Sendable {
    enum Body: Hashable, Sendable {
        case code(String)
        case plain(String)
    }

    let status: Int
    let body: Body

    init(_ status: Int, _ code: String) {
        self.status = status
        body = .code(code)
    }

    init(_ status: Int, plain text: String) {
        self.status = status
        body = .plain(text)
    }

    /// The code, or `http_<status>` for a plain one.
    var name: String {
        switch body {
        case .code(let code): code
        case .plain: "http_\(status)"
        }
    }
}

/// Signatures and tokens.
extension Refusal {
    static let invalidToken = Refusal(401, "invalid_token")
    static let tokenExpired = Refusal(401, "token_expired")
    static let grantRevoked = Refusal(401, "grant_revoked")
    static let clientDisabledByPlatform = Refusal(401, "client_disabled")
    static let clientDisabled = Refusal(403, "client_disabled")
    static let signatureRequired = Refusal(401, "signature_required")
    static let signatureInvalid = Refusal(401, "signature_invalid")
    static let timestampOutOfWindow = Refusal(401, "timestamp_out_of_window")
    static let nonceReplayed = Refusal(401, "nonce_replayed")
}

/// The token endpoint and revocation.
extension Refusal {
    static let unsupportedGrantType = Refusal(400, "unsupported_grant_type")
    static let invalidClient = Refusal(400, "invalid_client")
    static let invalidClientSecret = Refusal(401, "invalid_client_secret")
    static let invalidCode = Refusal(400, "invalid_code")
    static let codeExpired = Refusal(400, "code_expired")
    static let codeClientMismatch = Refusal(400, "code_client_mismatch")
    static let redirectURIMismatch = Refusal(400, "redirect_uri_mismatch")
    static let invalidGrant = Refusal(400, "invalid_grant")
    static let invalidRefreshToken = Refusal(401, "invalid_refresh_token")
    static let refreshExpired = Refusal(401, "refresh_expired")
    static let refreshTokenReused = Refusal(401, "refresh_token_reused")

    static let noJSONContentType = Refusal(415, plain: "Expected request with `Content-Type: application/json`")
    static let malformedJSON = Refusal(400, plain: "Failed to parse the request body as JSON")
    static let wrongStructure = Refusal(
        422, plain: "Failed to deserialize the JSON body into the target type")
}

/// Registration and consent.
extension Refusal {
    static let invalidClientType = Refusal(400, "invalid_client_type")
    static let invalidRedirectURIs = Refusal(400, "invalid_redirect_uris")
    static let invalidPublicKey = Refusal(400, "invalid_public_key")
    static let invalidPlatforms = Refusal(400, "invalid_platforms")
    static let invalidBrand = Refusal(400, "invalid_brand")
    static let modeRetired = Refusal(400, "mode_retired")
    static let clientNotFound = Refusal(404, "client_not_found")
    static let invalidApprovalKey = Refusal(400, "invalid_approval_key")
    static let sealKeyRequired = Refusal(400, "seal_key_required")
    static let codeChallengeRequired = Refusal(400, "code_challenge_required")
    static let invalidCodeChallenge = Refusal(400, "invalid_code_challenge")
    static let invalidPolicy = Refusal(400, "invalid_policy")
    static let invalidSelections = Refusal(400, "invalid_selections")
    static let vaultNotOwned = Refusal(403, "vault_not_owned")
}

/// The apps, the operators, the server.
extension Refusal {
    static let locked = Refusal(401, "locked")
    static let deviceRevokedOrRotated = Refusal(401, "device_revoked_or_rotated")
    static let untrustedOrigin = Refusal(403, "untrusted_origin")
    static let grantNotFound = Refusal(404, "grant_not_found")
    static let requestNotApproved = Refusal(409, "request_not_approved")
    static let adminLocked = Refusal(401, "admin_locked")
    static let reasonRequired = Refusal(400, "reason_required")
    static let databaseError = Refusal(500, "database_error")
}

/// Requests.
extension Refusal {
    static let invalidInput = Refusal(400, "invalid_input")
    static let invalidOperation = Refusal(400, "invalid_op")
    static let itemIDRequired = Refusal(400, "item_id_required")
    static let unsupportedKind = Refusal(400, "unsupported_kind")
    static let fieldsRequired = Refusal(400, "fields_required")
    static let invalidFields = Refusal(400, "invalid_fields")
    static let invalidPatch = Refusal(400, "invalid_patch")
    static let modeNotGranted = Refusal(403, "mode_not_granted")
    static let vaultNotGranted = Refusal(403, "vault_not_granted")
    static let requestNotFound = Refusal(404, "request_not_found")
    static let requestGone = Refusal(410, plain: "gone")
    static let requestNotDraft = Refusal(409, "request_not_draft")
    static let requestNotPending = Refusal(409, "request_not_pending")
    static let tooManyRequests = Refusal(429, "too_many_requests")
}

/// Before any route.
extension Refusal {
    static let bodyTooLarge = Refusal(413, plain: "length limit exceeded")
    static let bodyBroken = Refusal(400, plain: "Failed to buffer the request body")
    static let notFound = Refusal(404, plain: "not found")
    static let methodNotAllowed = Refusal(405, plain: "method not allowed")
    static let foreignDoor = Refusal(403, plain: "the sandbox answers local programs only")
}
