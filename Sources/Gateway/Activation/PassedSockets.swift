import Core
import Transport

/// Which passed socket is which address of the configuration. A socket that is none of them, or that lets in more than the
/// configuration would, is a reason not to start: passed or not, a gateway is reached in the same ways.
struct PassedSockets {
    private var sockets: [ListenAddress: PassedSocket] = [:]

    /// - Parameters:
    ///   - wanted: what the configuration says.
    ///   - owner: the gateway's user.
    init(_ passed: [PassedSocket], for wanted: [ListenAddress], owner: UInt32) throws(StartFailure) {
        for socket in passed {
            let address = try Self.check(socket, among: wanted, owner: owner)
            guard sockets.updateValue(socket, forKey: address) == nil else {
                throw Self.failure(
                    socket, "is the second one for its address", "name each address once in the socket unit")
            }
        }
    }

    /// `nil`: it has to be bound.
    subscript(_ address: ListenAddress) -> PassedSocket? { sockets[address] }

    private static func check(
        _ socket: PassedSocket, among wanted: [ListenAddress], owner: UInt32
    ) throws(StartFailure) -> ListenAddress {
        guard socket.listens else {
            throw failure(socket, "is no stream socket that listens", "write `ListenStream=` and `Accept=no`")
        }
        switch socket.place {
        case .tcp(let address):
            guard !address.ip.isUnspecified else {
                throw failure(
                    socket, "listens on every address, \(address)",
                    "write `ListenStream=127.0.0.1:\(address.port)` in the socket unit")
            }
            guard wanted.contains(.tcp(address)) else { throw unknown(socket, "\(address)") }
            guard !socket.sharesPort else {
                throw failure(
                    socket, "lets other processes listen on \(address) as well (SO_REUSEPORT)", "write `ReusePort=no`")
            }
            return .tcp(address)
        case .unix(let path):
            for case .unix(let unix) in wanted where unix.path == path {
                try check(socket, unix, owner: owner)
                return .unix(unix)
            }
            throw unknown(socket, path)
        case nil: throw unknown(socket, "an address of another kind")
        }
    }

    private static func check(_ socket: PassedSocket, _ address: UnixAddress, owner: UInt32) throws(StartFailure) {
        let path = address.path
        guard let file = socket.file else {
            throw failure(socket, "has lost its file \(path)", "restart the socket unit")
        }
        guard file.mode & ~address.mode & 0o777 == 0 else {
            let mode = octal(address.mode)
            throw failure(
                socket, "has the mode \(octal(file.mode)), which is wider than \(mode), at \(path)",
                "write `SocketMode=\(mode)`")
        }
        guard file.owner == owner || file.owner == 0 else {
            throw failure(
                socket, "belongs to the user \(file.owner), at \(path)", "write `SocketUser=\(owner)`, or root")
        }
        if let group = address.group, file.mode & 0o070 != 0, file.group != group {
            throw failure(
                socket, "belongs to the group \(file.group), at \(path)", "write `SocketGroup=\(group)`")
        }
    }

    private static func unknown(_ socket: PassedSocket, _ place: String) -> StartFailure {
        failure(
            socket, "is \(place), which the configuration does not name",
            "name it under `listen`, or take it out of the socket unit")
    }

    private static func failure(_ socket: PassedSocket, _ sentence: String, _ hint: String) -> StartFailure {
        StartFailure(
            code: ErrorCode("listen"),
            detail: "the socket `\(socket.name.shownInConfiguration)` that was passed \(sentence)", hint: hint)
    }

    private static func octal(_ mode: UInt16) -> String {
        let digits = String(mode & 0o777, radix: 8)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
