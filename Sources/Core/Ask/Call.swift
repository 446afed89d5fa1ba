/// What a caller wants, whichever door it came by. Policy, limits, waiting and audit know only this.
package struct Call: Hashable, Sendable {
    package var caller: CallerName
    /// Of a caller that came in by a socket: its user, as the kernel says.
    package var uid: UInt32?
    package var op: Operation
    /// `pick_item`.
    package var hint: Hint
    /// `create_item`.
    package var prefill: Prefill
    /// `create_item`: the kind of the new item, such as `login`.
    package var kind: String?
    package var vaultID: String?
    /// `get_item`, `update_item`.
    package var itemID: String?
    /// `update_item`: what is to be written.
    package var patch: PatchOutline?
    /// The caller's own words; a claim, not a fact.
    package var reason: String?
    /// The record members wanted, by flat name; `nil`: all that the rule allows.
    package var want: Set<String>?

    package init(
        caller: CallerName, uid: UInt32? = nil, op: Operation, hint: Hint = Hint(), prefill: Prefill = Prefill(),
        kind: String? = nil, vaultID: String? = nil, itemID: String? = nil, patch: PatchOutline? = nil,
        reason: String? = nil, want: Set<String>? = nil
    ) {
        self.caller = caller
        self.uid = uid
        self.op = op
        self.hint = hint
        self.prefill = prefill
        self.kind = kind
        self.vaultID = vaultID
        self.itemID = itemID
        self.patch = patch
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

/// What the form for a new item begins with (`prefill` of `create_item`). A password is never among it.
package struct Prefill: Hashable, Sendable {
    package var title: String?
    /// As the caller wrote it.
    package var url: String?
    package var usernameHint: String?

    package init(title: String? = nil, url: String? = nil, usernameHint: String? = nil) {
        self.title = title
        self.url = url
        self.usernameHint = usernameHint
    }

    package var isEmpty: Bool { title == nil && url == nil && usernameHint == nil }
}

/// A patch without its values: those travel apart, in locked memory, and are never written down.
package struct PatchOutline: Hashable, Sendable {
    /// The names of its members, sorted; they are what the person is asked about (`fields`).
    package let names: [String]
    /// Of names and values, under a key of the store: two patches are one wish when these are equal.
    package let fingerprint: String

    package init(names: Set<String>, fingerprint: String) {
        self.names = names.sorted()
        self.fingerprint = fingerprint
    }
}
