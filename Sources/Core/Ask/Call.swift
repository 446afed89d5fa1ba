/// What a caller wants, whichever door it came by. Policy, limits, waiting and audit know only this.
package struct Call: Hashable, Sendable {
    package var caller: CallerName
    /// Of a caller that came in by a socket: its user, as the kernel says.
    package var uid: UInt32?
    package var op: Operation
    package var hint: Hint
    package var vaultID: String?
    /// The caller's own words; a claim, not a fact.
    package var reason: String?
    /// The record members wanted, by flat name; `nil`: all that the rule allows.
    package var want: Set<String>?

    package init(
        caller: CallerName, uid: UInt32? = nil, op: Operation, hint: Hint = Hint(), vaultID: String? = nil,
        reason: String? = nil,
        want: Set<String>? = nil
    ) {
        self.caller = caller
        self.uid = uid
        self.op = op
        self.hint = hint
        self.vaultID = vaultID
        self.reason = reason
        self.want = want
    }
}

/// What helps the person to find the item (`hint` of `pick_item`).
package struct Hint: Hashable, Sendable {
    /// As the caller wrote it.
    package var url: String?
    package var title: String?
    package var kind: String?

    package init(url: String? = nil, title: String? = nil, kind: String? = nil) {
        self.url = url
        self.title = title
        self.kind = kind
    }

    package var isEmpty: Bool { url == nil && title == nil && kind == nil }
}
