import Core

extension Wire {
    /// The codes that the client acts upon itself. All [D].
    enum Code {
        static let invalidToken = ErrorCode("invalid_token")
        static let tokenExpired = ErrorCode("token_expired")
        static let nonceReplayed = ErrorCode("nonce_replayed")
        static let timestampOutOfWindow = ErrorCode("timestamp_out_of_window")
        static let databaseError = ErrorCode("database_error")
        static let requestNotFound = ErrorCode("request_not_found")
        static let requestNotDraft = ErrorCode("request_not_draft")
        static let requestNotPending = ErrorCode("request_not_pending")

        /// [D] The grant is gone: forget it, and never retry by yourself.
        static let revoked: Set<ErrorCode> = [
            ErrorCode("grant_revoked"), ErrorCode("client_disabled"), ErrorCode("refresh_token_reused"),
            ErrorCode("invalid_refresh_token"), ErrorCode("refresh_expired"), ErrorCode("invalid_client"),
            ErrorCode("invalid_client_secret"),
        ]
    }

    /// [D] The token endpoint's checks that come before anything else answer in plain text; so they spend nothing.
    static let plainTextRefusals: Set<Int> = [400, 413, 415, 422]
}
