import Core

/// A vault of the sandbox's account.
struct SampleVault: Hashable, Sendable {
    enum Policy: String, Hashable, Sendable {
        case ask
        case trust
    }

    let id: String
    let name: String
    let policy: Policy

    /// As the token, vaults and account answers show it. Mode 1 is the only live one.
    var json: JSON {
        ["id": .string(id), "name": .string(name), "mode": 1, "policy": .string(policy.rawValue)]
    }

    static let samples = [
        SampleVault(id: "v_personal", name: "Personal", policy: .ask),
        SampleVault(id: "v_work", name: "Work", policy: .ask),
        SampleVault(id: "v_robots", name: "Robots", policy: .trust),
    ]
}
