import Core

/// A vault of the sandbox's account.
struct SampleVault: Hashable, Sendable {
    enum Policy: String, Hashable, Sendable {
        case ask
        case trust
    }

    let id: String
    let name: String
    var policy: Policy
    var ownerID = Session.account
    /// 2 is retired: nothing can be done in it.
    var mode: Int64 = 1

    var isLive: Bool { mode == 1 }

    /// As the token, vaults and account answers show it.
    var json: JSON {
        ["id": .string(id), "name": .string(name), "mode": .integer(mode), "policy": .string(policy.rawValue)]
    }

    /// A vault of the account that is in no grant.
    static let outside = "v_private"

    /// Every vault that there is, whosever.
    static let all =
        samples + [
            SampleVault(id: outside, name: "Private", policy: .ask),
            SampleVault(id: "v_foreign", name: "Foreign", policy: .ask, ownerID: Session.otherAccount),
        ]

    /// What a consent gives that names no vaults.
    static let samples = [
        SampleVault(id: "v_personal", name: "Personal", policy: .ask),
        SampleVault(id: "v_work", name: "Work", policy: .ask),
        SampleVault(id: "v_robots", name: "Robots", policy: .trust),
    ]
}
