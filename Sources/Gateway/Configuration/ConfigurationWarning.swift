package import Core

/// Something that is allowed, and less safe than it may look.
package struct ConfigurationWarning: Hashable, Sendable {
    package let code: ErrorCode
    package let detail: String
    /// Whom it concerns; `nil`: the gateway as a whole. Other callers do not see it.
    let caller: CallerName?
}

extension Configuration {
    /// What to warn of when this process runs the gateway.
    package var warnings: [ConfigurationWarning] {
        warnings(owner: OwnUser.id) + (SecretMemory.canBeLocked ? [] : [.memoryNotLocked])
    }

    func warnings(owner: UInt32) -> [ConfigurationWarning] {
        sockets.filter { $0.address(owner: owner).users?.contains(owner) == true }.map { socket in
            ConfigurationWarning(
                code: ErrorCode("caller_is_operator"),
                detail: """
                    The caller `\(socket.caller)` may come in by \(socket.path) as the gateway's own user \(owner), who is \
                    the operator as well: rules guard against its accidents, not against its intent.
                    """,
                caller: socket.caller)
        }
    }
}

extension Configuration {
    /// What to warn of under a grant with these vaults.
    func warnings(granted: [Vault]) -> [ConfigurationWarning] {
        callers.values.sorted { $0.name.rawValue < $1.name.rawValue }.flatMap { caller in
            caller.policy.rules.enumerated().flatMap { position, rule in
                (rule.vaults ?? []).filter { Vault.isAmbiguous($0, among: granted) }.map { name in
                    ConfigurationWarning(
                        code: ErrorCode("vault_name_ambiguous"),
                        detail: """
                            Rule \(position + 1) of the caller `\(caller.name)` names the vault \
                            `\(name.shownInConfiguration)`, and the grant has several of that name, so it matches none: \
                            write its id.
                            """,
                        caller: caller.name)
                }
            }
        }
    }
}

extension ConfigurationWarning {
    fileprivate static let memoryNotLocked = ConfigurationWarning(
        code: ErrorCode("memory_not_locked"),
        detail: "The system does not lock enough memory, so that secrets could reach swap: \(SecretMemory.advice).",
        caller: nil)
}
