import Core
import MimiKey
import Strongbox

/// Turns the YAML of a file into a `Configuration`, and collects every problem on the way instead of stopping at the
/// first.
struct ConfigurationDecoder {
    private(set) var problems: [ConfigurationProblem] = []

    /// In the order of the file.
    var problemsInOrder: [ConfigurationProblem] {
        problems.sorted { left, right in
            guard let left = left.position else { return right.position != nil }
            guard let right = right.position else { return false }
            return (left.line, left.column) < (right.line, right.column)
        }
    }

    mutating func report(_ node: YAMLNode, _ message: String, hint: String? = nil) {
        problems.append(ConfigurationProblem(at: node.position, message, hint: hint))
    }

    /// The whole file; `nil` when anything is wrong.
    mutating func configuration(_ root: YAMLNode) -> Configuration? {
        let keys = mapping(
            root, "the file", allowed: ["listen", "admin", "state", "key", "mimikey", "callers", "limits"],
            required: ["listen", "admin", "state", "mimikey", "callers"])
        let listeners = keys["listen"].map { listen($0) } ?? []
        let adminSocket = keys["admin"].flatMap { admin($0) }
        let state = keys["state"].flatMap { stateLocation($0) }
        let keyFile = keys["key"].flatMap { key($0) }
        if case .directory = state, keys["key"] == nil {
            report(
                root, "`key` is missing",
                hint: "write `key: { file: /path/to/master.key }`; it is made if it is not there")
        }
        let mimiKey = keys["mimikey"].flatMap { mimiKeySettings($0) }
        let callers = keys["callers"].map { self.callers($0) } ?? [:]
        let limits = keys["limits"].map { gatewayLimits($0) } ?? GatewayLimits()
        guard problems.isEmpty, let adminSocket, let state, let mimiKey else { return nil }
        return Configuration(
            listeners: listeners, adminSocket: adminSocket, state: state, keyFile: keyFile, mimiKey: mimiKey,
            callers: callers, limits: limits)
    }

    private mutating func listen(_ node: YAMLNode) -> [Listener] {
        let listeners = sequence(node, "`listen`").compactMap { listener($0) }
        if listeners.isEmpty, problems.isEmpty {
            report(node, "`listen` is empty", hint: "write `- tcp: 127.0.0.1:7447`")
        }
        var seen: Set<TCPAddress> = []
        for listener in listeners where listener.address.port != 0 && !seen.insert(listener.address).inserted {
            report(node, "`\(listener.address)` stands under `listen` twice")
        }
        return listeners
    }

    private mutating func listener(_ node: YAMLNode) -> Listener? {
        let keys = mapping(node, "a listener", allowed: ["tcp", "hosts"], required: ["tcp"])
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

    private mutating func admin(_ node: YAMLNode) -> String? {
        let keys = mapping(node, "`admin`", allowed: ["unix"], required: ["unix"])
        guard let unix = keys["unix"], let socket = path(unix, "`unix`") else { return nil }
        // struct sockaddr_un has room for 107 bytes and a NUL.
        guard socket.utf8.count <= 107 else {
            report(unix, "the path of a Unix socket has at most 107 bytes")
            return nil
        }
        return socket
    }

    private mutating func stateLocation(_ node: YAMLNode) -> StoreLocation? {
        guard let text = text(node, "`state`") else { return nil }
        if text == "memory" { return .memory }
        return path(node, "`state`").map(StoreLocation.directory)
    }

    private mutating func key(_ node: YAMLNode) -> String? {
        let keys = mapping(node, "`key`", allowed: ["file"], required: ["file"])
        return keys["file"].flatMap { path($0, "`file`") }
    }

    private mutating func gatewayLimits(_ node: YAMLNode) -> GatewayLimits {
        let keys = mapping(node, "`limits`", allowed: ["open", "connections"])
        var limits = GatewayLimits()
        if let open = keys["open"].flatMap({ integer($0, "`open`", 1...90) }) { limits.open = open }
        if let connections = keys["connections"].flatMap({ integer($0, "`connections`", 16...10_000) }) {
            limits.connections = connections
        }
        return limits
    }
}
