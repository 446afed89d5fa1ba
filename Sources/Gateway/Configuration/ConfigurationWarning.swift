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

extension ConfigurationWarning {
    fileprivate static let memoryNotLocked = ConfigurationWarning(
        code: ErrorCode("memory_not_locked"),
        detail: "The system does not lock enough memory, so that secrets could reach swap: \(SecretMemory.advice).",
        caller: nil)
}
