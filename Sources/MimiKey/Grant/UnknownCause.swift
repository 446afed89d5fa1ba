import Core

/// Why nobody knows whether the refresh token that we have is the current one.
package enum UnknownCause: Hashable, Sendable {
    /// It was offered, and no answer came that can be used.
    case answerLost
    /// The state was copied or restored, and the token may have been offered since from where it lay before.
    case stateCopied

    var problem: Problem {
        switch self {
        case .answerLost:
            Problem(
                .refreshUnknown,
                """
                MimiKey's answer to a token refresh was lost, and offering the same refresh token again could revoke the \
                grant. \(Self.wayOut)
                """)
        case .stateCopied:
            Problem(
                .refreshUnknown,
                """
                The state was copied or restored, so that its refresh token may be spent, and offering it could revoke the \
                grant. \(Self.wayOut)
                """)
        }
    }

    private static let wayOut =
        "Run `countersign authorize` for a new grant, or `countersign refresh --try-once` to offer it once, knowingly."
}
