/// What a caller should do about an answer; an agent branches on it.
package enum NextAction: String, Hashable, Sendable, CaseIterable {
    /// Look at the ask again, with `Prefer: wait`.
    case wait
    /// Send the same request again, after `Retry-After` where it is given.
    case retry
    /// The item changed elsewhere: read it again, then resubmit.
    case readAgain = "read_again"
    /// Tell the person; only they can go on.
    case askUser = "ask_user"
    /// The operator has to run `countersign authorize`.
    case authorize
    /// The request itself is wrong: change it before sending it again.
    case fixRequest = "fix_request"
    /// Do not ask again.
    case stop
}
