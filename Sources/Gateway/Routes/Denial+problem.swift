import Core

extension Denial {
    /// The answer to an ask that policy refuses; it names the rule or what is missing.
    func problem(for op: Operation) -> Problem {
        switch self {
        case .operation: Problem(.policyDenied, "No rule of this caller allows this operation.")
        case .vault: Problem(.policyDenied, "No rule of this caller allows this vault.")
        case .item: Problem(.policyDenied, "No rule of this caller allows this item.")
        case .kind: Problem(.policyDenied, "No rule of this caller allows this kind.")
        case .host: Problem(.policyDenied, "No rule of this caller allows the host of `\(op.urlMember)`.")
        case .missingURL(let rule):
            Problem(
                .policyDenied,
                "\(Self.named(rule)) is for certain hosts, so the ask needs `\(op.urlMember)`.", nextAction: .fixRequest
            )
        case .unreadableURL:
            Problem(
                .policyDenied, "`\(op.urlMember)` is no URL with a host, so no rule can be decided.",
                nextAction: .fixRequest)
        case .missingVaultID(let rule):
            Problem(
                .policyDenied, "\(Self.named(rule)) is for certain vaults, so the ask needs `vault_id`.",
                nextAction: .fixRequest)
        case .noVault: Problem(.noGrantedVault, "The grant has no vault in which this caller may make an item.")
        case .fields(let rule):
            Problem(
                .policyDenied, "\(Self.named(rule)) lets out nothing of what is wanted.", nextAction: .fixRequest)
        case .writes(let rule):
            Problem(
                .policyDenied, "\(Self.named(rule)) does not let all members of `patch` be written.",
                nextAction: .fixRequest)
        case .trust(let rule):
            Problem(
                .trustNotAllowed,
                "In this vault MimiKey asks nobody before it hands an item over, and \(Self.named(rule).lowercased()) has no `trust: allow`."
            )
        case .itemHost: Problem(.policyDeniedOnItem, "The chosen item belongs to another host.", executed: true)
        case .chosenItem:
            Problem(
                .policyDeniedOnItem, "The chosen item is not among those that this caller may have.", executed: true)
        case .noFieldLeft: Problem(.policyDeniedOnItem, "Nothing of what was wanted is let out.", executed: true)
        }
    }

    private static func named(_ rule: Int) -> String { "Rule \(rule + 1) of this caller" }
}

extension Operation {
    /// Where an ask says which host it is for.
    fileprivate var urlMember: String {
        switch self {
        case .createItem: "prefill.url"
        case .pickItem, .getItem, .updateItem: "hint.url"
        }
    }
}
