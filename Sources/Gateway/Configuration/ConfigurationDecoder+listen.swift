import Core

/// What stands under `listen`.
struct Listening {
    var tcp: [Listener] = []
    var unix: [CallerSocket] = []
    /// Where a socket names its caller, which has to be there.
    var names: [(node: YAMLNode, name: CallerName)] = []

    var callers: Set<CallerName> { Set(names.map(\.name)) }
}

extension ConfigurationDecoder {
    mutating func admin(_ node: YAMLNode) -> String? {
        let keys = mapping(node, "`admin`", allowed: ["unix"], required: ["unix"])
        return keys["unix"].flatMap { socketPath($0) }
    }

    mutating func listen(_ node: YAMLNode, besides adminSocket: String?) -> Listening {
        var listening = Listening()
        for element in sequence(node, "`listen`") {
            if element.has("unix") {
                unixListener(element, into: &listening)
            } else if let listener = tcpListener(element) {
                listening.tcp.append(listener)
            }
        }
        if listening.tcp.isEmpty, listening.unix.isEmpty, problems.isEmpty {
            report(node, "`listen` is empty", hint: "write `- tcp: 127.0.0.1:7447`")
        }
        var addresses: Set<TCPAddress> = []
        for address in listening.tcp.map(\.address) where address.port != 0 && !addresses.insert(address).inserted {
            report(node, "`\(address)` stands under `listen` twice")
        }
        var paths = Set([adminSocket].compactMap { $0 })
        for path in listening.unix.map(\.path) where !paths.insert(path).inserted {
            report(
                node, "two sockets have the path `\(path.shownInConfiguration)`",
                hint: "each caller has a socket of its own, and so has the operator")
        }
        return listening
    }

    // MARK: TCP

    private mutating func tcpListener(_ node: YAMLNode) -> Listener? {
        let keys = mapping(node, "a TCP listener", allowed: ["tcp", "hosts"], required: ["tcp"])
        let hosts = keys["hosts"].map { hostNames($0) } ?? []
        guard let tcp = keys["tcp"], let text = text(tcp, "`tcp`") else { return nil }
        guard let address = TCPAddress(text) else {
            report(tcp, "`tcp` is no address with a port", hint: "write `127.0.0.1:7447` or `\"[::1]:7447\"`")
            return nil
        }
        guard address.ip.isLoopback else {
            report(tcp, "`tcp` is no loopback address", hint: "only 127.0.0.0/8 and [::1] are listened on")
            return nil
        }
        return Listener(address: address, hosts: hosts)
    }

    private mutating func hostNames(_ node: YAMLNode) -> Set<String> {
        var hosts: Set<String> = []
        for element in sequence(node, "`hosts`") {
            guard let text = text(element, "a host") else { continue }
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, HostName(String(parts[0])) != nil, UInt16(parts[1]) != nil else {
                report(element, "a host must be a name with a port", hint: "write `countersign:7447`")
                continue
            }
            hosts.insert(text.lowercased())
        }
        return hosts
    }

    // MARK: Unix sockets

    private mutating func unixListener(_ node: YAMLNode, into listening: inout Listening) {
        let keys = mapping(
            node, "a Unix listener", allowed: ["unix", "caller", "allow_uids", "mode", "group"],
            required: ["unix", "caller"])
        let path = keys["unix"].flatMap { socketPath($0) }
        let users = keys["allow_uids"].map { self.users($0) }
        let mode = keys["mode"].flatMap { socketMode($0, namesUsers: users != nil) } ?? 0o600
        let group = keys["group"].flatMap { self.group($0, mode: mode) }
        guard let callerNode = keys["caller"], let name = text(callerNode, "`caller`") else { return }
        guard let caller = CallerName(name) else {
            report(
                callerNode, "`\(name.shownInConfiguration)` is no name for a caller",
                hint: "name one that stands under `callers`")
            return
        }
        listening.names.append((callerNode, caller))
        guard let path else { return }
        listening.unix.append(CallerSocket(path: path, caller: caller, users: users, mode: mode, group: group))
    }

    /// In one spelling, without `//` and `/./`, so that one file has one path here: two sockets cannot share it, and one
    /// that was passed is found again.
    private mutating func socketPath(_ node: YAMLNode) -> String? {
        guard let path = path(node, "`unix`") else { return nil }
        let parts = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.last, !name.isEmpty, name != ".", !parts.contains("..") else {
            report(
                node, "the path of a Unix socket must end with its name, and go nowhere by `..`",
                hint: "write one such as `/run/countersign-agent/agent.sock`")
            return nil
        }
        let socket = "/" + parts.filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
        // struct sockaddr_un has room for 107 bytes and a NUL.
        guard socket.utf8.count <= 107 else {
            report(node, "the path of a Unix socket has at most 107 bytes")
            return nil
        }
        return socket
    }

    /// The largest id; the one above it means "none" to the kernel.
    private static let largestID = Int(UInt32.max - 1)

    private mutating func users(_ node: YAMLNode) -> Set<UInt32> {
        let elements = sequence(node, "`allow_uids`")
        let users = elements.compactMap { integer($0, "a user's id", 0...Self.largestID) }
        if elements.isEmpty, case .sequence = node.content {
            report(
                node, "`allow_uids` is empty, so nobody could come in",
                hint: "write `[1001]`; left out, it is the gateway's own user")
        }
        return Set(users.map { UInt32($0) })
    }

    /// Written as `chmod` reads it. Other modes than these would let in somebody who can only read, or not the gateway.
    private mutating func socketMode(_ node: YAMLNode, namesUsers: Bool) -> UInt16? {
        guard let text = text(node, "`mode`") else { return nil }
        let modes: [String: UInt16] = ["0600": 0o600, "0660": 0o660, "0666": 0o666]
        guard let mode = modes[text] else {
            report(node, "`mode` is no mode of a socket", hint: "write `\"0600\"`, `\"0660\"` or `\"0666\"`, in quotes")
            return nil
        }
        // It would open the file to users of whom none is let in, and who reads it would believe that they are.
        guard mode == 0o600 || namesUsers else {
            report(
                node, "`mode` lets other users reach the socket, and `allow_uids` does not say which",
                hint: "add `allow_uids: [1001]`, or leave `mode` out")
            return nil
        }
        return mode
    }

    private mutating func group(_ node: YAMLNode, mode: UInt16) -> UInt32? {
        guard mode != 0o600 else {
            report(node, "`group` is given, and `mode` lets no group in", hint: "add `mode: \"0660\"`")
            return nil
        }
        guard let text = text(node, "`group`") else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return integer(node, "a group's id", 0...Self.largestID).map { UInt32($0) }
        }
        guard let id = Groups.id(of: text) else {
            report(
                node, "this machine has no group `\(text.shownInConfiguration)`",
                hint: "make it with `groupadd`, or write the number of another")
            return nil
        }
        return id
    }
}

extension YAMLNode {
    fileprivate func has(_ key: String) -> Bool {
        guard case .mapping(let entries) = content else { return false }
        return entries.contains { $0.key == key }
    }
}
