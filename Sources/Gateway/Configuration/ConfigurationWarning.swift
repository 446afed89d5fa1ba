package import Core

/// Something that is allowed, and less safe than it may look.
package struct ConfigurationWarning: Hashable, Sendable {
    package let code: ErrorCode
    package let detail: String
}

extension Configuration {
    /// What to warn of when this process runs the gateway.
    package var warnings: [ConfigurationWarning] { warnings(owner: OwnUser.id) }

    func warnings(owner: UInt32) -> [ConfigurationWarning] {
        sockets.filter { $0.address(owner: owner).users?.contains(owner) == true }.map { socket in
            ConfigurationWarning(
                code: ErrorCode("caller_is_operator"),
                detail: """
                    The caller `\(socket.caller)` may come in by \(socket.path) as the gateway's own user \(owner), who is \
                    the operator as well: rules guard against its accidents, not against its intent.
                    """)
        }
    }
}
