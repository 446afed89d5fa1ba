package import Core

/// A request as MimiKey sees it.
package struct RequestSnapshot: Hashable, Sendable {
    package let id: String
    /// `draft` … `expired`; never `failed`.
    package let state: AskState
    package var expiresAt: UnixTime?
    package let openURL: String?
    package let denyReason: String?
    /// The sealed box, base64url as it came; `nil` until completed.
    package let sealedResult: String?
    /// Of a completed `update_item`.
    package let updatedItem: UpdatedItem?
    /// Of a completed `create_item`: the person saved it where the grant does not reach.
    package let isSavedOutOfScope: Bool
}
