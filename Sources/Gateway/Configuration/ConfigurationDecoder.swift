import Core
import MimiKey
import Strongbox
import Transport

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
            root, "the file", allowed: ["listen", "admin", "state", "key", "mimikey", "callers", "limits", "loops"],
            required: ["listen", "admin", "state", "mimikey", "callers"])
        let adminSocket = keys["admin"].flatMap { admin($0) }
        let listening = keys["listen"].map { listen($0, besides: adminSocket) } ?? Listening()
        let state = keys["state"].flatMap { stateLocation($0) }
        let keyFile = keys["key"].flatMap { key($0) }
        if case .directory = state, keys["key"] == nil {
            report(
                root, "`key` is missing",
                hint: "write `key: { file: /path/to/master.key }`; it is made if it is not there")
        }
        let mimiKey = keys["mimikey"].flatMap { mimiKeySettings($0) }
        let callers = keys["callers"].map { self.callers($0, bySocket: listening.callers) } ?? [:]
        for (node, name) in listening.names where keys["callers"] != nil && callers[name] == nil {
            report(node, "`callers` has no `\(name)`", hint: "write it there, with what it `may`; it needs no token")
        }
        let limits = keys["limits"].map { gatewayLimits($0) } ?? GatewayLimits()
        let loops = keys["loops"].flatMap { integer($0, "`loops`", 1...64) } ?? EventLoop.usualCount
        guard problems.isEmpty, let adminSocket, let state, let mimiKey else { return nil }
        return Configuration(
            listeners: listening.tcp, sockets: listening.unix, adminSocket: adminSocket, state: state, keyFile: keyFile,
            mimiKey: mimiKey, callers: callers, limits: limits, loops: loops)
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
