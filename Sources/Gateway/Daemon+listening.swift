import Core
import Server
import Transport

extension Daemon {
    /// All or none: a listener that cannot be had ends those that were.
    /// - Parameter passed: sockets that another process listens on for us.
    static func listen(
        on configuration: Configuration, passed: [PassedSocket], _ server: HTTPServer
    ) async throws -> [ListenAddress] {
        let owner = OwnUser.id
        let operators = ListenAddress.unix(configuration.operatorAddress(owner: owner))
        let callers = configuration.sockets.map { ListenAddress.unix($0.address(owner: owner)) }
        let wanted = configuration.listeners.map { .tcp($0.address) } + callers + [operators]
        let sockets = try PassedSockets(passed, for: wanted, owner: owner)
        try SocketDirectory.prepare(forOperator: configuration.adminSocket, isPassed: sockets[operators] != nil)
        for socket in configuration.sockets { try SocketDirectory.prepare(for: socket) }
        var bound: [ListenAddress] = []
        do {
            for address in wanted { bound.append(try await server.listen(address, passed: sockets[address])) }
        } catch {
            await server.shutDown(grace: .zero)
            throw error
        }
        return bound
    }
}
