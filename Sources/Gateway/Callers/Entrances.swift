import Core

/// Who comes in by which door.
struct Entrances: Sendable {
    enum Entrance {
        /// TCP: a caller is known by its token.
        case open
        /// A socket of one caller, which was let in as that user.
        case caller(CallerSettings, uid: UInt32)
        /// The operator's socket.
        case owner
    }

    private let callers: [String: (address: UnixAddress, caller: CallerSettings)]
    private let operators: UnixAddress

    init(_ configuration: Configuration, owner: UInt32) {
        operators = configuration.operatorAddress(owner: owner)
        var callers: [String: (address: UnixAddress, caller: CallerSettings)] = [:]
        for socket in configuration.sockets {
            guard let caller = configuration.callers[socket.caller] else { continue }
            callers[socket.path] = (socket.address(owner: owner), caller)
        }
        self.callers = callers
    }

    /// Throws for a user whom the socket does not let in. The listener has closed such a connection already; this is the
    /// second lock of the same door.
    func entrance(of peer: Peer) throws(Problem) -> Entrance {
        guard case .unix(let door) = peer.door else { return .open }
        if let (address, caller) = callers[door.path], let credentials = peer.credentials, address.admits(credentials) {
            return .caller(caller, uid: credentials.uid)
        }
        guard door.path == operators.path, operators.admits(peer.credentials) else {
            throw Problem(.unauthorized, "This socket does not answer this user.", status: 403)
        }
        return .owner
    }
}
